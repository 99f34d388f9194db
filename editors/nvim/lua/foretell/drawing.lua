-- Draws suggestions with extmarks. It knows no server, and decides nothing.
--
-- Ghost text stands where it would be put in. When it has several lines, what is behind the cursor moves to
-- the end of its last line, as it will when it is taken.
--
-- Of a next edit, what goes is struck out where it is, what comes stands behind it, and a label at the end of
-- the cursor's line says where it is and what the key does.
local compare = require('foretell.compare')

local M = {}

local GHOST = vim.api.nvim_create_namespace('foretell.ghost')
local EDIT = vim.api.nvim_create_namespace('foretell.next_edit')
local LABEL = vim.api.nvim_create_namespace('foretell.label')

--- In front of other plugins' virtual text, mostly diagnostics.
local PRIORITY = 5000
--- More lines than this are cut off.
local MOST_LINES = 40
local LONGEST_LABEL = 60
--- Between a line and its label; Neovim adds a space.
local GAP = '  '

local function clear(namespace, buf)
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  end
end

--- Sets how it looks by default; colour schemes and people may set it otherwise.
function M.highlights()
  local function link(name, to)
    vim.api.nvim_set_hl(0, name, { default = true, link = to })
  end
  link('ForetellGhost', 'Comment')
  link('ForetellAdd', 'DiffAdd')
  link('ForetellLabel', 'Comment')
  local delete = vim.api.nvim_get_hl(0, { name = 'DiffDelete', link = false })
  vim.api.nvim_set_hl(0, 'ForetellDelete', {
    default = true,
    fg = delete.fg,
    bg = delete.bg,
    ctermfg = delete.ctermfg,
    ctermbg = delete.ctermbg,
    strikethrough = true,
    cterm = { strikethrough = true },
  })
end

---@alias foretell.Chunk [string, string?] text, and how it looks

--- A text with its tabs as wide as they are in a buffer, from a column of the screen on.
local function expand(buf, text, column)
  if not text:find('\t', 1, true) then
    return text
  end
  local tabstop = vim.bo[buf].tabstop
  return (text:gsub('([^\t]*)(\t?)', function(before, tab)
    column = column + vim.fn.strdisplaywidth(before)
    local width = tab == '' and 0 or tabstop - column % tabstop
    column = column + width
    return before .. (' '):rep(width)
  end))
end

--- A line in as many as the window needs: Neovim cuts virtual lines off.
---@param chunks foretell.Chunk[]
---@return foretell.Chunk[][]
local function wrapped(chunks, width)
  local lines, line, used = {}, {}, 0
  for _, chunk in ipairs(chunks) do
    local rest = chunk[1]
    while used + vim.fn.strdisplaywidth(rest) > width do
      local fits, count = '', width - used
      repeat
        fits = vim.fn.strcharpart(rest, 0, count)
        count = count - 1
      until count < 0 or vim.fn.strdisplaywidth(fits) <= width - used
      if fits == '' and used == 0 then
        break
      end
      table.insert(line, { fits, chunk[2] })
      table.insert(lines, line)
      line, used = {}, 0
      rest = rest:sub(#fits + 1)
    end
    table.insert(line, { rest, chunk[2] })
    used = used + vim.fn.strdisplaywidth(rest)
  end
  table.insert(lines, line)
  return lines
end

--- How many cells of the current window are for text.
local function text_width()
  local info = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1]
  return math.max(info.width - info.textoff, 1)
end

--- Lines of chunks as the window shows them.
local function virtual_lines(buf, lines)
  local width = text_width()
  local shown = {}
  for _, chunks in ipairs(lines) do
    local column = 0
    for _, chunk in ipairs(chunks) do
      chunk[1] = expand(buf, chunk[1], column)
      column = column + vim.fn.strdisplaywidth(chunk[1])
    end
    vim.list_extend(shown, vim.wo.wrap and wrapped(chunks, width) or { chunks })
  end
  if #shown > MOST_LINES then
    shown = vim.list_slice(shown, 1, MOST_LINES)
    table.insert(shown, { { '…', 'ForetellLabel' } })
  end
  return shown
end

--- Draws what is left of a suggestion.
---@param buf integer
---@param stands foretell.Standing
function M.ghost(buf, stands)
  M.clear_ghost(buf)
  local row = stands.row
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
  -- The lines below, and the column from which the rest of the line moves there.
  local below, moved_from = nil, nil
  local reached = stands.col
  for _, piece in ipairs(stands.pieces) do
    if below ~= nil then
      table.insert(below[#below], { line:sub(reached + 1, piece.col) })
    end
    reached = piece.col
    for index, part in ipairs(vim.split(piece.text, '\n', { plain = true })) do
      if index > 1 then
        below, moved_from = below or {}, moved_from or piece.col
        table.insert(below, { { part, 'ForetellGhost' } })
      elseif below ~= nil then
        table.insert(below[#below], { part, 'ForetellGhost' })
      elseif part ~= '' then
        local column = vim.fn.virtcol({ row + 1, piece.col + 1 }) - 1
        vim.api.nvim_buf_set_extmark(buf, GHOST, row, piece.col, {
          virt_text = { { expand(buf, part, math.max(column, 0)), 'ForetellGhost' } },
          virt_text_pos = 'inline',
          priority = PRIORITY,
          hl_mode = 'replace',
        })
      end
    end
  end
  if below == nil then
    return
  end
  -- Text on several rows cannot be blanked out, and stays.
  local is_wrapped = M.room_behind(row) <= 0 or vim.fn.virtcol({ row + 1, '$' }) - 1 > text_width()
  local width = is_wrapped and 0 or vim.fn.strdisplaywidth(line:sub(moved_from + 1))
  if not is_wrapped then
    table.insert(below[#below], { line:sub(reached + 1) })
  end
  vim.api.nvim_buf_set_extmark(buf, GHOST, row, moved_from, {
    virt_text = width > 0 and { { (' '):rep(width) } } or nil,
    virt_text_pos = 'overlay',
    hl_mode = 'combine',
    virt_lines = virtual_lines(buf, below),
    priority = PRIORITY + 1,
  })
end

function M.clear_ghost(buf)
  clear(GHOST, buf)
end

--- Puts a text in the place of another, as a step of its own for undo, and the cursor behind it.
---@param from integer[]
---@param to integer[]
function M.replace(buf, from, to, text)
  vim.go.undolevels = vim.go.undolevels
  local lines = vim.split(text, '\n', { plain = true })
  vim.api.nvim_buf_set_text(buf, from[1], from[2], to[1], to[2], lines)
  local row = from[1] + #lines - 1
  local col = #lines[#lines] + (#lines == 1 and from[2] or 0)
  vim.api.nvim_win_set_cursor(0, { row + 1, col })
end

---@class foretell.Edit a next edit, where it is now
---@field id string
---@field buf integer
---@field from integer[]
---@field to integer[]
---@field old string
---@field new string
---@field cursor? lsp.Position where the cursor goes afterwards, in the text with the edit

--- Draws what comes at a place.
local function draw_new(buf, row, col, text)
  local lines = vim.split(text, '\n', { plain = true })
  local above, inline = {}, lines[1]
  if col == 0 and #lines > 1 and lines[#lines] == '' then
    -- Whole lines, in front of the one that is there.
    above, lines, inline = vim.list_slice(lines, 1, #lines - 1), {}, ''
  end
  local function as_added(it)
    return { { it, 'ForetellAdd' } }
  end
  if #above > 0 then
    vim.api.nvim_buf_set_extmark(buf, EDIT, row, 0, {
      virt_lines = virtual_lines(buf, vim.tbl_map(as_added, above)),
      virt_lines_above = true,
    })
  end
  if inline ~= '' then
    local column = vim.api.nvim_get_current_buf() == buf and vim.fn.virtcol({ row + 1, col + 1 }) - 1 or 0
    vim.api.nvim_buf_set_extmark(buf, EDIT, row, col, {
      virt_text = { { expand(buf, inline, math.max(column, 0)), 'ForetellAdd' } },
      virt_text_pos = 'inline',
      priority = PRIORITY,
    })
  end
  if #lines > 1 then
    local rest = vim.tbl_map(as_added, vim.list_slice(lines, 2))
    vim.api.nvim_buf_set_extmark(buf, EDIT, row, 0, { virt_lines = virtual_lines(buf, rest) })
  end
end

--- Draws a next edit.
---@param edit foretell.Edit
function M.edit(edit)
  local whole = compare.in_whole_words(edit)
  local row, col = whole.from[1], whole.from[2]
  for _, part in ipairs(compare.parts(whole.old, whole.new)) do
    local end_row, end_col = compare.after(row, col, part.text)
    if part.kind == 'comes' then
      draw_new(edit.buf, row, col, part.text)
    else
      if part.kind == 'goes' then
        vim.api.nvim_buf_set_extmark(edit.buf, EDIT, row, col, {
          end_row = end_row,
          end_col = end_col,
          hl_group = 'ForetellDelete',
          priority = PRIORITY,
        })
      end
      row, col = end_row, end_col
    end
  end
end

function M.clear_edit(buf)
  clear(EDIT, buf)
end

--- How many cells of the current window are free behind a line.
---@return integer
function M.room_behind(row)
  local width = text_width()
  local used = vim.fn.virtcol({ row + 1, '$' }) - 1
  return width - (vim.wo.wrap and used % width or used) - #GAP - 1
end

--- Puts words behind a line.
function M.label(buf, row, words)
  M.clear_label(buf)
  vim.api.nvim_buf_set_extmark(buf, LABEL, row, 0, {
    virt_text = { { GAP .. words, 'ForetellLabel' } },
    virt_text_pos = 'eol',
    priority = PRIORITY,
  })
end

function M.clear_label(buf)
  clear(LABEL, buf)
end

--- Describes an edit in a few words of the code itself.
---@param edit foretell.Edit
function M.in_short(edit)
  local whole = compare.in_whole_words(edit)
  local goes, comes
  for _, part in ipairs(compare.parts(whole.old, whole.new)) do
    if part.kind == 'goes' then
      goes = goes or part.text
    elseif part.kind == 'comes' then
      comes = comes or part.text
    end
  end
  local function short(it)
    local line = vim.trim(it):gsub('%s*\n%s*', ' ⏎ '):gsub('\t', ' ')
    local longest = LONGEST_LABEL / 2
    return vim.fn.strchars(line) <= longest and line or vim.fn.strcharpart(line, 0, longest) .. '…'
  end
  if goes == nil then
    return '+ ' .. short(comes or '')
  elseif comes == nil then
    return '- ' .. short(goes)
  end
  return short(goes) .. ' → ' .. short(comes)
end

return M
