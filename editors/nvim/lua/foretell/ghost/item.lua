-- A suggestion as the server tells it, in its buffer.
local columns = require('foretell.columns')
local text = require('foretell.ghost.text')

local M = {}

--- Its name, by which the server is told what became of it.
---@return string?
function M.id(item)
  local command = type(item.command) == 'table' and item.command or {}
  local id = type(command.arguments) == 'table' and command.arguments[1]
  return type(id) == 'string' and id or nil
end

--- An item as a suggestion in a buffer, if it has all it needs.
---@return foretell.Ghost?
function M.placed(buf, item)
  local range, id = item.range, M.id(item)
  if id == nil or type(range) ~= 'table' or type(item.insertText) ~= 'string' then
    return nil
  end
  local row, col = columns.place(buf, range.start)
  local end_row, end_col = columns.place(buf, range['end'])
  if row == nil or end_row == nil then
    return nil
  end
  return {
    buf = buf,
    ids = { id },
    text = columns.plain(item.insertText),
    has_crlf = item.insertText:find('\r\n', 1, true) ~= nil,
    from = { row, col },
    to = { end_row, end_col },
  }
end

--- The first of an answer, if something is left of it at the cursor. A person who asks for all suggestions
--- rejects all of them, so it has the ids of the others, too.
---@param kind integer 1: the person asked
---@return foretell.Ghost? ghost, foretell.Standing? stands
function M.first(buf, items, kind)
  local found = items[1] and M.placed(buf, items[1])
  local row, col = columns.cursor()
  local stands = found and text.standing(found, row, col)
  if found == nil or stands == nil or stands.rest == '' then
    return nil
  end
  for index = 2, kind == 1 and #items or 1 do
    table.insert(found.ids, M.id(items[index]))
  end
  return found, stands
end

return M
