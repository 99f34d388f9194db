-- Wires Neovim's events to the modules that handle them, in order. It decides nothing.
local asking = require('foretell.asking')
local diagnostics = require('foretell.diagnostics')
local documents = require('foretell.documents')
local drawing = require('foretell.drawing')
local following = require('foretell.following')
local frames = require('foretell.frames')
local ghost = require('foretell.ghost')
local keys = require('foretell.keys')
local leaving = require('foretell.leaving')
local next_edit = require('foretell.next_edit')
local pause = require('foretell.pause')
local rejections = require('foretell.rejections')
local server = require('foretell.server')
local status = require('foretell.status')
local workspaces = require('foretell.workspaces')

local M = {}

--- Has the keys do what can be done with what is shown.
local function map_keys()
  local buf = vim.api.nvim_get_current_buf()
  local has_ghost = ghost.is_shown()
  local does = next_edit.key_does()
  if not has_ghost and not next_edit.is_shown() and does ~= 'nothing' then
    keys.hide()
    return
  end
  if not asking.is_inserting() then
    keys.show(buf, { normal_accept = does ~= 'indent' })
    return
  end
  keys.show(buf, {
    accept = (has_ghost or does ~= 'indent') and not keys.is_for_snippet(),
    accept_word = has_ghost,
    accept_line = has_ghost,
    reject = has_ghost or next_edit.is_shown(),
  })
end

--- The reports that wait for the next frame.
local due = nil

--- Tells the server what happened, and asks it, but not before the person sees what they typed.
---@param has_changed boolean
local function tell_later(has_changed)
  if due ~= nil then
    due.has_changed = due.has_changed or has_changed
    return
  end
  due = { has_changed = has_changed }
  vim.schedule(function()
    local now = due
    due = nil
    following.select()
    if now.has_changed then
      asking.ask(2, 'change')
      -- A rejection belongs to a text: what is given back to the next server has to fit this one.
      rejections.follow()
    end
  end)
end

local function text_changed()
  if not documents.has_changed(vim.api.nvim_get_current_buf()) then
    return
  end
  ghost.follow()
  next_edit.doubt()
  tell_later(true)
end

local function cursor_moved()
  -- It moves with what is typed: that is told as a change.
  if documents.is_changing(vim.api.nvim_get_current_buf()) then
    return
  end
  ghost.follow()
  next_edit.draw()
  tell_later(false)
end

--- Ghost text is over, and what comes next may be shown in normal mode.
---@param was_escape boolean
local function insert_left(was_escape)
  asking.drop()
  local tells = {}
  table.insert(tells, ghost.leave())
  keys.hide()
  leaving.begin(tells, was_escape)
  -- Only afterwards is the mode another one.
  vim.schedule(function()
    if asking.is_inserting() then
      return
    end
    if not asking.shows_edits() then
      next_edit.ignore()
      return
    end
    next_edit.draw()
    following.select()
    asking.ask(2, 'change')
  end)
end

--- Whether the end of insert mode was told, until the next mode is there.
local is_leaving = false

--- Whether a buffer is one of the person's: others are loaded by plugins, to look something up.
local function is_listed(buf)
  return vim.api.nvim_buf_is_valid(buf) and vim.bo[buf].buflisted
end

local function entered()
  documents.consider(vim.api.nvim_get_current_buf())
  following.look()
  diagnostics.tell()
  next_edit.draw()
  status.changed()
end

local function paused_or_not()
  if pause.reason(vim.api.nvim_get_current_buf()) ~= nil then
    asking.drop()
    ghost.ignore()
    next_edit.ignore()
  end
  following.look()
  status.changed()
end

local function server_changed(life)
  asking.drop()
  ghost.server_changed(life, server.client())
  next_edit.server_changed(life)
  rejections.server_changed(life)
  status.server_changed()
  if life == 'running' then
    -- Neovim attaches what it was started with by itself, a moment later.
    vim.schedule(function()
      documents.attach_all()
      following.look()
      diagnostics.tell()
      -- If the plugin is loaded late, the person may be typing already.
      if server.count() == 1 then
        asking.ask(2, 'trigger')
      end
    end)
  end
end

--- A text is about to be opened: the server hears first where it belongs, and what was rejected there.
local function follow(uri)
  local workspace = workspaces.of(uri)
  if workspace ~= nil then
    server.add_folder(workspace)
  end
  rejections.meet(uri)
end

local function wire_up()
  asking.on_items = ghost.answered
  asking.on_edits = next_edit.answered
  asking.is_asked_elsewhere = ghost.asks
  next_edit.has_ghost_text = ghost.is_shown
  next_edit.on_change = map_keys
  ghost.on_change(next_edit.draw)
  ghost.on_unknown(function()
    ghost.leave_native(server.client())
  end)
  pause.on_change = paused_or_not
  keys.on_typed = leaving.finish
  documents.on_follow = follow
  server.on_need = documents.any
  server.on_attach = ghost.attached
  server.on_request = ghost.on_request
  server.on_answer = ghost.on_answer
  server.listeners = { server_changed }
  server.heard = {
    ['foretell/trigger'] = asking.obey,
    ['foretell/resync'] = function(params)
      following.resync(params.uri)
    end,
    ['foretell/didChangeStatus'] = status.said,
  }
end

--- Neovim is about to end: nothing that was said by the last keys is lost.
local function finish()
  leaving.finish()
  following.select()
  rejections.finish()
end

--- Begins to listen, and looks at what is open already.
function M.listen()
  wire_up()
  drawing.highlights()
  keys.listen()
  frames.listen()
  local group = vim.api.nvim_create_augroup('foretell', {})
  local function on(events, run, pattern)
    vim.api.nvim_create_autocmd(events, { group = group, pattern = pattern, callback = run })
  end
  on('ColorScheme', drawing.highlights)
  on({ 'BufEnter', 'BufWinEnter', 'FileType', 'BufFilePost', 'BufWritePost' }, function(event)
    -- A file type is set while a file is read, and what comes is looked at when all of it is there.
    vim.schedule(function()
      if event.buf == vim.api.nvim_get_current_buf() then
        entered()
      elseif is_listed(event.buf) then
        -- It was left at once, as when a session is restored.
        documents.consider(event.buf)
      end
    end)
  end)
  on('OptionSet', function()
    vim.schedule(entered)
  end, { 'modifiable', 'binary', 'buftype' })
  on('BufWritePre', function(event)
    documents.save(event.buf, true)
  end)
  on('BufWritePost', function(event)
    documents.save(event.buf, false)
  end)
  on('BufWipeout', function(event)
    documents.forget(event.buf)
    diagnostics.forget(event.buf)
  end)
  on({ 'TextChangedI', 'TextChangedP', 'TextChanged' }, text_changed)
  on({ 'CursorMovedI', 'CursorMoved' }, cursor_moved)
  on('InsertEnter', function()
    leaving.undo()
    -- Only afterwards is the mode another one.
    vim.schedule(function()
      next_edit.draw()
      following.select()
      asking.ask(2, 'change')
    end)
  end)
  on('InsertLeave', function()
    -- Of the end of replace mode nothing is told below.
    is_leaving = vim.v.insertmode == 'i'
    insert_left(keys.was_escape())
  end)
  on('ModeChanged', function()
    local was_escape = keys.was_escape()
    -- <C-c> is not told otherwise, and `:normal` is over by then.
    vim.schedule(function()
      if not asking.is_inserting() and not is_leaving then
        insert_left(was_escape)
      end
      is_leaving = false
    end)
  end, 'i*:[^i]*')
  on('ModeChanged', function()
    -- What is selected, or typed below, is not to be drawn into.
    vim.schedule(next_edit.draw)
  end, { 'n*:[vVcrR\22]*', '[vVcrR\22]*:n*' })
  on({ 'BufLeave', 'WinLeave' }, function()
    ghost.ignore()
    keys.hide()
  end)
  on({ 'CompleteChanged', 'CompleteDone' }, function()
    -- The menu is not there yet, or still is.
    vim.schedule(next_edit.draw)
  end)
  on('LspAttach', function()
    ghost.look_for_rivals(server.client())
  end)
  on('LspDetach', function(event)
    local gone, ours = vim.lsp.get_client_by_id(event.data.client_id), server.client()
    -- An older server may end when the next one is there already.
    local is_replaced = ours ~= nil and ours ~= gone and vim.lsp.buf_is_attached(event.buf, ours.id)
    if gone ~= nil and gone.name == 'foretell' and not is_replaced then
      ghost.detached(event.buf)
    end
  end)
  on('BufFilePre', function(event)
    -- To the server it is another one by its new name.
    documents.forget(event.buf)
  end)
  on('DiagnosticChanged', function(event)
    diagnostics.heard(event.buf, event.data and event.data.diagnostics or {})
    if event.buf == vim.api.nvim_get_current_buf() then
      diagnostics.tell()
    end
  end)
  on('VimResized', next_edit.draw)
  -- When Neovim leaves, it ends all servers, ours too, and that may be before we are told. Rejections by the
  -- last keys have to be read first.
  on('ExitPre', finish)
  on('VimLeavePre', function()
    finish()
    server.stop()
  end)
  entered()
  for _, buf in ipairs(vim.tbl_filter(is_listed, vim.api.nvim_list_bufs())) do
    documents.consider(buf)
  end
end

return M
