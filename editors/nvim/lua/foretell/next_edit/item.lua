-- A next edit as the server tells it, in its buffer.
local columns = require('foretell.columns')
local documents = require('foretell.documents')
local suggestion = require('foretell.ghost.item')

local M = {}

--- An edit as a buffer can have it. The server's text ends with a line end, behind which there is a place that
--- the buffer does not have.
---@param edit foretell.Edit
---@return foretell.Edit?
local function within(edit)
  local rows = vim.api.nvim_buf_line_count(edit.buf)
  if edit.to[1] < rows then
    return edit
  end
  local function end_of(row)
    return { row, #vim.api.nvim_buf_get_lines(edit.buf, row, row + 1, false)[1] }
  end
  local from, old, new = edit.from, edit.old:gsub('\n$', ''), nil
  if edit.new:sub(-1) == '\n' then
    new = edit.new:sub(1, -2)
  elseif edit.new == '' and from[2] == 0 then
    new = ''
  else
    -- It would take away the line end of the last line.
    return nil
  end
  if from[1] == rows or (new == '' and from[1] > 0) then
    -- Lines come behind the last one, or go with the line end in front of them.
    local is_new = from[1] == rows
    from = end_of(from[1] - 1)
    old, new = is_new and '' or '\n' .. old, is_new and '\n' .. new or ''
  end
  return vim.tbl_extend('force', edit, { from = from, to = end_of(rows - 1), old = old, new = new })
end

--- An edit in its buffer, if that is followed and as the server knows it.
---@return foretell.Edit?
function M.placed(told)
  local buf, id = documents.buf(told.textDocument.uri), suggestion.id(told)
  if buf == nil or id == nil or documents.version(buf) ~= told.textDocument.version then
    return nil
  end
  local row, col = columns.place(buf, told.range.start)
  local end_row, end_col = columns.place(buf, told.range['end'])
  local old = row and end_row and columns.text(buf, row, col, end_row, end_col)
  if old == nil then
    return nil
  end
  local new = columns.plain(told.text)
  return within({
    id = id,
    buf = buf,
    from = { row, col },
    to = { end_row, end_col },
    old = old,
    new = new,
    cursor = told.cursor,
  })
end

return M
