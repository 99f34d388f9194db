-- A mirror of what is rejected, so that it outlives the server, and Neovim.
--
-- The server keeps rejections in memory and ties each to the text it belongs to. So the list is asked for
-- again whenever one came or went, and while there are any, after every change of a text: what is given back to
-- the next server fits the text it is given.
--
-- The list quotes the person's code. It is kept in a file that only they can read, in Neovim's own
-- directory for state, one for each workspace.
local server = require('foretell.server')

local M = {}

--- How long what only moved with the text waits until it is written, in milliseconds.
local WRITE_AFTER_MS = 2000

local list = {}
--- The texts that any of them ever belonged to: of these, this Neovim knows best.
local known = {}
--- Whether this server was given back what is known: before, its own list would wipe ours out.
local is_restored = false
local is_asking = false
local is_stale = false
--- Whether the file was read, and whether it is behind.
local is_read, is_unwritten = false, false

--- Where they are kept: the directory, and the file of the workspace.
local function path()
  local root = server.root() or vim.fn.getcwd()
  local directory = vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'foretell')
  return directory, vim.fs.joinpath(directory, vim.fn.sha256(root):sub(1, 16) .. '.json')
end

local file = nil

--- What is in the file, if it is a list as we write them.
local function kept()
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

local function remember()
  for _, it in ipairs(list) do
    known[it.uri] = true
  end
end

local function read()
  is_read = true
  local _, name = path()
  file = name
  list = kept()
  remember()
end

--- Writes beside the file and moves it there: what is there is always whole. What another Neovim has written
--- of texts that this one knows nothing of stays.
local function write()
  is_unwritten = false
  local all = vim.tbl_filter(function(it)
    return not known[it.uri]
  end, kept())
  vim.list_extend(all, list)
  if #all == 0 then
    os.remove(file)
    return
  end
  if not pcall(vim.fn.mkdir, path(), 'p', tonumber('700', 8)) then
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

--- Writes what is not written.
function M.save()
  if is_unwritten then
    write()
  end
end

local function keep(told)
  if type(told.rejections) ~= 'table' or vim.deep_equal(told.rejections, list) then
    return
  end
  local has_moved_only = #told.rejections == #list
  list = told.rejections
  remember()
  if not has_moved_only then
    write()
  elseif not is_unwritten then
    is_unwritten = true
    vim.defer_fn(M.save, WRITE_AFTER_MS)
  end
end

--- Brings the mirror up to date. Asked for twice while it is being done, it is done once more.
---@param on_done fun(list: table[])?
function M.refresh(on_done)
  if is_asking then
    is_stale = true
  end
  if is_asking and on_done == nil or not is_restored then
    if on_done ~= nil then
      on_done(list)
    end
    return
  end
  is_asking = true
  server.request('foretell/rejections', vim.empty_dict(), function(told)
    is_asking = false
    if told ~= nil and is_restored then
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

--- Forgets one, or all.
---@param id integer|'all'
---@param on_done fun(list: table[]?)
function M.forget(id, on_done)
  local params = id == 'all' and { all = true } or { id = id }
  server.request('foretell/forget', params, function(left)
    if left ~= nil and id == 'all' then
      os.remove(file)
    end
    if left ~= nil then
      keep(left)
    end
    on_done(left and list or nil)
  end)
end

--- Gives back what is known to a server that has just come up.
function M.server_changed(life)
  is_restored, is_asking, is_stale = false, false, false
  if life ~= 'running' then
    return
  end
  if not is_read then
    read()
  end
  if #list == 0 then
    is_restored = true
    return
  end
  server.request('foretell/restore', { rejections = list }, function(restored)
    -- What was not taken back is still ours to keep, until a server takes it.
    if restored ~= nil then
      is_restored = true
      M.refresh()
    end
  end)
end

return M
