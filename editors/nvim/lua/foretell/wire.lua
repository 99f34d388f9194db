-- Looks at the messages between Neovim's language client and the server on their way.
--
-- Neovim's client does the talking: framing, ids, text synchronization. Three things it does not do are
-- done here, around its own transport:
--
-- - A change is held until the next message, or the end of what Neovim is doing, because only then it is
--   known whether it was an undo: that has to be said just before it (`foretell/willChange`). Of what is
--   changed while a buffer is saved it is said that nobody typed it.
-- - Which version of a text the server has is noted, so that nothing is said of another one.
-- - The end of the server, and what it says that is no message, is told to `server.lua` and not to the
--   person: Neovim would show each of them.
local M = {}

--- The error for a request that is not to be sent.
M.UNASKED = {}

--- The held messages: the parameters of `textDocument/didChange`, in order.
local held = {}
--- The version the server has of a text, by its address.
local versions = {}
--- How many messages had a text or a change of one, by its address.
local messages = {}
--- The number of a buffer's change that was last told, and the highest it ever had.
local changes = {}
--- The buffers of texts, by their addresses.
local bufs = {}
--- The buffers that are being saved.
local saving = {}

--- The one that is talked to.
local current = nil
--- Sends what is held.
---@type fun()?
local send_held = nil

--- The version that the server has of a text, if it has the text.
---@return integer?
function M.version(uri)
  return versions[uri]
end

--- How many messages of Neovim's had a text, or a change of it.
---@return integer
function M.messages(uri)
  return messages[uri] or 0
end

--- The same version, after the server has been told of what is held.
---@return integer?
function M.release(uri)
  if send_held ~= nil then
    send_held()
  end
  return versions[uri]
end

--- A buffer is about to be saved, or was: what is changed in between comes of a formatter.
---@param is_saving boolean
function M.save(buf, is_saving)
  saving[buf] = is_saving or nil
end

--- Begins to count a buffer's changes.
function M.open(buf, uri)
  bufs[uri] = buf
  local tree = vim.api.nvim_buf_call(buf, vim.fn.undotree)
  changes[buf] = { now = tree.seq_cur, highest = tree.seq_last }
end

function M.close(buf)
  changes[buf], saving[buf] = nil, nil
end

--- Why the text of a buffer is another one than when this was last asked.
---@return 'undo'|'redo'|'other'|nil nothing if it was typed, as far as one can see
local function reason_of(buf)
  local before = buf and changes[buf]
  if before == nil or not vim.api.nvim_buf_is_valid(buf) then
    return nil
  end
  local is_current = buf == vim.api.nvim_get_current_buf()
  local now = is_current and vim.fn.changenr() or vim.api.nvim_buf_call(buf, vim.fn.changenr)
  local reason = saving[buf] and 'other' or nil
  if now < before.now then
    reason = 'undo'
  elseif now > before.now and now <= before.highest then
    reason = 'redo'
  end
  changes[buf] = { now = now, highest = math.max(now, before.highest) }
  return reason
end

local function count(params)
  local uri = params.textDocument.uri
  messages[uri] = (messages[uri] or 0) + 1
end

local function release(send)
  local waiting = held
  held = {}
  local reasons = {}
  for _, params in ipairs(waiting) do
    local document = params.textDocument
    local uri = document.uri
    -- One undo may be several changes.
    if reasons[uri] == nil then
      reasons[uri] = reason_of(bufs[uri]) or false
    end
    if reasons[uri] then
      local textDocument = { uri = uri, version = document.version }
      send('foretell/willChange', { textDocument = textDocument, reason = reasons[uri] })
    end
    versions[uri] = document.version
    send('textDocument/didChange', params)
  end
end

---@class foretell.Hooks
---@field on_exit fun()
---@field on_refusal fun() it does not answer as a language server does
---@field on_request fun(method: string, params: table): any looks at a question; `UNASKED` keeps it here
---@field on_answer fun(method: string, asked: any, result: any): any looks at its answer, and may change it

--- Starts the server.
---@param command string[]
---@param dispatchers table what Neovim's client wants to be told
---@param hooks foretell.Hooks
---@return table? transport
function M.start(command, dispatchers, hooks)
  held, versions = {}, {}
  local transport = vim.lsp.rpc.start(command, {
    notification = dispatchers.notification,
    server_request = dispatchers.server_request,
    on_error = function(code, fault)
      require('vim.lsp.log').error('foretell', code, fault)
    end,
    on_exit = function()
      -- With what it really ended, Neovim would show a message each time.
      dispatchers.on_exit(0, 0)
      hooks.on_exit()
    end,
  })
  if transport == nil then
    return nil
  end

  current = transport
  local function send(method, params)
    return transport.notify(method, params)
  end
  send_held = function()
    release(send)
  end

  local function is_current()
    return current == transport
  end

  local function notify(method, params)
    -- An older one, that takes its time to end, has nothing to say any more.
    if not is_current() then
      return false
    end
    if method == 'textDocument/didChange' then
      count(params)
      table.insert(held, params)
      if #held == 1 then
        vim.schedule(send_held)
      end
      return not transport.is_closing()
    end
    send_held()
    if method == 'textDocument/didOpen' then
      count(params)
      versions[params.textDocument.uri] = params.textDocument.version
    elseif method == 'textDocument/didClose' then
      versions[params.textDocument.uri] = nil
    end
    return send(method, params)
  end

  local function request(method, params, callback, on_reply)
    if not is_current() then
      return false
    end
    send_held()
    local asked = hooks.on_request(method, params)
    if asked == M.UNASKED then
      vim.schedule(function()
        callback(nil, nil)
      end)
      return true
    end
    return transport.request(method, params, function(fault, result, id)
      -- Neovim would fail on it, and say so.
      if method == 'initialize' and (fault or type(result) ~= 'table') then
        transport.terminate()
        hooks.on_refusal()
        return
      end
      if not fault then
        result = hooks.on_answer(method, asked, result)
      end
      callback(fault, result, id)
    end, on_reply)
  end

  return {
    request = request,
    notify = notify,
    is_closing = transport.is_closing,
    terminate = transport.terminate,
  }
end

return M
