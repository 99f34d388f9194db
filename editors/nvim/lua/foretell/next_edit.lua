-- Next edits: what to change next, here or elsewhere. The key goes there, and again does it. They are shown in insert
-- mode, and in normal mode unless the person wants none there: leaving insert mode leaves them.
--
-- A change of the text puts what is drawn in doubt until the server has answered for the new text: it stays
-- where it is for a moment, since the answer mostly comes at once, but the key leaves it alone. How long that
-- takes is only a matter of drawing: what became of it is told when an answer or the person has settled it.
--
-- Tab is the person's. It is ours only while the label at the cursor says so, which is never in leading
-- white space, where Tab indents, unless it was Tab that brought the cursor there; nor in a snippet that Tab
-- goes through.
local asking = require('foretell.asking')
local columns = require('foretell.columns')
local documents = require('foretell.documents')
local drawing = require('foretell.drawing')
local item = require('foretell.next_edit.item')
local keys = require('foretell.keys')
local label = require('foretell.next_edit.label')
local rejections = require('foretell.rejections')
local server = require('foretell.server')

local M = {}

local PLACES = vim.api.nvim_create_namespace('foretell.next_edit.places')

--- How long what is drawn may be in doubt before it is hidden, in milliseconds.
local IN_DOUBT_MS = 120

--- How long the key is not the person's yet after the last one was accepted, in milliseconds: hands are faster than
--- eyes. It counts from when it is known that there are no more, which is not waited for longer than that.
local NO_MORE_MS = 1000
local LONGEST_WAIT_MS = 3000

--- What the key does: nothing right after the last one was accepted.
---@alias foretell.KeyDoes 'jump'|'accept'|'nothing'|'indent'

---@type foretell.Edit?
local edit = nil
--- The extmark that keeps its place.
local mark = nil
--- Whether the server has said so of the text as it is.
local is_certain = false
--- Where the key has brought the cursor.
local brought_to = nil
local doubt = nil
--- The moment in which one was accepted, until something else happens.
---@type { buf: integer, changes: integer, row: integer, col: integer, is_answered: boolean }?
local accepted = nil
--- The drawing: an edit is drawn once, the label with the cursor.
local drawn = nil
local labelled = nil

--- Whether ghost text is at the cursor, to which the key belongs then.
M.has_ghost_text = function()
  return false
end
--- Told when what the keys do may be another thing.
M.on_change = function() end

local function tell(what, it)
  server.notify('foretell/' .. what, { id = it.id })
end

--- Brings the place up to date. False if it is gone.
local function locate()
  if edit == nil or not vim.api.nvim_buf_is_valid(edit.buf) then
    return false
  end
  local at = vim.api.nvim_buf_get_extmark_by_id(edit.buf, PLACES, mark, { details = true })
  if at[1] == nil then
    return false
  end
  edit.from = { at[1], at[2] }
  edit.to = { at[3].end_row or at[1], at[3].end_col or at[2] }
  return true
end

local function is_brought()
  if brought_to == nil or brought_to.buf ~= vim.api.nvim_get_current_buf() then
    return false
  end
  local row, col = columns.cursor()
  return brought_to.at[1] == row and brought_to.at[2] == col
end

--- Whether the cursor is on a line that the edit touches.
local function is_here()
  local row = columns.cursor()
  return edit ~= nil
    and edit.buf == vim.api.nvim_get_current_buf()
    and edit.from[1] <= row
    and row <= math.max(edit.to[1], edit.from[1])
end

local function is_in_indent()
  local _, col = columns.cursor()
  return vim.api.nvim_get_current_line():sub(1, col):match('^%s*$') ~= nil
end

--- Whether one was accepted a moment ago, and nothing has happened since.
local function has_just_accepted()
  local buf = vim.api.nvim_get_current_buf()
  if accepted == nil or accepted.buf ~= buf or accepted.changes ~= documents.changes(buf) then
    return false
  end
  local row, col = columns.cursor()
  return accepted.row == row and accepted.col == col
end

--- The meaning of the key.
---@return foretell.KeyDoes
function M.key_does()
  if keys.is_for_popup() then
    return 'indent'
  elseif (edit == nil or not is_certain) and has_just_accepted() and not M.has_ghost_text() then
    return 'nothing'
  elseif edit == nil or not is_certain or not asking.shows_edits() or M.has_ghost_text() then
    return 'indent'
  elseif not asking.is_open(vim.api.nvim_get_current_buf()) then
    return 'indent'
  elseif asking.is_inserting() and (keys.is_for_snippet() or (not is_brought() and is_in_indent())) then
    return 'indent'
  end
  return is_here() and 'accept' or 'jump'
end

local function erase()
  if drawn ~= nil then
    drawing.clear_edit(drawn.buf)
    drawn = nil
  end
  if labelled ~= nil then
    drawing.clear_label(labelled.buf)
    labelled = nil
  end
end

--- Draws what there is, for the cursor as it is.
function M.draw()
  local buf = vim.api.nvim_get_current_buf()
  if not is_brought() then
    brought_to = nil
  end
  local is_hidden = edit == nil
    or not locate()
    or not asking.shows_edits()
    or not asking.is_open(buf)
    or (M.has_ghost_text() and is_here())
  if is_hidden then
    erase()
    if edit == nil and M.key_does() == 'nothing' and accepted.is_answered then
      local row = columns.cursor()
      local words, at = label.no_more(row)
      if words ~= nil then
        drawing.label(buf, at, words)
        labelled = { buf = buf, row = row, words = words }
      end
    end
  elseif is_certain then
    -- An edit in doubt stays for a moment: a label that comes and goes with every key flickers.
    if drawn ~= edit then
      erase()
      drawing.edit(edit)
      drawn = edit
    end
    local row = columns.cursor()
    local words, at = nil, nil
    if not M.has_ghost_text() then
      words, at = label.words(edit, M.key_does())
    end
    local is_same = labelled ~= nil and labelled.buf == buf and labelled.row == row and labelled.words == words
    if not is_same then
      if labelled ~= nil then
        drawing.clear_label(labelled.buf)
      end
      labelled = nil
      if words ~= nil then
        drawing.label(buf, at, words)
        labelled = { buf = buf, row = row, words = words }
      end
    end
  end
  M.on_change()
end

local function forget()
  if doubt ~= nil then
    doubt:stop()
    if not doubt:is_closing() then
      doubt:close()
    end
    doubt = nil
  end
  if edit ~= nil and vim.api.nvim_buf_is_valid(edit.buf) then
    vim.api.nvim_buf_clear_namespace(edit.buf, PLACES, 0, -1)
  end
  edit = nil
  is_certain = false
end

--- Takes away what is drawn.
local function clear()
  forget()
  M.draw()
end

--- Gives the key back a while after one was accepted, unless another was accepted since.
local function end_accepted_in(millis)
  local mine = accepted
  vim.defer_fn(function()
    if accepted == mine then
      accepted = nil
      M.draw()
    end
  end, millis)
end

--- Shows what the server has answered, or nothing.
---@param edits table[]
function M.answered(_, edits)
  local before = edit
  local is_there = locate()
  local found = edits[1] and item.placed(edits[1])
  if found ~= nil and not asking.is_open(found.buf) then
    found = nil
  end
  local is_same = before ~= nil
    and is_there
    and found ~= nil
    and before.buf == found.buf
    and before.new == found.new
    and before.from[1] == found.from[1]
    and before.from[2] == found.from[2]
  if before ~= nil and not is_same then
    tell('didIgnore', before)
    brought_to = nil
  end
  forget()
  if found == nil then
    if accepted ~= nil and not accepted.is_answered then
      accepted.is_answered = true
      end_accepted_in(NO_MORE_MS)
    end
    M.draw()
    return
  end
  edit, is_certain = found, true
  mark = vim.api.nvim_buf_set_extmark(found.buf, PLACES, found.from[1], found.from[2], {
    end_row = found.to[1],
    end_col = found.to[2],
  })
  if before == nil or before.id ~= found.id then
    tell('didShow', found)
  end
  M.draw()
end

--- The text has changed: what is drawn is left to the server's next answer, and hidden if that takes long.
function M.doubt()
  brought_to = nil
  if edit == nil or not is_certain then
    return
  end
  is_certain = false
  doubt = vim.defer_fn(function()
    doubt = nil
    erase()
    M.on_change()
  end, IN_DOUBT_MS)
  M.draw()
end

--- Shows a buffer where the person is, or beside it if that window must keep what it has.
---@return boolean
local function show(buf)
  local shown = vim.fn.win_findbuf(buf)
  local here = vim.tbl_filter(function(it)
    return vim.api.nvim_win_get_tabpage(it) == vim.api.nvim_get_current_tabpage()
  end, shown)
  local window = here[1] or shown[1]
  if window ~= nil then
    vim.api.nvim_set_current_win(window)
    return true
  end
  return pcall(vim.api.nvim_win_set_buf, 0, buf) or pcall(vim.cmd.sbuffer, buf)
end

---@return boolean
local function jump()
  local target = edit
  -- So that <C-o> goes back to the line; `normal! m'` would leave insert mode for a moment.
  vim.cmd("mark '")
  if target.buf ~= vim.api.nvim_get_current_buf() and not show(target.buf) then
    return false
  end
  vim.api.nvim_win_set_cursor(0, { target.from[1] + 1, target.from[2] })
  vim.cmd('silent! foldopen!')
  local row, col = columns.cursor()
  brought_to = { buf = target.buf, at = { row, col } }
  M.draw()
  return true
end

--- Puts the cursor where the model wants it, in the text with the edit.
---@param position lsp.Position
local function put_cursor(buf, position)
  local row, col = columns.place(buf, position)
  if row ~= nil and row < vim.api.nvim_buf_line_count(buf) then
    vim.api.nvim_win_set_cursor(0, { row + 1, col })
  end
end

local function accept()
  local taken = edit
  forget()
  erase()
  drawing.replace(taken.buf, taken.from, taken.to, taken.new)
  if taken.cursor ~= nil then
    put_cursor(taken.buf, taken.cursor)
  end
  -- The server hears of the change first.
  documents.version(taken.buf)
  tell('didAccept', taken)
  local row, col = columns.cursor()
  local changes = documents.changes(taken.buf)
  accepted = { buf = taken.buf, changes = changes, row = row, col = col, is_answered = false }
  end_accepted_in(LONGEST_WAIT_MS)
  M.on_change()
end

--- Does what the key does. A person who asks for it by name means it, wherever the cursor is.
---@param by 'key'|'person'
---@return boolean
function M.take(by)
  local does = M.key_does()
  if by == 'key' and does == 'indent' then
    return false
  elseif by == 'key' and does == 'nothing' then
    return true
  end
  if edit == nil or not is_certain or not locate() then
    return false
  end
  if columns.text(edit.buf, edit.from[1], edit.from[2], edit.to[1], edit.to[2]) ~= edit.old then
    return false
  end
  if not is_here() then
    return jump()
  end
  accept()
  return true
end

--- Rejects it, for good. False if none is shown, or it is in doubt: then it is not what the person sees.
---@return boolean
function M.reject()
  local before, was_shown = edit, M.is_shown()
  -- An answer that is on its way may be the very same.
  asking.drop()
  clear()
  if before ~= nil then
    tell(was_shown and 'didReject' or 'didIgnore', before)
  end
  if was_shown then
    rejections.refresh()
  end
  return was_shown
end

--- It is gone, neither accepted nor rejected.
function M.ignore()
  local before = edit
  clear()
  if before ~= nil then
    tell('didIgnore', before)
  end
end

--- The server has come up, or is gone, with the names it gave.
function M.server_changed(life)
  if life ~= 'running' then
    clear()
  end
end

--- Whether one is drawn, and of the text as it is.
function M.is_shown()
  return drawn ~= nil and is_certain
end

return M
