-- A mirror of what is rejected, so that it outlives the server, and Neovim.
--
-- The server keeps rejections in memory and ties each to the text it belongs to. So the list is asked for
-- again whenever one came or went, and while there are any, after every change of a text: what is given back to
-- the next server fits the text it is given.
--
-- The list quotes the person's code. It is kept in files that only they can read, in Neovim's own directory for
-- state, one for each workspace. Such a file is read when the first text of its workspace is opened.
local server = require('foretell.server')
local workspaces = require('foretell.workspaces')

local M = {}

--- How long what only moved with the text waits until it is written, in milliseconds.
local WRITE_AFTER_MS = 2000
--- How long the end of Neovim waits for the server's list, in milliseconds. It mostly takes one.
local END_MS = 200

local list = {}
--- The rejections last read from or written to each file.
---@type table<string, table[]>
local files = {}
--- The texts that any of them ever belonged to: of these, this Neovim knows best.
local known = {}
--- How many lists the server was given back, and has not taken yet: before, its own would wipe ours out.
local owed = 0
local is_asking = false
local is_stale = false
--- Whether a file is behind.
local is_unwritten = false

local function directory()
  return vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'foretell')
end

--- The file in which those of a text are kept.
---@param uri string
local function file_of(uri)
  local name = vim.fn.sha256(workspaces.home(uri)):sub(1, 16) .. '.json'
  return vim.fs.joinpath(directory(), name)
end

--- The list in a file, if it is one that the plugin writes.
local function kept(file)
  local handle = io.open(file, 'r')
  if handle == nil then
    return {}
  end
  local ok, found = pcall(vim.json.decode, handle:read('*a') or '')
  handle:close()
  if not ok or type(found) ~= 'table' or not vim.islist(found) then
    return {}
  end
  return vim.tbl_filter(function(it)
    return type(it) == 'table' and type(it.uri) == 'string'
  end, found)
end

local function remember(all)
  for _, it in ipairs(all) do
    known[it.uri] = true
  end
end

--- Writes beside the file and moves it there, so that the file is always whole. Rejections that another Neovim
--- has written of other texts stay.
---@param file string
---@param mine table[]
local function write(file, mine)
  files[file] = mine
  local all = vim.tbl_filter(function(it)
    return not known[it.uri]
  end, kept(file))
  vim.list_extend(all, mine)
  if #all == 0 then
    os.remove(file)
    return
  end
  if not pcall(vim.fn.mkdir, directory(), 'p', tonumber('700', 8)) then
    return
  end
  local beside = ('%s.%d'):format(file, vim.fn.getpid())
  local handle = vim.uv.fs_open(beside, 'w', tonumber('600', 8))
  if handle == nil then
    return
  end
  local text = vim.json.encode(all)
  local written = vim.uv.fs_write(handle, text)
  vim.uv.fs_close(handle)
  if written == #text then
    vim.uv.fs_rename(beside, file)
  else
    vim.uv.fs_unlink(beside)
  end
end

--- Those of the list that belong into each file.
---@return table<string, table[]>
local function by_file()
  local all = {}
  for file in pairs(files) do
    all[file] = {}
  end
  for _, it in ipairs(list) do
    local file = file_of(it.uri)
    all[file] = all[file] or {}
    table.insert(all[file], it)
  end
  return all
end

--- Writes what is not written.
function M.save()
  if not is_unwritten then
    return
  end
  is_unwritten = false
  for file, mine in pairs(by_file()) do
    if not vim.deep_equal(mine, files[file]) then
      write(file, mine)
    end
  end
end

local function keep(told)
  if type(told.rejections) ~= 'table' or vim.deep_equal(told.rejections, list) then
    return
  end
  local has_moved_only = #told.rejections == #list
  list = told.rejections
  remember(list)
  local is_due = is_unwritten
  is_unwritten = true
  if not has_moved_only then
    M.save()
  elseif not is_due then
    vim.defer_fn(M.save, WRITE_AFTER_MS)
  end
end

--- Brings the mirror up to date. Asked for twice while it is being done, it is done once more.
---@param on_done fun(list: table[])?
function M.refresh(on_done)
  if is_asking then
    is_stale = true
  end
  if is_asking and on_done == nil or owed > 0 then
    if on_done ~= nil then
      on_done(list)
    end
    return
  end
  is_asking = true
  server.request('foretell/rejections', vim.empty_dict(), function(told)
    is_asking = false
    if told ~= nil and owed == 0 then
      keep(told)
    end
    if on_done ~= nil then
      on_done(list)
    end
    if is_stale then
      is_stale = false
      M.refresh()
    end
  end)
end

--- Brings it up to date, if there is anything in it that could have moved.
function M.follow()
  if #list > 0 then
    M.refresh()
  end
end

--- Neovim ends: what the server has to say is waited for, but not long, and written.
function M.finish()
  M.follow()
  vim.wait(END_MS, function()
    return not is_asking
  end, 1)
  M.save()
end

--- Forgets one, or all.
---@param id integer|'all'
---@param on_done fun(list: table[]?)
function M.forget(id, on_done)
  local params = id == 'all' and { all = true } or { id = id }
  server.request('foretell/forget', params, function(left)
    if left ~= nil and id == 'all' then
      for file in pairs(files) do
        os.remove(file)
      end
    end
    if left ~= nil then
      keep(left)
    end
    on_done(left and list or nil)
  end)
end

--- Gives some of them back to the server. It answers in the order in which it is asked, so that a list that does
--- not have them yet comes before they are taken.
---@param some table[]
local function give_back(some)
  if #some == 0 then
    return
  end
  owed = owed + 1
  server.request('foretell/restore', { rejections = some }, function(restored)
    -- Rejections that the server refused are kept until a server takes them.
    if restored ~= nil then
      owed = owed - 1
      M.refresh()
    end
  end)
end

--- A text is about to be opened: what is kept of its workspace is needed.
---@param uri string
function M.meet(uri)
  local file = file_of(uri)
  if files[file] ~= nil then
    return
  end
  files[file] = kept(file)
  remember(files[file])
  vim.list_extend(list, files[file])
  -- One that is yet to come up gets all of them.
  if server.client() ~= nil then
    give_back(files[file])
  end
end

--- Gives back what is known to a server that has just come up.
function M.server_changed(life)
  owed, is_asking, is_stale = 0, false, false
  if life == 'running' then
    give_back(list)
  end
end

return M
