-- Ghost text that is drawn here, by extmarks.
--
-- Ghost text stays true without a request: when the person types its next characters, the rest of it is
-- drawn in the very frame in which the letter appears; when they type something else, it is gone in that
-- frame. The server's next answer then takes its place.
local drawing = require('foretell.drawing')
local item = require('foretell.ghost.item')
local shown = require('foretell.ghost.shown')

local M = {}

--- Told when something comes or goes.
M.on_change = function() end

--- The buffer it is drawn in.
local drawn_in = nil

local function draw(buf, stands)
  drawing.ghost(buf, stands)
  drawn_in = buf
  M.on_change()
end

local function erase()
  if drawn_in ~= nil then
    drawing.clear_ghost(drawn_in)
    drawn_in = nil
    M.on_change()
  end
end

function M.asks()
  return false
end

function M.on_request() end

function M.on_answer(_, asked, result)
  -- Neovim asked while it was the one who draws, and fails on an answer now.
  if asked ~= nil then
    return nil
  end
  return result
end

function M.server_changed(life, client)
  if life ~= 'running' then
    shown.finish()
    erase()
  elseif vim.lsp.inline_completion ~= nil then
    -- With Neovim's own switched on, everything would be drawn twice.
    vim.lsp.inline_completion.enable(false, { client_id = client.id })
  end
end

function M.answered(buf, items, kind)
  local found, stands = item.first(buf, items, kind)
  if found == nil then
    shown.finish()
    erase()
    return
  end
  shown.set(found)
  draw(buf, stands)
end

function M.follow()
  local ghost = shown.get()
  if ghost == nil then
    return
  end
  local stands = shown.standing()
  if stands ~= nil and stands.rest ~= '' then
    draw(ghost.buf, stands)
  elseif stands ~= nil then
    shown.finish()
    erase()
  else
    M.ignore()
  end
end

function M.ignore()
  shown.ignore()
  erase()
end

function M.leave()
  local tell = shown.leave()
  erase()
  return tell
end

function M.reject()
  local was_shown = shown.reject()
  erase()
  return was_shown
end

function M.accept(how)
  if not shown.accept(how) then
    return false
  end
  erase()
  M.follow()
  return true
end

return M
