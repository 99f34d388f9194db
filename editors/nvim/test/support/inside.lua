-- Runs inside of the Neovim under test, from its first moment on: writes down what the plugin and
-- the server say to each other. It changes nothing of what either does.
--
-- Messages are taken where they are handed to Neovim's own transport, so that they are what is
-- sent.
local M = {
  --- Every message: { from = 'client' or 'server', run, method, id, params, result, error }.
  said = {},
  --- How often a server was started.
  runs = 0,
  --- How many keys were taken from the terminal.
  keys = 0,
  --- Called as soon as a request has been sent, by its method: for acts that must come before its answer on any
  --- machine. Each gets the request's parameters.
  ---@type table<string, fun(params: table)>
  when_asked = {},
}

local function note(entry)
  entry.at = vim.uv.hrtime() / 1e6
  -- As it is now: who said it may go on to change it.
  M.said[#M.said + 1] = vim.json.encode(entry)
end

--- Puts a function around another that is called before it.
local function before(called, first)
  return function(...)
    first(...)
    if called ~= nil then
      return called(...)
    end
  end
end

--- Listens to every server that is started from now on.
function M.listen()
  local rpc = require('vim.lsp.rpc')
  local start = rpc.start
  rpc.start = function(command, dispatchers, ...)
    M.runs = M.runs + 1
    local run, requests = M.runs, 0
    local heard = vim.tbl_extend('force', {}, dispatchers or {})
    heard.notification = before(heard.notification, function(method, params)
      note({ from = 'server', run = run, method = method, params = params })
    end)
    local asked = heard.server_request
    heard.server_request = function(method, params)
      note({ from = 'server', run = run, method = method, params = params, is_request = true })
      return asked(method, params)
    end
    heard.on_exit = before(heard.on_exit, function(code, signal)
      note({ from = 'server', run = run, ended = { code = code, signal = signal } })
    end)
    local client = start(command, heard, ...)
    if client == nil then
      return nil
    end
    local request, notify = client.request, client.notify
    client.request = function(method, params, callback, ...)
      requests = requests + 1
      local id = requests
      note({ from = 'client', run = run, method = method, params = params, id = id })
      local is_sent, number = request(method, params, function(err, result)
        local answer = { from = 'server', run = run, id = id, answers = method }
        answer.result, answer.error = result, err
        note(answer)
        return callback(err, result)
      end, ...)
      if M.when_asked[method] then
        M.when_asked[method](params)
      end
      return is_sent, number
    end
    client.notify = function(method, params)
      note({ from = 'client', run = run, method = method, params = params })
      return notify(method, params)
    end
    return client
  end
end

--- Counts keys, so that a test knows when one was taken.
function M.count_keys()
  vim.on_key(function()
    M.keys = M.keys + 1
  end)
end

--- Everything that was said behind a place.
function M.heard(since)
  return vim.list_slice(M.said, since + 1)
end

--- The processes that this Neovim has started and that still run, by their names.
function M.children()
  local found = {}
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    local process = vim.api.nvim_get_proc(pid)
    if process ~= nil then
      found[#found + 1] = { pid = pid, name = process.name }
    end
  end
  return found
end

return M
