-- Ghost text: what is drawn at the cursor while one types.
--
-- Neovim 0.12 has ghost text of its own, and it is used there; before that, and for who sets `ghost_text`
-- so, it is drawn here; also where another server has ghost text, because Neovim does not tell whose it shows.
-- Both know the same words, so that keys, commands and events need not know who draws.
local config = require('foretell.config')

local M = {}

--- Whether Neovim draws ghost text by itself, but otherwise than is known here.
local is_unknown = false

--- Why Neovim does not draw it although it could, if that is so.
---@return string?
function M.against_native()
  return is_unknown and "this Neovim's own is not as the plugin knows it" or nil
end

--- Whether this Neovim draws ghost text by itself.
function M.has_native()
  return vim.lsp.inline_completion ~= nil and not is_unknown
end

--- Whether another server has ghost text, too. Neovim shows one of them, and does not say which.
local function has_rivals()
  local rivals = vim.lsp.get_clients({ method = 'textDocument/inlineCompletion' })
  return vim.iter(rivals):any(function(it)
    return it.name ~= 'foretell'
  end)
end

--- The drawer since the server started.
---@type ('native'|'extmarks')?
local chosen = nil

--- The drawer.
---@return 'native'|'extmarks'
function M.kind()
  if chosen ~= nil then
    return chosen
  end
  local wanted = config.get().ghost_text
  if wanted == 'extmarks' or not M.has_native() or (wanted == 'auto' and has_rivals()) then
    return 'extmarks'
  end
  return 'native'
end

--- Neovim has drawn it until now, and from now on it is drawn here.
local function draw_here(client)
  M.ignore()
  require('foretell.ghost.native').switch_off()
  chosen = 'extmarks'
  M.server_changed('running', client)
end

--- Another server has come, and may have ghost text.
---@param client vim.lsp.Client?
function M.look_for_rivals(client)
  if chosen == 'native' and client ~= nil and config.get().ghost_text == 'auto' and has_rivals() then
    draw_here(client)
  end
end

--- Neovim's own is another one than is known here.
---@param client vim.lsp.Client?
function M.leave_native(client)
  is_unknown = true
  if chosen == 'native' and client ~= nil then
    draw_here(client)
  end
end

local function drawn()
  return require(M.kind() == 'native' and 'foretell.ghost.native' or 'foretell.ghost.own')
end

--- Calls a function when ghost text comes or goes.
---@param told fun()
function M.on_change(told)
  require('foretell.ghost.own').on_change = told
  require('foretell.ghost.native').on_change = told
end

--- A server has come up, or is gone: what one has named, the next one does not know.
---@param client vim.lsp.Client?
function M.server_changed(life, client)
  if life == 'starting' then
    chosen = nil
  end
  chosen = chosen or (life == 'running' and M.kind() or nil)
  drawn().server_changed(life, client)
end

--- The server is attached to a buffer.
function M.attached(buf)
  if M.kind() == 'native' then
    drawn().attached(buf)
  end
end

--- The server is not attached to a buffer any more.
function M.detached(buf)
  if M.has_native() then
    require('foretell.ghost.native').detached(buf)
  end
end

--- Calls a function when Neovim's own ghost text is not the one this plugin knows.
---@param told fun()
function M.on_unknown(told)
  require('foretell.ghost.native').on_unknown = told
end

--- Whether Neovim asks by itself, and need not be asked for.
---@param kind integer
---@param cause 'change'|'trigger'|'person'
function M.asks(kind, cause)
  return drawn().asks(kind, cause)
end

--- Shows what the server has answered.
function M.answered(buf, items, kind)
  drawn().answered(buf, items, kind)
end

--- Looks at a question on its way to the server; what it returns comes back with the answer.
function M.on_request(method, params)
  return drawn().on_request(method, params)
end

--- Looks at an answer on its way to Neovim.
function M.on_answer(method, asked, result)
  return drawn().on_answer(method, asked, result)
end

--- The text changed, or the cursor moved: what still fits stays, and the rest is gone.
function M.follow()
  drawn().follow()
end

--- Takes all of it, a word or a line. False if nothing is shown.
---@param how 'all'|'word'|'line'
function M.accept(how)
  return drawn().accept(how)
end

--- Rejects it, for good. False if nothing is shown.
function M.reject()
  return drawn().reject()
end

--- Insert mode was left, and it is gone; what became of it is told by what this gives.
---@return (fun(what: 'didIgnore'|'didReject'))?
function M.leave()
  return drawn().leave()
end

--- It is gone, neither accepted nor rejected.
function M.ignore()
  drawn().ignore()
end

function M.is_shown()
  return require('foretell.ghost.shown').get() ~= nil
end

return M
