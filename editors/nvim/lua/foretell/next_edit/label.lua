-- The label at the cursor's line while there is a next edit: what the key does, and where and what the edit is.
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

--- The label's text, as much of it as there is room for.
---@param edit foretell.Edit
---@param does foretell.KeyDoes
---@return string
function M.words(edit, does)
  local key = config.get().keys.accept
  local name = key and does ~= 'indent' and key:gsub('[<>]', '') .. ': ' or ''
  if does == 'accept' then
    return name .. 'accept'
  end
  local place = place_of(edit)
  edit.short = edit.short or drawing.in_short(edit)
  local room = drawing.room_behind(columns.cursor())
  for _, words in ipairs({
    ('%snext edit, %s: %s'):format(name, place, edit.short),
    ('%s%s: %s'):format(name, place, edit.short),
    ('%snext edit, %s'):format(name, place),
  }) do
    if vim.fn.strdisplaywidth(words) <= room then
      return words
    end
  end
  return name .. place
end

return M
