-- The two questions: what goes on here (ghost text), and what comes next (next edits). Both are asked after
-- each change, when insert mode begins, and whenever the server wants to be asked. In normal mode only the
-- second is, also when insert mode ends.
--
-- An answer counts only if nothing has happened since: no change of the text, no newer question, no
-- rejection, no pause, no other server. That is the one door at which late answers are turned away, also those to
-- what Neovim asks by itself.
--
-- Absent on purpose: any waiting, and any opinion of whether to ask. The server decides what a question is
-- worth.
local columns = require('foretell.columns')
local config = require('foretell.config')
local documents = require('foretell.documents')
local pause = require('foretell.pause')
local server = require('foretell.server')

local M = {}

--- Counts questions: the next one makes an answer to the one before pointless.
local asked = 0
--- Counts what makes any answer that is under way pointless.
local dropped = 0
--- The last request, until it is answered.
local waiting = nil

--- Told of the answers: the suggestion's items, and the edits.
---@type fun(buf: integer, items: table[], kind: integer)
M.on_items = function() end
---@type fun(buf: integer, edits: table[])
M.on_edits = function() end
--- Whether Neovim asks for ghost text by itself.
---@type fun(kind: integer, cause: string): boolean
M.is_asked_elsewhere = function()
  return false
end

--- Whether the person is where suggestions can be shown.
function M.is_inserting()
  return vim.api.nvim_get_mode().mode:match('^i') ~= nil
end

--- Whether the person is where next edits can be shown: in insert mode, and in normal mode unless they want none
--- there. Not in a macro: who records one would record the key, and a replayed one shows nothing.
function M.shows_edits()
  if M.is_inserting() then
    return true
  end
  local is_normal = vim.api.nvim_get_mode().mode:match('^n') ~= nil
  local is_macro = vim.fn.reg_executing() ~= '' or vim.fn.reg_recording() ~= ''
  return is_normal and config.get().normal_mode and not is_macro
end

--- Whether the server may be asked about a buffer.
function M.is_open(buf)
  return documents.is_followed(buf) and documents.uri(buf) ~= nil and pause.reason(buf) == nil
end

--- Whether the server is to be asked about a buffer now. Not in a macro: the person does not
--- see what one types, and a recorded one would hold the key instead of the suggestion.
function M.may_ask(buf)
  local is_macro = vim.fn.reg_executing() ~= '' or vim.fn.reg_recording() ~= ''
  return not is_macro and M.is_open(buf)
end

--- Turns away what is under way.
function M.drop()
  dropped = dropped + 1
  waiting = nil
end

---@class foretell.Moment when something was asked
---@field buf integer
---@field changes integer
---@field dropped integer

--- The moment of a question about a buffer.
---@return foretell.Moment
function M.now(buf)
  return { buf = buf, changes = documents.changes(buf), dropped = dropped }
end

--- Whether nothing has happened since then.
---@param at foretell.Moment
local function is_of_now(at)
  return at.dropped == dropped
    and at.changes == documents.changes(at.buf)
    and at.buf == vim.api.nvim_get_current_buf()
    and M.is_open(at.buf)
end

--- Whether ghost text that was asked for then still counts.
---@param at foretell.Moment
function M.is_in_time(at)
  return is_of_now(at) and M.is_inserting()
end

--- Asks both, about the place of the cursor.
---@param kind integer 1: the person wants it; 2: the editor does
---@param cause 'change'|'trigger'|'person'
function M.ask(kind, cause)
  local buf = vim.api.nvim_get_current_buf()
  local changes = documents.changes(buf)
  local row, col = columns.cursor()
  local question = { buf, changes, row, col }
  -- A new line in insert mode is both a change and the beginning of insert mode.
  if cause == 'change' and vim.deep_equal(question, waiting) then
    return
  end
  asked = asked + 1
  waiting = nil
  if not M.shows_edits() or not M.may_ask(buf) then
    return
  end
  local mine, at = asked, M.now(buf)
  waiting = question
  local uri = documents.uri(buf)
  local position = columns.position(buf, row, col)
  local textDocument = { uri = uri, version = documents.version(buf) }
  local params = { textDocument = textDocument, position = position, context = { triggerKind = kind } }

  if M.is_inserting() and not M.is_asked_elsewhere(kind, cause) then
    server.request('textDocument/inlineCompletion', params, function(answer)
      if answer ~= nil and mine == asked and M.is_in_time(at) then
        M.on_items(buf, answer.items or answer, kind)
      end
    end, buf)
  end
  server.request('textDocument/copilotInlineEdit', params, function(answer)
    waiting = mine ~= asked and waiting or nil
    if answer ~= nil and mine == asked and is_of_now(at) and M.shows_edits() then
      M.on_edits(buf, answer.edits or {})
    end
  end, buf)
end

--- Asks because the server wants it, if it means the text and the place that are there.
---@param params { textDocument: { uri: string, version: integer } }
function M.obey(params)
  local buf = vim.api.nvim_get_current_buf()
  local textDocument = params.textDocument
  if documents.uri(buf) == textDocument.uri and documents.version(buf) == textDocument.version then
    M.ask(2, 'trigger')
  end
end

return M
