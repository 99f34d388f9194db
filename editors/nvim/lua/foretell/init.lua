-- Foretell in Neovim: a thin client of `foretell lsp`, and what people call from their own keys.
--
-- It tells the server what happens, draws what it answers, and tells it what became of that. When to
-- ask, what to show and what never to show again is decided there.
--
-- | file | what it is |
-- | --- | --- |
-- | `server.lua`, `program.lua`, `wire.lua` | the server's life, and what passes to and from it |
-- | `documents.lua`, `following.lua`, `diagnostics.lua` | what the server hears |
-- | `events.lua` | what happens, and who is told of it |
-- | `asking.lua` | the two questions, and the answers that come too late |
-- | `ghost.lua`, `ghost/` | ghost text: drawn here, or by Neovim where it can |
-- | `next_edit.lua`, `next_edit/` | next edits: Tab and Esc |
-- | `drawing.lua`, `compare.lua` | how all of it looks |
-- | `keys.lua` | keys that are ours only while something is shown |
-- | `leaving.lua`, `frames.lua` | what it meant that insert mode was left, and what was seen by then |
-- | `rejections.lua`, `workspaces.lua` | the mirror of what is rejected, and what files belong together |
-- | `commands.lua`, `pause.lua`, `status.lua`, `health.lua` | what the person sees and can order |
-- | `config.lua`, `columns.lua`, `say.lua` | what was set, positions, and the few messages |
local M = {}

local is_started = false

--- Sets what is not to be as it is by default. Not needed without that: the plugin starts by itself.
---@param options table? see |foretell-config|
function M.setup(options)
  require('foretell.config').set(options or {})
  if is_started then
    require('foretell.server').follow()
  end
end

--- Starts, once. `plugin/foretell.lua` does.
function M.start()
  if is_started then
    return
  end
  is_started = true
  require('foretell.events').listen()
end

--- Takes what is shown: ghost text whole, or what Tab does with a next edit. False if nothing is shown.
---@return boolean
function M.accept()
  return require('foretell.ghost').accept('all') or require('foretell.next_edit').take('key')
end

--- Takes the next word of ghost text. False if there is none.
---@return boolean
function M.accept_word()
  return require('foretell.ghost').accept('word')
end

--- Takes the next line of ghost text. False if there is none.
---@return boolean
function M.accept_line()
  return require('foretell.ghost').accept('line')
end

--- Rejects what is shown, for good. False if nothing is.
---@return boolean
function M.reject()
  local ghost = require('foretell.ghost').reject()
  local edit = require('foretell.next_edit').reject()
  return ghost or edit
end

--- Goes to the next edit, or does it if the cursor is there, wherever the cursor is. False if there is none.
---@return boolean
function M.next_edit()
  return require('foretell.next_edit').take('person')
end

--- Asks for a suggestion now, because the person wants one.
function M.suggest()
  require('foretell.asking').ask(1, 'person')
end

--- Whether ghost text or a next edit is shown, for mappings of one's own.
---@return boolean
function M.is_shown()
  return require('foretell.ghost').is_shown() or require('foretell.next_edit').is_shown()
end

--- How Foretell is, in a word or two for the status line.
---@return string
function M.status()
  return require('foretell.status').line()
end

return M
