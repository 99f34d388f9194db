-- Suggestions as ghost text: which can be drawn, what of one is already there, and what a part of it is.
--
-- Only arithmetic on texts and positions: nothing here draws or knows the server.
--
-- A suggestion replaces a range of the text by another text. It can be drawn if it changes nothing in front
-- of the cursor and only puts something in behind it: there, what is replaced has to be found in the new
-- text, in order.
local columns = require('foretell.columns')

local M = {}

---@class foretell.Ghost a suggestion, in a buffer
---@field buf integer
---@field ids string[] its names: more than one only if the person asked for all there is
---@field text string
---@field has_crlf boolean whether its lines ended with CR LF as the server told it
---@field from integer[] row and column of what it replaces
---@field to integer[] and of its end

---@class foretell.Standing what is left of a suggestion at the cursor
---@field row integer the cursor
---@field col integer
---@field typed string what is there of it
---@field rest string what is not
---@field behind string what it replaces behind the cursor
---@field pieces { col: integer, text: string }[] what is put in, and where on the cursor's line

--- The insertion that turns a shorter text into a longer one, or nothing if no insertion does.
---@return { at: integer, text: string }[]?
local function pieces_between(short, long)
  local pieces, at = {}, 1
  local starts = vim.str_utf_pos(short)
  for index, start in ipairs(starts) do
    local last = (starts[index + 1] or #short + 1) - 1
    local found, ending = long:find(short:sub(start, last), at, true)
    if found == nil then
      return nil
    end
    if found > at then
      table.insert(pieces, { at = start - 1, text = long:sub(at, found - 1) })
    end
    at = ending + 1
  end
  if at <= #long then
    table.insert(pieces, { at = #short, text = long:sub(at) })
  end
  return pieces
end

--- The rest of a suggestion at a place, or nothing if it does not fit there.
---@param ghost foretell.Ghost
---@return foretell.Standing?
function M.standing(ghost, row, col)
  local from, to = ghost.from, ghost.to
  local is_before = row < from[1] or (row == from[1] and col < from[2])
  if is_before or to[1] ~= row or to[2] < col then
    return nil
  end
  local typed = columns.text(ghost.buf, from[1], from[2], row, col)
  local behind = columns.text(ghost.buf, row, col, to[1], to[2])
  if typed == nil or behind == nil or not vim.startswith(ghost.text, typed) then
    return nil
  end
  local rest = ghost.text:sub(#typed + 1)
  local pieces = pieces_between(behind, rest)
  if pieces == nil then
    return nil
  end
  local placed = vim.tbl_map(function(piece)
    return { col = col + piece.at, text = piece.text }
  end, pieces)
  return { row = row, col = col, typed = typed, rest = rest, behind = behind, pieces = placed }
end

--- The part of what is left that a key takes.
---@param how 'all'|'word'|'line'
---@return string
function M.part(rest, how)
  local found = ''
  if how == 'word' then
    found = vim.fn.matchstr(rest, [=[^\_s*\%(\k\+\|[^[:keyword:][:space:]]\+\)]=])
  elseif how == 'line' then
    found = rest:match('^\n*[^\n]*') or ''
  end
  return found ~= '' and found or rest
end

--- How much of what is replaced behind the cursor goes with the first part of what is left, in bytes.
---@return integer
function M.replaced(behind, rest, part)
  local starts = vim.str_utf_pos(behind)
  local at, taken = 1, 0
  for index, start in ipairs(starts) do
    local last = (starts[index + 1] or #behind + 1) - 1
    local _, ending = rest:find(behind:sub(start, last), at, true)
    if ending == nil or ending > #part then
      break
    end
    at, taken = ending + 1, last
  end
  return taken
end

--- How long the first part of a suggestion is, as the server counts.
---@param ghost foretell.Ghost
---@return integer
function M.length(ghost, part)
  local _, lines = part:gsub('\n', '')
  return columns.units(part, #part) + (ghost.has_crlf and lines or 0)
end

return M
