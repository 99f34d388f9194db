-- The suggestion that is shown, by Neovim or by the plugin: its place, the rest of it, and its end.
--
-- Its place is kept by an extmark, because the text around it changes.
local asking = require('foretell.asking')
local columns = require('foretell.columns')
local documents = require('foretell.documents')
local drawing = require('foretell.drawing')
local frames = require('foretell.frames')
local rejections = require('foretell.rejections')
local server = require('foretell.server')
local text = require('foretell.ghost.text')

local M = {}

local PLACES = vim.api.nvim_create_namespace('foretell.ghost.places')

---@type foretell.Ghost?
local ghost = nil
local mark = nil
--- How many frames there were when it came.
local came_at = 0

--- The suggestion, if one is shown.
---@return foretell.Ghost?
function M.get()
  return ghost
end

--- The rest of it at the cursor, or nothing if it no longer fits there.
---@return foretell.Standing?
function M.standing()
  if ghost == nil or ghost.buf ~= vim.api.nvim_get_current_buf() or not asking.is_inserting() then
    return nil
  end
  local at = vim.api.nvim_buf_get_extmark_by_id(ghost.buf, PLACES, mark, { details = true })
  if at[1] == nil then
    return nil
  end
  ghost.from = { at[1], at[2] }
  ghost.to = { at[3].end_row, at[3].end_col }
  local row, col = columns.cursor()
  return text.standing(ghost, row, col)
end

--- Shows another one, and says so unless it is the same.
---@param found foretell.Ghost
function M.set(found)
  local before = ghost
  if before ~= nil and before.buf ~= found.buf then
    M.finish()
  end
  local is_new = before == nil or before.ids[1] ~= found.ids[1]
  local was_standing = M.standing()
  ghost = found
  vim.api.nvim_buf_clear_namespace(found.buf, PLACES, 0, -1)
  mark = vim.api.nvim_buf_set_extmark(found.buf, PLACES, found.from[1], found.from[2], {
    end_row = found.to[1],
    end_col = found.to[2],
    right_gravity = false,
    end_right_gravity = true,
  })
  local stands = M.standing()
  -- By another name, it may be what is seen already.
  if was_standing == nil or stands == nil or was_standing.rest ~= stands.rest then
    came_at = frames.count()
  end
  if is_new then
    server.notify('foretell/didShow', { id = found.ids[1] })
  end
end

--- It is no longer shown. The drawer takes it away.
---@return foretell.Ghost?
function M.finish()
  local before = ghost
  ghost = nil
  if before ~= nil and vim.api.nvim_buf_is_valid(before.buf) then
    vim.api.nvim_buf_clear_namespace(before.buf, PLACES, 0, -1)
  end
  return before
end

--- It is no longer shown, neither accepted nor rejected.
---@return boolean
function M.ignore()
  local before = M.finish()
  if before ~= nil then
    server.notify('foretell/didIgnore', { id = before.ids[1] })
  end
  return before ~= nil
end

--- Insert mode was left, and it is no longer shown. Its end is reported when it is known; if it came under the
--- key that left, it is only ignored.
---@return (fun(what: 'didIgnore'|'didReject'))? tell nothing if nothing was shown
function M.leave()
  local before = M.finish()
  local was_seen = frames.count() > came_at
  return before and function(what)
    local is_rejected = was_seen and what == 'didReject'
    for index, id in ipairs(before.ids) do
      if is_rejected or index == 1 then
        server.notify(is_rejected and 'foretell/didReject' or 'foretell/didIgnore', { id = id })
      end
    end
  end
end

--- It is shown no more, and never again.
---@return boolean
function M.reject()
  -- An answer that is on its way may be the very same.
  asking.drop()
  local before = M.finish()
  for _, id in ipairs(before and before.ids or {}) do
    server.notify('foretell/didReject', { id = id })
  end
  if before ~= nil then
    rejections.refresh()
  end
  return before ~= nil
end

--- Puts all of it, a word or a line into the text, as far as it is not there. False if nothing is left of it at
--- the cursor.
---@param how 'all'|'word'|'line'
---@return boolean
function M.accept(how)
  local stands = M.standing()
  if stands == nil or stands.rest == '' then
    return false
  end
  local taken = assert(ghost)
  local part = text.part(stands.rest, how)
  local is_whole = part == stands.rest
  local replaced = is_whole and #stands.behind or text.replaced(stands.behind, stands.rest, part)
  if is_whole then
    M.finish()
  end
  local row, col = stands.row, stands.col
  drawing.replace(taken.buf, { row, col }, { row, col + replaced }, part)
  -- The server hears of the change first.
  documents.version(taken.buf)
  local length = not is_whole and text.length(taken, stands.typed .. part) or nil
  server.notify('foretell/didAccept', { id = taken.ids[1], acceptedLength = length })
  return true
end

return M
