-- Compares texts word by word, since people read words.
local M = {}

--- Texts of more words than this are taken for wholly different.
local MOST_WORDS = 2000

local diff = vim.text and vim.text.diff or vim.diff

--- A place, after a text was passed.
---@return integer row, integer col
function M.after(row, col, text)
  local _, lines = text:gsub('\n', '')
  if lines == 0 then
    return row, col + #text
  end
  return row + lines, #text:match('[^\n]*$')
end

--- The same edit, with the rest of the words at its ends.
---@param edit foretell.Edit
---@return foretell.Edit
function M.in_whole_words(edit)
  local function line(row)
    return vim.api.nvim_buf_get_lines(edit.buf, row, row + 1, false)[1] or ''
  end
  local head = line(edit.from[1]):sub(1, edit.from[2]):match('[%w_$\128-\255]*$')
  local tail = line(edit.to[1]):sub(edit.to[2] + 1):match('^[%w_$\128-\255]*')
  return vim.tbl_extend('force', edit, {
    from = { edit.from[1], edit.from[2] - #head },
    to = { edit.to[1], edit.to[2] + #tail },
    old = head .. edit.old .. tail,
    new = head .. edit.new .. tail,
  })
end

local function words_of(text)
  local words, at = {}, 1
  while at <= #text and #words <= MOST_WORDS do
    local word = text:match('^[%w_$\128-\255]+', at) or text:match('^[ \t]+', at) or text:sub(at, at)
    table.insert(words, word)
    at = at + #word
  end
  return words
end

local function as_lines(words)
  local lines = vim.tbl_map(function(word)
    return word == '\n' and '\\n' or word
  end, words)
  return table.concat(lines, '\n') .. (#lines > 0 and '\n' or '')
end

---@class foretell.Part
---@field kind 'stays'|'goes'|'comes'
---@field text string

--- Kept, removed and added parts, in order; a removed part stands before the one that replaces it.
---@return foretell.Part[]
function M.parts(old, new)
  local before, after = words_of(old), words_of(new)
  if #before > MOST_WORDS or #after > MOST_WORDS then
    return { { kind = 'goes', text = old }, { kind = 'comes', text = new } }
  end
  local parts, reached = {}, 1
  local function add(kind, words, first, count)
    local text = table.concat(words, '', first, first + count - 1)
    if text ~= '' then
      table.insert(parts, { kind = kind, text = text })
    end
  end
  local hunks = diff(as_lines(before), as_lines(after), { result_type = 'indices' })
  for _, hunk in ipairs(hunks --[[@as integer[][] ]]) do
    local start, count, new_start, new_count = unpack(hunk)
    -- A hunk that takes nothing away starts at the line in front of it.
    start = count == 0 and start + 1 or start
    add('stays', before, reached, start - reached)
    add('goes', before, start, count)
    add('comes', after, new_count == 0 and 1 or new_start, new_count)
    reached = start + count
  end
  add('stays', before, reached, #before - reached + 1)
  return parts
end

return M
