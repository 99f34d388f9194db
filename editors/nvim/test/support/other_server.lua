-- Another language server, a few lines inside of the Neovim under test: what stories put in front of
-- their init, which then has `OtherServer`.
--
-- `answers` has what it answers, by method; one that takes its time answers with a function, which is given the
-- one to call. `hear` is told of everything that it is notified of.
return [[
  function OtherServer(name, answers, hear)
    local is_closing, count = false, 0
    vim.lsp.start({
      name = name,
      cmd = function()
        return {
          request = function(method, params, callback)
            count = count + 1
            vim.schedule(function()
              local answer = answers[method] and answers[method](params) or vim.NIL
              if type(answer) == 'function' then
                answer(callback)
              else
                callback(nil, answer)
              end
            end)
            return true, count
          end,
          notify = function(method, params)
            if hear ~= nil then
              hear(method, params)
            end
            return true
          end,
          is_closing = function()
            return is_closing
          end,
          terminate = function()
            is_closing = true
          end,
        }
      end,
    })
  end
]]
