-- The server's life: found, started, checked, started again when it dies, given up when it keeps dying.
--
-- The person gets one message, when nothing more can be done without them; the rest is in the status and
-- in `:checkhealth foretell`.
--
-- Absent on purpose: waiting. A server that died is started at once, and one that dies again and again
-- not at all.
local columns = require('foretell.columns')
local config = require('foretell.config')
local program = require('foretell.program')
local say = require('foretell.say')
local wire = require('foretell.wire')

local M = {}

--- The number of the protocol that this plugin was written for.
M.PROTOCOL = 1

--- Neovim's module that tells servers of changes. It is private, and may change.
local has_tracking, tracking = pcall(require, 'vim.lsp._changetracking')

--- So many deaths within so long, and it is left alone.
local MOST_DEATHS = 5
local WITHIN_MS = 3 * 60 * 1000

---@alias foretell.Life 'stopped'|'starting'|'running'|'down'

---@type foretell.Life
local life = 'stopped'
--- Why it does not run and will not by itself.
---@type string?
local why = nil
---@type integer?
local client_id = nil
--- Counts servers: what one of them has named, the next knows nothing of, or something else by.
local lives = 0
--- When it died, in milliseconds of a clock that only goes forward.
local deaths = {}
--- The options at the last start.
local wanted = nil
local info = nil
--- The directories that it knows of, in the order in which they came.
---@type string[]
local folders = {}

--- Told of every change of its life: a list of functions, in the order they are to run.
---@type (fun(life: foretell.Life))[]
M.listeners = {}
--- Handlers of the server's notifications, by method.
---@type table<string, fun(params: table)>
M.heard = {}
--- Looks at questions and answers on their way.
---@type fun(method: string, params: table): any
M.on_request = function() end
---@type fun(method: string, asked: any, result: any): any
M.on_answer = function(_, _, result)
  return result
end

local function be(now, because)
  life, why = now, because
  for _, listener in ipairs(M.listeners) do
    listener(now)
  end
end

--- The message for each kind of trouble: a line that fits, and where to read on.
local TROUBLES = {
  missing = 'its server is not found; see :checkhealth foretell',
  misfit = 'its server does not fit; see :checkhealth foretell',
  dying = 'its server keeps ending; see :checkhealth foretell',
}

local function give_up(trouble, because)
  be('down', because)
  say.once(trouble, TROUBLES[trouble], vim.log.levels.ERROR)
end

---@return foretell.Life life, string? why
function M.life()
  return life, why
end

--- Counts servers.
---@return integer
function M.count()
  return lives
end

--- The server's `serverInfo`, once it has sent it.
---@return { name: string, version: string, protocol: integer }?
function M.info()
  return info
end

--- Where what it says is kept, with what other servers say.
---@return string
function M.log_path()
  return vim.lsp.log.get_filename()
end

--- Neovim's client of it, if it runs.
---@return vim.lsp.Client?
function M.client()
  if life ~= 'running' or client_id == nil then
    return nil
  end
  return vim.lsp.get_client_by_id(client_id)
end

--- Calls a method of Neovim's client, which 0.10 wants to be called as a function.
function M.call(client, name, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[name](client, ...)
  end
  return client[name](...)
end

--- Has Neovim tell now what has changed of a buffer: it waits up to 150 ms, for all servers alike, and so other
--- servers hear of it now, too, as when they are asked something. There is no public way to; without this one,
--- what is said of the text is said when it has waited. `flags.debounce_text_changes = 0` is another thing: it takes
--- the wait from all servers that count alike, for good, and makes a message of each line that a command changes.
---@param buf integer
---@return boolean has_told
function M.flush(buf)
  local client = M.client()
  return client ~= nil and has_tracking and pcall(tracking.flush, client, buf)
end

--- Notifies the server. Without a server the message is lost: the next server starts anew.
function M.notify(method, params)
  local client = M.client()
  if client ~= nil then
    M.call(client, 'notify', method, params)
  end
end

--- Runs what deals with something the server said. It may have said anything; the person is not told of it.
local function deal(run, ...)
  local ok, fault = xpcall(run, debug.traceback, ...)
  if not ok then
    require('vim.lsp.log').error('foretell', fault)
  end
end

--- Asks the server; the answer is nothing if no server runs, or it fails. Pending changes of a buffer are sent
--- first.
---@param on_answer fun(result: any)
---@param buf integer?
function M.request(method, params, on_answer, buf)
  local client = M.client()
  local mine = lives
  local is_sent = client ~= nil
    and M.call(client, 'request', method, params, function(fault, result)
      local answer = not fault and mine == lives and type(result) == 'table' and result or nil
      deal(on_answer, answer)
    end, buf)
  if not is_sent then
    on_answer(nil)
  end
end

local function misfit(command, protocol)
  local theirs = type(protocol) == 'number' and 'protocol ' .. protocol or 'no protocol of ours'
  local is_newer = type(protocol) == 'number' and protocol > M.PROTOCOL
  return ('%s speaks %s, and this plugin speaks %d: update %s.'):format(
    command,
    theirs,
    M.PROTOCOL,
    is_newer and 'the plugin' or 'the server'
  )
end

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.general = all.general or {}
  all.general.positionEncodings = { columns.ENCODING }
  all.experimental = { foretell = { reportsRejections = true, followsStatus = true, asksWhenTold = true } }
  return all
end

local function handlers()
  local all = {}
  for method, hear in pairs(M.heard) do
    all[method] = function(_, params)
      if life == 'running' then
        deal(hear, params)
      end
    end
  end
  -- The server sends its messages for people once, by itself.
  all['window/showMessage'] = function(_, params)
    deal(function()
      local level = params.type == 1 and vim.log.levels.ERROR or vim.log.levels.WARN
      local words = params.message:gsub('^Foretell: ', '')
      say.once('server: ' .. words, words, level, ' (:Foretell status)')
    end)
  end
  return all
end

local function ended(mine)
  if mine ~= lives or life == 'stopped' or life == 'down' then
    return
  end
  client_id = nil
  be('stopped')
  local now = vim.uv.now()
  deaths = vim.tbl_filter(function(at)
    return now - at < WITHIN_MS
  end, deaths)
  table.insert(deaths, now)
  if #deaths < MOST_DEATHS then
    M.start(M.on_need())
    return
  end
  local times = 'its server ended %d times within three minutes, and is not started again'
  give_up('dying', times:format(MOST_DEATHS) .. '; :Foretell restart tries again, and its log may say why.')
end

local function checked(command, client, result)
  info = result.serverInfo or {}
  if info.protocol ~= M.PROTOCOL then
    local protocol = info.protocol
    client_id = client.id
    M.stop()
    give_up('misfit', misfit(command, protocol))
    return
  end
  say.again('missing')
  say.again('misfit')
  client_id = client.id
  be('running')
end

local function refused(mine, command)
  if mine == lives then
    M.stop()
    give_up('misfit', ('%s does not answer as a language server does.'):format(command))
  end
end

local function as_folder(directory)
  return { uri = vim.uri_from_fname(directory), name = vim.fs.basename(directory) }
end

--- Tells it of a directory that the person works in, as long as Neovim runs.
---@param directory string
function M.add_folder(directory)
  if vim.list_contains(folders, directory) then
    return
  end
  table.insert(folders, directory)
  local client = M.client()
  if client ~= nil then
    local added = { as_folder(directory) }
    -- Neovim answers by these when the server asks which there are.
    client.workspace_folders = vim.list_extend(client.workspace_folders or {}, added)
    M.notify('workspace/didChangeWorkspaceFolders', { event = { added = added, removed = {} } })
  end
end

--- Told of buffers that it is attached to.
---@type fun(buf: integer)
M.on_attach = function() end

--- A buffer that needs a server, if there is one: without, none is started.
---@type fun(): integer?
M.on_need = function() end

--- Starts it for a buffer, if it does not run and was not given up.
---@param buf integer?
function M.start(buf)
  if buf == nil or life ~= 'stopped' then
    return
  end
  local set = config.get()
  wanted = { set.cmd, set.args, set.settings }
  local command, missing = program.find()
  if command == nil then
    give_up('missing', missing)
    return
  end
  lives = lives + 1
  local mine = lives
  be('starting')
  if #folders == 0 then
    -- A file that is in no workspace is looked at where the person is.
    table.insert(folders, vim.fn.getcwd())
  end
  local arguments = vim.list_extend({ command, 'lsp' }, set.args)
  local ok, started = pcall(vim.lsp.start, {
    name = 'foretell',
    cmd = function(dispatchers)
      return wire.start(arguments, dispatchers, {
        on_exit = vim.schedule_wrap(function()
          ended(mine)
        end),
        on_refusal = function()
          refused(mine, command)
        end,
        on_request = M.on_request,
        on_answer = function(method, asked, result)
          local changed = nil
          deal(function()
            changed = M.on_answer(method, asked, result)
          end)
          return changed
        end,
      })
    end,
    root_dir = folders[1],
    workspace_folders = vim.tbl_map(as_folder, folders),
    init_options = next(set.settings) and set.settings or nil,
    settings = { foretell = next(set.settings) and set.settings or vim.empty_dict() },
    capabilities = capabilities(),
    handlers = handlers(),
    on_attach = function(_, attached)
      M.on_attach(attached)
    end,
    on_init = function(client, result)
      if mine == lives and life == 'starting' then
        checked(command, client, result)
      end
    end,
  }, {
    bufnr = buf,
    silent = true,
    reuse_client = function()
      return false
    end,
  })
  if not ok or started == nil then
    if mine == lives then
      give_up('misfit', ('%s cannot be started.'):format(command))
    end
    return
  end
  client_id = started
end

--- Ends it, if it runs. It keeps nothing that would have to be saved.
function M.stop()
  local client = client_id and vim.lsp.get_client_by_id(client_id)
  client_id = nil
  lives = lives + 1
  be('stopped')
  if client then
    M.call(client, 'stop', true)
  end
end

--- Begins anew, because the person wants it: what was said may be said again.
function M.restart()
  say.again()
  deaths = {}
  M.stop()
  M.start(M.on_need())
end

--- Starts another one if what is set wants another one.
function M.follow()
  local set = config.get()
  if wanted ~= nil and not vim.deep_equal(wanted, { set.cmd, set.args, set.settings }) then
    M.restart()
  end
end

return M
