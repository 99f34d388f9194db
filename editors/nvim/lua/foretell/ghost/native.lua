-- Ghost text that Neovim draws, from 0.12 on: `vim.lsp.inline_completion`.
--
-- Neovim asks by itself, 200 ms after the cursor moved, and draws the answer. This file adds what is
-- missing, by its public functions and by two names of its own (where it draws, and what has it ask); if they are
-- not there when it asks for the first time, it is left alone:
--
-- - It draws an answer whatever has happened since, and a suggestion whatever is typed meanwhile. Late
--   answers, and those that cannot be drawn, do not get there; ghost text that no longer fits is erased in the
--   same frame.
-- - It can accept a suggestion, but not reject one, nor accept a part; and it accepts it where it was, not where
--   it is now. So accepting is done here, and the rest is drawn here until Neovim has asked again.
-- - It does not know that the server wants to be asked.
--
-- It is switched on by buffer, for all servers that are attached there: there is no other way. Where it is
-- switched on here, it is switched off here.
local asking = require('foretell.asking')
local documents = require('foretell.documents')
local drawing = require('foretell.drawing')
local item = require('foretell.ghost.item')
local shown = require('foretell.ghost.shown')
local wire = require('foretell.wire')

local M = {}

local METHOD = 'textDocument/inlineCompletion'
--- Where Neovim draws it.
local NAMESPACE = 'nvim.lsp.inline_completion'

--- Told when something comes or goes.
M.on_change = function() end

--- Told when Neovim's own is another one than is known here.
M.on_unknown = function() end

--- The buffers in which it was switched on here.
---@type table<integer, true>
local switched_on = {}
--- Whether it is known to be as it is known here.
local is_known = false
--- Whether the next question is the person's.
local is_wanted = false
--- Whether what is left of a suggestion is drawn here.
local is_ours = false
--- The buffer of which Neovim is about to forget what it shows.
local forgetting = nil

--- The autocommands by which Neovim asks when the cursor moves.
local function group_of(buf)
  return ('%s:%d'):format(NAMESPACE, buf)
end

--- Looks whether it draws and asks by the names that are used here.
local function look(buf)
  local found, asks = pcall(vim.api.nvim_get_autocmds, { group = group_of(buf), event = 'CursorMovedI' })
  return found and #asks > 0 and vim.api.nvim_get_namespaces()[NAMESPACE] ~= nil
end

--- Has Neovim ask, as if the cursor had moved.
local function nudge(buf)
  if asking.is_inserting() then
    local options = { group = group_of(buf), buffer = buf, modeline = false }
    pcall(vim.api.nvim_exec_autocmds, 'CursorMovedI', options)
  end
end

local function erase_native(buf)
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_clear_namespace(buf, vim.api.nvim_create_namespace(NAMESPACE), 0, -1)
  end
end

--- Erases what is drawn, now: what Neovim does about it, it does after the next frame.
local function erase(buf)
  drawing.clear_ghost(buf)
  erase_native(buf)
end

--- Has Neovim forget what it shows, as if that had been taken, and does something else then.
---@param run fun()?
local function forget(buf, run)
  forgetting = buf
  local function done()
    forgetting = nil
    if run ~= nil then
      run()
    end
  end
  if not vim.lsp.inline_completion.get({ bufnr = buf, on_accept = done }) then
    vim.schedule(done)
  end
end

--- Erases what Neovim shows, and has it forget that.
---@param run fun()?
local function drop(buf, run)
  erase(buf)
  M.on_change()
  forget(buf, run)
end

--- Neovim asks by itself when something is typed; otherwise it has to be told to.
---@param kind integer
---@param cause 'change'|'trigger'|'person'
function M.asks(kind, cause)
  if cause ~= 'change' then
    is_wanted = kind == 1
    nudge(vim.api.nvim_get_current_buf())
  end
  return true
end

function M.answered() end

--- Looks at a question on its way to the server; what it returns comes back with the answer.
function M.on_request(method, params)
  if method ~= METHOD then
    return nil
  end
  local buf = documents.buf(params.textDocument.uri)
  -- <C-c> leaves insert mode without a word, and Neovim asks all the same.
  if buf == nil or not asking.is_inserting() or not asking.may_ask(buf) then
    return wire.UNASKED
  end
  is_known = is_known or look(buf)
  if not is_known then
    M.on_unknown()
    return wire.UNASKED
  end
  local kind = is_wanted and 1 or 2
  is_wanted = false
  params.context.triggerKind = kind
  return { kind = kind, at = asking.now(buf) }
end

--- Looks at an answer on its way to Neovim. If it returns nothing, the shown text stays.
function M.on_answer(method, asked, result)
  if method ~= METHOD or asked == nil or type(result) ~= 'table' then
    return result
  end
  if not asking.is_in_time(asked.at) then
    return nil
  end
  local buf = asked.at.buf
  -- Neovim draws in the same moment.
  drawing.clear_ghost(buf)
  is_ours = false
  local items = result.items or result
  local found, stands = item.first(buf, items, asked.kind)
  if found == nil or stands.behind ~= '' then
    shown.finish()
    M.on_change()
    return { items = {} }
  end
  shown.set(found)
  -- When it is drawn.
  vim.schedule(M.on_change)
  -- One, also if there are more: Neovim does not tell which of them the person sees.
  return { items = { items[1] } }
end

function M.server_changed(life)
  if life ~= 'running' then
    local before = shown.finish()
    if before ~= nil then
      drop(before.buf)
    end
  end
end

--- Switches it on in a buffer that the server is attached to.
function M.attached(buf)
  if not vim.lsp.inline_completion.is_enabled({ bufnr = buf }) then
    vim.lsp.inline_completion.enable(true, { bufnr = buf })
    switched_on[buf] = true
  end
end

--- Switches it off again in a buffer.
function M.detached(buf)
  local was_on = switched_on[buf]
  switched_on[buf] = nil
  if was_on and vim.api.nvim_buf_is_loaded(buf) then
    vim.lsp.inline_completion.enable(false, { bufnr = buf })
  end
end

--- Switches it off again in all of them.
function M.switch_off()
  for buf in pairs(switched_on) do
    M.detached(buf)
  end
end

function M.follow()
  if forgetting ~= nil then
    -- Until it has forgotten, Neovim draws it again when the cursor moves.
    erase_native(forgetting)
  end
  local ghost = shown.get()
  if ghost == nil then
    return
  end
  local stands = shown.standing()
  if stands == nil then
    shown.ignore()
    drop(ghost.buf, function()
      nudge(ghost.buf)
    end)
  elseif stands.rest == '' then
    shown.finish()
    erase(ghost.buf)
    M.on_change()
  elseif is_ours then
    drawing.ghost(ghost.buf, stands)
  end
end

function M.ignore()
  local ghost = shown.get()
  if ghost ~= nil then
    shown.ignore()
    drop(ghost.buf)
  end
end

--- Neovim forgets it by itself then.
function M.leave()
  local ghost = shown.get()
  local tell = shown.leave()
  if ghost ~= nil then
    erase(ghost.buf)
    M.on_change()
  end
  return tell
end

function M.reject()
  local ghost = shown.get()
  local was_shown = shown.reject()
  if ghost ~= nil then
    drop(ghost.buf)
  end
  return was_shown
end

function M.accept(how)
  local ghost = shown.get()
  if ghost == nil or not shown.accept(how) then
    return false
  end
  local buf = ghost.buf
  erase(buf)
  local rest = shown.standing()
  is_ours = rest ~= nil
  if rest ~= nil then
    drawing.ghost(buf, rest)
  end
  M.on_change()
  forget(buf, function()
    nudge(buf)
  end)
  return true
end

return M
