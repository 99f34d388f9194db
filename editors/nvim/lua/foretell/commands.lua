-- `:Foretell`: what the person can ask and order.
--
-- The server's text for people is shown as it is, in a window that `q` closes and that the server is not told
-- of.
local config = require('foretell.config')
local documents = require('foretell.documents')
local pause = require('foretell.pause')
local rejections = require('foretell.rejections')
local say = require('foretell.say')
local server = require('foretell.server')
local status = require('foretell.status')

local M = {}

local function show(title, text)
  local name = 'foretell://' .. title
  local buf = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?') .. '$')
  if buf < 0 then
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, name)
    vim.bo[buf].bufhidden = 'wipe'
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, desc = 'Close' })
  end
  vim.bo[buf].modifiable = true
  local lines = vim.split(vim.trim(text), '\n', { plain = true })
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  local window = vim.fn.bufwinid(buf)
  if window >= 0 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, buf)
    vim.wo[0][0].wrap = true
    vim.wo[0][0].linebreak = true
    vim.wo[0][0].number = false
    vim.wo[0][0].relativenumber = false
    vim.wo[0][0].signcolumn = 'no'
    vim.wo[0][0].spell = false
  end
  local height = vim.api.nvim_win_text_height(0, {}).all
  vim.api.nvim_win_set_height(0, math.max(math.min(height, math.floor(vim.o.lines / 2)), 5))
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
end

local function answer(words)
  vim.api.nvim_echo({ { say.fitting('Foretell: ' .. words) } }, false, {})
end

--- The text shown while no server runs.
local function without_server()
  local life, why = server.life()
  if life == 'down' then
    return (why or ''):gsub('^its', 'Its')
  end
  local against = documents.reason_against(vim.api.nvim_get_current_buf())
  return against and 'Its server is not started: this buffer is left alone, ' .. against .. '.'
    or 'Its server is starting. Ask again in a moment.'
end

--- Asks the server for words, and shows them.
local function report(title, method, params, before)
  if server.client() == nil then
    show(title, without_server())
    return
  end
  server.request(method, params, function(told)
    local words = told and told.text or 'The server could not say. :checkhealth foretell says where its log is.'
    show(title, (before or '') .. words)
  end)
end

local function why()
  local buf = vim.api.nvim_get_current_buf()
  local uri = documents.uri(buf)
  local before = ''
  local paused, against = pause.reason(buf), documents.reason_against(buf)
  if paused ~= nil then
    before = ('Foretell is paused %s: nothing is asked. :Foretell resume ends that.\n\n'):format(paused)
  elseif against ~= nil then
    before = ('This buffer is left alone: %s.\n\n'):format(against)
  end
  report('why', 'foretell/why', uri and { textDocument = { uri = uri } } or vim.empty_dict(), before)
end

local function rejected()
  if server.client() == nil then
    show('rejections', without_server())
    return
  end
  rejections.refresh(function(all)
    local title = 'Rejected, and not shown again. :Foretell forget NUMBER (or all) lets one be suggested again.'
    local lines = { title, '' }
    local seen = {}
    for _, it in ipairs(all) do
      if not seen[it.id] then
        seen[it.id] = true
        table.insert(lines, ('%4d  %s'):format(it.id, (it.text or ''):gsub('\n', ' ')))
      end
    end
    show('rejections', #all > 0 and table.concat(lines, '\n') or 'Nothing is rejected.')
  end)
end

local function forget(what)
  local id = what == 'all' and 'all' or tonumber(what)
  if id == nil then
    answer('forget which? A number of :Foretell rejections, or all')
    return
  end
  rejections.forget(id, function(left)
    answer(left and ('forgotten; %d left'):format(#left) or 'no such rejection, or no server to ask')
  end)
end

local PAUSES = { file = 'file', language = 'language', hour = 'hour', [''] = 'all' }

local function pause_for(what)
  local kind = PAUSES[what or '']
  if kind == nil then
    answer('pause what? Nothing more, or file, language, hour')
    return
  end
  pause.pause(kind)
  answer(('paused %s; :Foretell resume goes on'):format(pause.reason(vim.api.nvim_get_current_buf()) or ''))
end

local COMMANDS = {
  why = why,
  sent = function()
    report('sent', 'foretell/sent', vim.empty_dict())
  end,
  status = function()
    local _, sentence = status.now()
    report('status', 'foretell/status', vim.empty_dict(), sentence .. '\n\n')
  end,
  rejections = rejected,
  forget = forget,
  pause = pause_for,
  resume = function()
    pause.resume()
    answer('goes on')
  end,
  restart = function()
    config.reread()
    server.restart()
    answer(server.life() == 'starting' and 'its server is started again' or 'there is no server to start')
  end,
  log = function()
    vim.cmd.sview(vim.fn.fnameescape(server.log_path()))
    vim.bo.modifiable = false
    vim.cmd('normal! G')
  end,
}

local ARGUMENTS = { pause = { 'file', 'language', 'hour' }, forget = { 'all' } }

--- Runs `:Foretell WORDS`.
---@param words string[]
function M.run(words)
  require('foretell').start()
  local name = words[1] or 'status'
  local run = COMMANDS[name]
  if run == nil then
    answer(('there is no :Foretell %s; <Tab> lists what there is'):format(name))
    return
  end
  run(words[2])
end

--- Completes the arguments of `:Foretell`.
---@return string[]
function M.complete(typed, line)
  local name = line:match('^%s*%S+%s+(%S+)%s')
  local among = name and ARGUMENTS[name] or name and {} or vim.tbl_keys(COMMANDS)
  local found = vim.tbl_filter(function(it)
    return vim.startswith(it, typed)
  end, among)
  table.sort(found)
  return found
end

return M
