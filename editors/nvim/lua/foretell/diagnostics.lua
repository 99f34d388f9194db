-- Diagnostics of the buffer the person is in, and the quick fixes that other servers have for it.
--
-- Diagnostics are told at once; fixes have to be asked for, which takes other servers a while, so they follow.
-- The server knows by the version whether they are still about its text.
--
-- Only the buffer one is in is told of: nothing is suggested elsewhere on account of a diagnostic. Fixes are
-- asked for near the cursor, and by one round of questions at a time: other servers do the work, and the person
-- types meanwhile.
local columns = require('foretell.columns')
local documents = require('foretell.documents')
local server = require('foretell.server')

local M = {}

--- How many diagnostics are told: the server takes no more.
local MOST = 500
--- How far from the cursor and for how many diagnostics fixes are asked for, the gravest first.
local LINES_AROUND = 20
local MOST_ASKED = 10
--- How many fixes of each are told.
local MOST_FIXES = 4

local METHOD = 'textDocument/codeAction'

--- How long other servers may think about fixes, in milliseconds: one may have ended, and never answers.
local PATIENCE_MS = 2000

--- Whether other servers think about fixes, and whether something new came up meanwhile.
local is_asking, is_stale = false, false
--- The last report: Neovim says that diagnostics changed more often than they do.
local last = nil

--- What led to the end of each diagnostic when it was found: Neovim keeps one for a while that is about an
--- older text.
---@type table<integer, table<string, string>>
local found_in = {}

local function name_of(it)
  return ('%d %d %d %d %s'):format(it.namespace or 0, it.lnum, it.end_lnum or -1, it.end_col or -1, it.message)
end

--- The line that a diagnostic ends in, as far as its end.
local function text_of(buf, it)
  local row, col = it.end_lnum or it.lnum, it.end_col or it.col
  return (vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''):sub(1, col)
end

--- Whether a diagnostic is about the text as it is.
local function is_of_now(buf, it)
  local before = found_in[buf] and found_in[buf][name_of(it)]
  return before == nil or before == text_of(buf, it)
end

--- The place of a diagnostic, as a server counts.
---@param counts 'utf-8'|'utf-16'
local function range_of(buf, it, counts)
  local end_row, end_col = it.end_lnum or it.lnum, it.end_col or it.col
  if counts == 'utf-8' then
    return {
      start = { line = it.lnum, character = it.col },
      ['end'] = { line = end_row, character = end_col },
    }
  end
  return { start = columns.position(buf, it.lnum, it.col), ['end'] = columns.position(buf, end_row, end_col) }
end

--- A diagnostic as the server said it that found it, as far as Neovim keeps that.
local function as_said(it)
  return it.user_data and it.user_data.lsp or {}
end

--- A diagnostic of Neovim's, as a server reads them.
---@param counts 'utf-8'|'utf-16'
local function as_told(buf, it, counts)
  return {
    range = range_of(buf, it, counts),
    severity = it.severity,
    message = it.message,
    source = it.source,
    code = type(it.code) == 'string' and it.code or type(it.code) == 'number' and it.code or nil,
    tags = as_said(it).tags,
  }
end

local function send(buf, diagnostics, fixes)
  local uri, version = documents.uri(buf), documents.version(buf)
  if uri ~= nil then
    server.notify('foretell/didChangeDiagnostics', {
      uri = uri,
      version = version,
      diagnostics = diagnostics,
      fixes = fixes,
    })
  end
end

--- Edits of a server that counts bytes, as ours counts.
local function recounted(buf, edits)
  return vim.tbl_map(function(edit)
    local function place(at)
      return columns.position(buf, at.line, at.character)
    end
    local range = { start = place(edit.range.start), ['end'] = place(edit.range['end']) }
    return { range = range, newText = edit.newText }
  end, edits)
end

--- Whether an action is a fix for a diagnostic, as far as it says.
local function is_for(action, diagnostic)
  local kind, all = action.kind, action.diagnostics
  if type(kind) == 'string' and kind:match('^quickfix') == nil then
    return false
  elseif type(all) ~= 'table' or #all == 0 then
    return true
  end
  return vim.iter(all):any(function(it)
    return it.message == diagnostic.message and vim.deep_equal(it.range, diagnostic.range)
  end)
end

--- The edits of a code action, if it changes this text only.
local function edits_of(action, uri)
  local edit = type(action.edit) == 'table' and action.edit or {}
  local found, others = nil, 0
  for address, edits in pairs(edit.changes or {}) do
    found, others = address == uri and edits or found, others + (address == uri and 0 or 1)
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    local is_here = change.textDocument ~= nil and change.textDocument.uri == uri
    found, others = is_here and change.edits or found, others + (is_here and 0 or 1)
  end
  return others == 0 and found or nil
end

--- Those servers that have fixes, besides ours.
local function fixers(buf)
  local ours = server.client()
  return vim.tbl_filter(function(it)
    local is_counted = it.offset_encoding == 'utf-8' or it.offset_encoding == columns.ENCODING
    return it ~= ours and is_counted and it.server_capabilities.codeActionProvider ~= nil
  end, vim.lsp.get_clients({ bufnr = buf }))
end

--- Gives an action with its edits, which some servers tell only of one that is asked for by itself.
---@param on_whole fun(action: table)
local function resolve(client, action, buf, on_whole)
  local provider = client.server_capabilities.codeActionProvider
  local can_resolve = type(provider) == 'table' and provider.resolveProvider
  if type(action.edit) == 'table' or not can_resolve then
    on_whole(action)
    return
  end
  local is_sent = server.call(client, 'request', 'codeAction/resolve', action, function(_, whole)
    on_whole(type(whole) == 'table' and whole or action)
  end, buf)
  if not is_sent then
    on_whole(action)
  end
end

--- Asks a server for the fixes of a diagnostic.
---@param on_found fun(fixes: table[])
local function fixes_of(client, buf, it, on_found)
  local uri, counts = documents.uri(buf), client.offset_encoding
  local told = as_told(buf, it, columns.ENCODING)
  local diagnostic = as_told(buf, it, counts)
  -- Only the server that found it understands this.
  diagnostic.data, diagnostic.codeDescription = as_said(it).data, as_said(it).codeDescription
  local params = {
    textDocument = { uri = uri },
    range = diagnostic.range,
    context = { diagnostics = { diagnostic }, only = { 'quickfix' }, triggerKind = 2 },
  }
  local is_sent = server.call(client, 'request', METHOD, params, function(_, actions)
    local its = vim.tbl_filter(function(action)
      return is_for(action, diagnostic)
    end, type(actions) == 'table' and actions or {})
    local first = vim.list_slice(its, 1, MOST_FIXES)
    local fixes, waiting = {}, #first
    if waiting == 0 then
      on_found(fixes)
    end
    for _, action in ipairs(first) do
      resolve(client, action, buf, function(whole)
        -- One that only runs a command is no fix that could be shown; one of several files is a choice.
        if type(whole.edit) == 'table' then
          local edits = edits_of(whole, uri) or {}
          table.insert(fixes, {
            diagnostic = told,
            title = whole.title,
            isPreferred = whole.isPreferred == true,
            edits = counts == 'utf-8' and recounted(buf, edits) or edits,
          })
        end
        waiting = waiting - 1
        if waiting == 0 then
          on_found(fixes)
        end
      end)
    end
  end, buf)
  if not is_sent then
    on_found({})
  end
end

--- Those of a buffer, as Neovim has them and as they are told.
local function of(buf)
  local all = vim.tbl_filter(function(it)
    return is_of_now(buf, it)
  end, vim.list_slice(vim.diagnostic.get(buf), 1, MOST))
  return all, vim.tbl_map(function(it)
    return as_told(buf, it, columns.ENCODING)
  end, all)
end

--- Asks for the fixes of those near the cursor, and tells them.
local function tell_fixes(buf, all, told)
  local row = columns.cursor()
  local near = vim.tbl_filter(function(it)
    return math.abs(it.lnum - row) <= LINES_AROUND
  end, all)
  local clients = fixers(buf)
  if #near == 0 or #clients == 0 then
    return
  end
  table.sort(near, function(one, other)
    return (one.severity or 4) < (other.severity or 4)
  end)
  local changes = documents.changes(buf)
  local count = math.min(#near, MOST_ASKED)
  local fixes, waiting, is_over = {}, count * #clients, false
  local function finish()
    if is_over then
      return
    end
    is_over, is_asking = true, false
    if is_stale then
      is_stale = false
      -- They were reported when they came up, but without fixes.
      local now = vim.api.nvim_get_current_buf()
      if documents.uri(now) ~= nil then
        tell_fixes(now, of(now))
      end
    elseif #fixes > 0 and documents.changes(buf) == changes then
      send(buf, told, fixes)
    end
  end
  is_asking = true
  vim.defer_fn(finish, PATIENCE_MS)
  for index = 1, count do
    for _, client in ipairs(clients) do
      fixes_of(client, buf, near[index], function(found)
        vim.list_extend(fixes, found)
        waiting = waiting - 1
        if waiting == 0 then
          finish()
        end
      end)
    end
  end
end

--- Another server says these of a buffer, and means the text as it is.
---@param found table[]
function M.heard(buf, found)
  local known = {}
  for _, it in ipairs(vim.diagnostic.get(buf)) do
    local name = name_of(it)
    known[name] = found_in[buf] and found_in[buf][name] or text_of(buf, it)
  end
  for _, it in ipairs(found) do
    known[name_of(it)] = text_of(buf, it)
  end
  found_in[buf] = known
end

--- Forgets a buffer that is gone.
function M.forget(buf)
  found_in[buf] = nil
end

--- Tells those of the buffer that the person is in.
function M.tell()
  local buf = vim.api.nvim_get_current_buf()
  local uri = documents.uri(buf)
  if uri == nil then
    return
  end
  local all, told = of(buf)
  local now = { server.count(), uri, documents.version(buf), told }
  if vim.deep_equal(now, last) then
    return
  end
  local had_none = last == nil or #last[4] == 0 or last[2] ~= uri
  last = now
  -- A text of which nothing was said needs not be told so.
  if #told == 0 and had_none then
    return
  end
  send(buf, told, {})
  if is_asking then
    is_stale = true
  else
    tell_fixes(buf, all, told)
  end
end

return M
