-- Positions: Neovim counts bytes from 0 (and rows from 1 where a cursor is meant), the server UTF-16 units.
--
-- UTF-16 always, whatever else could be agreed on: Neovim 0.10 complains when clients of one buffer count
-- differently, and this is what nearly all of them do.
local M = {}

M.ENCODING = 'utf-16'

local is_new = vim.fn.has('nvim-0.11') == 1

--- UTF-16 units in the first bytes of a line.
---@param line string
---@param bytes integer
---@return integer
function M.units(line, bytes)
  bytes = math.min(bytes, #line)
  if is_new then
    return vim.str_utfindex(line, M.ENCODING, bytes, false)
  end
  local _, units = vim.str_utfindex(line, bytes)
  return units
end

--- Bytes in the first UTF-16 units of a line; all of it, if it has fewer.
---@param line string
---@param units integer
---@return integer
function M.bytes(line, units)
  if is_new then
    return vim.str_byteindex(line, M.ENCODING, units, false)
  end
  local ok, bytes = pcall(vim.str_byteindex, line, units, true)
  return ok and bytes or #line
end

local function line_of(buf, row)
  return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
end

--- A place in a buffer, as the server counts.
---@return lsp.Position
function M.position(buf, row, col)
  return { line = row, character = M.units(line_of(buf, row) or '', col) }
end

--- A place the server tells, in rows and bytes from 0; nothing if the buffer has no such row. The row
--- behind the last one is there for the server, because the text ends with a line end.
---@param position lsp.Position
---@return integer? row, integer? col
function M.place(buf, position)
  local line = line_of(buf, position.line)
  if line ~= nil then
    return position.line, M.bytes(line, position.character)
  end
  local rows = vim.api.nvim_buf_line_count(buf)
  if position.line == rows and position.character == 0 then
    return rows, 0
  end
  return nil
end

--- The text between two places of a buffer, lines joined by "\n"; nothing if they are not there.
---@return string?
function M.text(buf, row, col, end_row, end_col)
  local rows = vim.api.nvim_buf_line_count(buf)
  local tail = ''
  if end_row == rows and end_col == 0 then
    if row == rows then
      return ''
    end
    end_row = rows - 1
    end_col = #(line_of(buf, end_row) or '')
    tail = '\n'
  end
  local ok, lines = pcall(vim.api.nvim_buf_get_text, buf, row, col, end_row, end_col, {})
  return ok and table.concat(lines, '\n') .. tail or nil
end

--- The cursor of the current window, in rows and bytes from 0.
---@return integer row, integer col
function M.cursor()
  local at = vim.api.nvim_win_get_cursor(0)
  return at[1] - 1, at[2]
end

--- A text with one kind of line end: what comes from the server has those of the file.
---@param text string
---@return string
function M.plain(text)
  return (text:gsub('\r\n?', '\n'))
end

return M
