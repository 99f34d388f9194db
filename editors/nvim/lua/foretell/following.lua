-- Tells the server about the person besides the text: which document has the focus, and where the cursor is.
-- Facts only, each as it happens.
--
-- Pending changes of the text are sent first.
local columns = require('foretell.columns')
local documents = require('foretell.documents')
local pause = require('foretell.pause')
local server = require('foretell.server')

local M = {}

--- Where the cursor was said to be.
local told = nil
--- The documents that were said to be paused.
local paused = {}

local function selection(buf)
  local mode = vim.api.nvim_get_mode().mode
  local row, col = columns.cursor()
  local from, to = { row, col }, { row, col }
  if mode:match('^[vV\22]') then
    local anchor = vim.fn.getpos('v')
    local other = { anchor[2] - 1, anchor[3] - 1 }
    local is_behind = other[1] > row or (other[1] == row and other[2] > col)
    from, to = is_behind and from or other, is_behind and other or to
    local last = vim.api.nvim_buf_get_lines(buf, to[1], to[1] + 1, false)[1] or ''
    if mode:match('^V') then
      from, to = { from[1], 0 }, { to[1], #last }
    elseif vim.o.selection ~= 'exclusive' then
      -- The character under it is selected, too.
      to = { to[1], to[2] + #vim.fn.strcharpart(last:sub(to[2] + 1), 0, 1) }
    end
  end
  return {
    start = columns.position(buf, from[1], from[2]),
    ['end'] = columns.position(buf, to[1], to[2]),
  }
end

--- Says where the cursor is, unless that was said.
function M.select()
  local buf = vim.api.nvim_get_current_buf()
  local uri = documents.uri(buf)
  if uri == nil then
    return
  end
  local version = documents.version(buf)
  local range = selection(buf)
  local now = { uri, version, range }
  if vim.deep_equal(now, told) then
    return
  end
  told = now
  local textDocument = { uri = uri, version = version }
  server.notify('foretell/didChangeSelection', { textDocument = textDocument, selections = { range } })
end

--- Says whether a document is paused: a model on this machine would read it ahead of time.
local function tell_pause(buf, uri)
  local is_paused = pause.reason(buf) ~= nil
  if is_paused or paused[uri] then
    paused[uri] = is_paused or nil
    server.notify('foretell/didPause', { textDocument = { uri = uri }, paused = is_paused })
  end
end

--- Says what the person looks at, and where the cursor is there.
function M.look()
  local buf = vim.api.nvim_get_current_buf()
  local uri = documents.uri(buf)
  if uri == nil then
    return
  end
  tell_pause(buf, uri)
  server.notify('foretell/didFocus', { textDocument = { uri = uri } })
  told = nil
  M.select()
end

--- Sends the whole text of a document again.
function M.resync(uri)
  local buf = documents.buf(uri)
  if buf ~= nil and documents.version(buf) ~= nil then
    documents.tell_whole(buf)
  end
end

return M
