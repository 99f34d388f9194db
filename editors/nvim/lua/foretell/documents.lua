-- Which buffers the server hears of: files that are edited as text, and no monsters.
--
-- A buffer that cannot be told as it is (bytes that are no UTF-8, lines that Neovim's text synchronization
-- would choke on) is left alone, and so is one that becomes such. There is no message: nothing is missing there.
--
-- The text itself is told by Neovim's client; here is only counted how often it changed, which is how an
-- answer is known to be about the text as it is. But of a buffer that changed while no server was attached,
-- Neovim (0.10 to 0.12) hears no more: that is seen here, and then the server is told from here.
local config = require('foretell.config')
local server = require('foretell.server')
local wire = require('foretell.wire')

local M = {}

--- Larger ones are left alone: each key would cost.
local LARGEST_BYTES = 4 * 1024 * 1024
local LONGEST_LINE = 20000

---@class foretell.Document
---@field uri string
---@field changes integer how often it changed
---@field seen integer how many of these were looked at
---@field tick integer the number Neovim gave to the last of them
---@field told integer how many of these the server knows
---@field messages integer by how many messages of Neovim's client
---@field is_deaf boolean whether Neovim's client hears nothing of its changes

--- The followed documents, by buffer.
---@type table<integer, foretell.Document>
local followed = {}
--- Why a buffer is not, for those that could be.
---@type table<integer, string>
local unfit = {}

--- Whether bytes are UTF-8 as the server takes it.
local function is_utf8(line)
  if not line:find('[\128-\255]') then
    return true
  end
  local rest = line
    :gsub('[\240-\244][\128-\191][\128-\191][\128-\191]', function(it)
      local second = it:byte(2)
      local is_too_low = it:byte(1) == 240 and second < 144
      local is_too_high = it:byte(1) == 244 and second > 143
      return (is_too_low or is_too_high) and '\255' or 'x'
    end)
    :gsub('[\224-\239][\128-\191][\128-\191]', function(it)
      local second = it:byte(2)
      local is_too_low = it:byte(1) == 224 and second < 160
      local is_surrogate = it:byte(1) == 237 and second > 159
      return (is_too_low or is_surrogate) and '\255' or 'x'
    end)
    :gsub('[\194-\223][\128-\191]', 'x')
  return not rest:find('[\128-\255]')
end

--- Why lines cannot be told, if they cannot.
local function fault_of(lines)
  for _, line in ipairs(lines) do
    if #line > LONGEST_LINE then
      return ('it has a line of more than %d bytes'):format(LONGEST_LINE)
    elseif not is_utf8(line) then
      return 'it has bytes that are no UTF-8'
    end
  end
end

--- Why a buffer is none of the server's, whatever is in it.
local function kind_against(buf)
  local options = vim.bo[buf]
  if options.buftype ~= '' then
    return 'it is no file'
  elseif not options.modifiable then
    return 'it cannot be changed'
  elseif vim.api.nvim_buf_get_name(buf) == '' then
    return 'it has no name yet: save it'
  elseif vim.api.nvim_buf_get_name(buf):match('^%a[%w+.-]+://') then
    return 'it is no file of this machine'
  elseif options.binary then
    return 'it is edited as binary'
  end
  local rows = vim.api.nvim_buf_line_count(buf)
  if vim.api.nvim_buf_get_offset(buf, rows) > LARGEST_BYTES then
    return ('it has more than %d MiB'):format(LARGEST_BYTES / 1024 / 1024)
  end
  local ok, is_enabled = pcall(config.get().enabled, buf)
  if not ok or not is_enabled then
    return 'the configuration leaves it out'
  end
end

--- Why a buffer is not followed, if it is not. Changes of a followed one are checked as they come.
local function reason_against(buf)
  local against = kind_against(buf)
  if against ~= nil or followed[buf] ~= nil then
    return against
  end
  return fault_of(vim.api.nvim_buf_get_lines(buf, 0, -1, false))
end

--- Follows a buffer no more.
local function leave(buf, why)
  local document = followed[buf]
  followed[buf] = nil
  unfit[buf] = why
  wire.close(buf)
  local client = document and server.client()
  if client and vim.lsp.buf_is_attached(buf, client.id) then
    vim.lsp.buf_detach_client(buf, client.id)
  end
end

local function line_end_of(buf)
  local format = vim.bo[buf].fileformat
  return format == 'dos' and '\r\n' or format == 'mac' and '\r' or '\n'
end

local function send_change(buf, change)
  local document = followed[buf]
  server.notify('textDocument/didChange', {
    textDocument = { uri = document.uri, version = document.tick },
    contentChanges = { change },
  })
  document.told, document.messages = document.changes, wire.messages(document.uri)
end

--- Tells the server the whole text of a buffer.
function M.tell_whole(buf)
  local line_end = line_end_of(buf)
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local text = table.concat(lines, line_end) .. (vim.bo[buf].eol and line_end or '')
  send_change(buf, { text = text })
end

--- Tells the server that lines took the place of others.
local function tell_lines(buf, first, old_last, lines)
  if wire.version(followed[buf].uri) == nil then
    return
  elseif not vim.bo[buf].eol then
    -- There may be no line behind the last one to speak of.
    M.tell_whole(buf)
    return
  end
  local line_end = line_end_of(buf)
  local text = table.concat(lines, line_end) .. (#lines > 0 and line_end or '')
  local range = { start = { line = first, character = 0 }, ['end'] = { line = old_last, character = 0 } }
  send_change(buf, { range = range, text = text })
end

---@param mine foretell.Document
local function watch(buf, mine)
  return vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, tick, first, old_last, last)
      local document = followed[buf]
      if document ~= mine then
        return true
      end
      document.changes = document.changes + 1
      document.tick = tick
      local lines = vim.api.nvim_buf_get_lines(buf, first, last, false)
      if document.is_deaf then
        tell_lines(buf, first, old_last, lines)
      end
      local fault = fault_of(lines)
      if fault ~= nil then
        vim.schedule(function()
          leave(buf, fault)
        end)
      end
    end,
    on_reload = function()
      mine.changes = mine.changes + 1
    end,
    on_detach = function()
      if followed[buf] == mine then
        leave(buf)
      end
    end,
  })
end

--- Attaches the server to what is followed.
local function attach(buf)
  local client = server.client()
  if client == nil then
    server.start(buf)
  elseif not vim.lsp.buf_is_attached(buf, client.id) then
    vim.lsp.buf_attach_client(buf, client.id)
  end
end

--- Told of a text before the server hears of it.
---@type fun(uri: string)
M.on_follow = function() end

--- Looks whether a buffer is to be followed, and begins to, or ends it.
function M.consider(buf)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local against = reason_against(buf)
  local document = followed[buf]
  if against ~= nil then
    leave(buf, against)
    return
  end
  local uri = vim.uri_from_bufnr(buf)
  if document == nil then
    unfit[buf] = nil
    local tick = vim.api.nvim_buf_get_changedtick(buf)
    followed[buf] = { uri = uri, changes = 0, seen = 0, tick = tick, told = 0, messages = 0, is_deaf = false }
    wire.open(buf, uri)
    if not watch(buf, followed[buf]) then
      followed[buf] = nil
      return
    end
  end
  M.on_follow(uri)
  attach(buf)
end

--- A buffer is no more, or will be another one to the server.
function M.forget(buf)
  leave(buf)
end

--- Attaches a server that has just come up to everything that is followed.
function M.attach_all()
  for buf in pairs(followed) do
    attach(buf)
  end
end

--- A buffer that is followed, the current one first.
---@return integer?
function M.any()
  local current = vim.api.nvim_get_current_buf()
  return followed[current] and current or next(followed)
end

--- The address of a buffer, if it is followed and the server knows of it.
---@return string?
function M.uri(buf)
  local document = followed[buf]
  return document and wire.version(document.uri) and document.uri or nil
end

--- The version of a buffer's text that the server has, after it was told of all that has changed.
---@return integer?
function M.version(buf)
  local document = followed[buf]
  if document == nil or wire.version(document.uri) == nil then
    return nil
  end
  -- Neovim sends pending changes now; if it sends none, it has not noticed any.
  local is_silent = server.flush(buf) and wire.messages(document.uri) == document.messages
  if is_silent and document.changes ~= document.told then
    document.is_deaf = true
    M.tell_whole(buf)
  end
  document.told, document.messages = document.changes, wire.messages(document.uri)
  return wire.release(document.uri)
end

--- A buffer is about to be saved, or was. What was changed until now is told as what it is.
---@param is_saving boolean
function M.save(buf, is_saving)
  if M.version(buf) ~= nil then
    wire.save(buf, is_saving)
  end
end

--- Whether a buffer is followed and can be changed just now.
function M.is_followed(buf)
  return followed[buf] ~= nil and vim.bo[buf].modifiable
end

--- The buffer of an address, if it is followed.
---@return integer?
function M.buf(uri)
  for buf, document in pairs(followed) do
    if document.uri == uri then
      return buf
    end
  end
end

--- How often a buffer's text has changed since it is followed.
---@return integer
function M.changes(buf)
  return followed[buf] and followed[buf].changes or 0
end

--- Whether the text has changed since this was last asked.
function M.has_changed(buf)
  local document = followed[buf]
  if document == nil or document.seen == document.changes then
    return false
  end
  document.seen = document.changes
  return true
end

--- Whether a change is still to be looked at.
function M.is_changing(buf)
  local document = followed[buf]
  return document ~= nil and document.seen ~= document.changes
end

--- Why a buffer is left alone, if it is.
---@return string?
function M.reason_against(buf)
  if followed[buf] ~= nil then
    return nil
  end
  return unfit[buf] or reason_against(buf)
end

return M
