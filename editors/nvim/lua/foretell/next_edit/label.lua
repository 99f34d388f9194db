-- The label at the cursor's line while there is a next edit: what the key does, and where and what the edit is.
local asking = require('foretell.asking')
local columns = require('foretell.columns')
local config = require('foretell.config')
local drawing = require('foretell.drawing')

local M = {}

--- Where an edit is, seen from the current buffer.
---@param edit foretell.Edit
local function place_of(edit)
  local first, last = edit.from[1] + 1, edit.to[1] + 1
  if edit.buf ~= vim.api.nvim_get_current_buf() then
    local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(edit.buf), ':~:.')
    return ('%s:%d'):format(path, first)
  end
  return first == last and ('line %d'):format(first) or ('lines %d–%d'):format(first, last)
end

--- How far from the cursor's line a label may stand.
local LINES_AROUND = 2

--- The row to put words on: the cursor's, or the nearest in sight that has room for them.
---@return integer? row, string words
local function row_for(row, words)
  local width = vim.fn.strdisplaywidth(words)
  if drawing.room_behind(row) >= width then
    return row, words
  end
  local first, last = vim.fn.line('w0') - 1, vim.fn.line('w$') - 1
  for distance = 1, LINES_AROUND do
    for _, other in ipairs({ row + distance, row - distance }) do
      if first <= other and other <= last and drawing.room_behind(other) >= width + 2 then
        return other, (other < row and '↓ ' or '↑ ') .. words
      end
    end
  end
  return nil, words
end

--- The label's text, as much of it as there is room for, and its row. Nothing if there is room for none.
---@param edit foretell.Edit
---@param does foretell.KeyDoes
---@return string? words, integer? row
function M.words(edit, does)
  local all = config.get().keys
  local key = asking.is_inserting() and all.accept or not asking.is_inserting() and all.normal_accept
  local name = key and does ~= 'indent' and key:gsub('[<>]', '') .. ': ' or ''
  local row = columns.cursor()
  if does == 'accept' then
    local at, words = row_for(row, name .. 'accept')
    return at and words, at
  end
  local place = place_of(edit)
  edit.short = edit.short or drawing.in_short(edit)
  local forms = {
    ('%snext edit, %s: %s'):format(name, place, edit.short),
    ('%s%s: %s'):format(name, place, edit.short),
    ('%snext edit, %s'):format(name, place),
    name .. place,
  }
  local room = drawing.room_behind(row)
  for _, words in ipairs(forms) do
    if vim.fn.strdisplaywidth(words) <= room then
      return words, row
    end
  end
  for _, form in ipairs(forms) do
    local at, words = row_for(row, form)
    if at then
      return words, at
    end
  end
end

--- What is said to one key too many, and its row.
---@return string? words, integer? row
function M.no_more(row)
  local at, words = row_for(row, 'no more next edits')
  return at and words, at
end

return M
