-- Keys that are ours only while something is shown, and the person's at all other times.
--
-- They are mapped in the buffer when something comes, and what was mapped there before is put back when it
-- goes; so nothing of anybody's is replaced, and no key does something else while nothing is shown.
--
-- Esc is not mapped at all: what it does is the person's, and often some other key does it. That insert
-- mode was left by it is seen.
local config = require('foretell.config')

local M = {}

---@class foretell.Mapped
---@field key string
---@field run fun() what it is mapped to
---@field before table? what it was mapped to in the buffer
---@field mode 'i'|'n'

--- The mapped keys, by the names of the configuration.
---@type { buf: integer, keys: table<string, foretell.Mapped> }?
local mapped = nil
--- The key that was last handled.
local last_key = ''

local function mapping_of(buf, key, mode)
  return vim.api.nvim_buf_call(buf, function()
    local found = vim.fn.maparg(key, mode, false, true)
    return found.buffer == 1 and found or nil
  end)
end

---@param entry foretell.Mapped
local function is_there(buf, entry)
  local now = vim.api.nvim_buf_is_valid(buf) and mapping_of(buf, entry.key, entry.mode)
  return now and now.callback == entry.run
end

--- Does what a key is for. When that is over by now, because several keys came at once, the key does what it
--- does without us.
---@param action string one of the keys of the configuration
local function run(action, key)
  -- All but one are called like what they do.
  local does = action == 'normal_accept' and 'accept' or action
  if require('foretell')[does]() then
    return
  end
  -- A mapping over ours that calls ours would be called again.
  local entry = mapped and mapped.keys[action]
  local mode = entry and is_there(mapped.buf, entry) and 'im' or 'in'
  M.hide()
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(key, true, true, true), mode, false)
end

---@return foretell.Mapped?
local function map(buf, action, key)
  local mode = action == 'normal_accept' and 'n' or 'i'
  local entry = { key = key, mode = mode, before = mapping_of(buf, key, mode) }
  entry.run = function()
    run(action, key)
  end
  local desc = 'Foretell: ' .. action:gsub('_', ' ')
  -- Not everything that can be written is a key.
  return pcall(vim.keymap.set, mode, key, entry.run, { buffer = buf, desc = desc }) and entry or nil
end

---@param entry foretell.Mapped
local function unmap(buf, entry)
  -- Somebody else has mapped it meanwhile, and it is theirs.
  if not is_there(buf, entry) then
    return
  end
  pcall(vim.keymap.del, entry.mode, entry.key, { buffer = buf })
  if entry.before ~= nil then
    vim.api.nvim_buf_call(buf, function()
      vim.fn.mapset(entry.mode, false, entry.before)
    end)
  end
end

--- Maps the keys for what is shown in a buffer, and only these.
---@param buf integer
---@param actions table<string, boolean>
function M.show(buf, actions)
  if mapped ~= nil and mapped.buf ~= buf then
    M.hide()
  end
  mapped = mapped or { buf = buf, keys = {} }
  -- Keys of an open popup menu are the menu's.
  local is_ours = vim.fn.pumvisible() == 0
  for action, key in pairs(config.get().keys) do
    local entry = mapped.keys[action]
    local wanted = is_ours and key and actions[action]
    if wanted and entry == nil then
      mapped.keys[action] = map(buf, action, key)
    elseif not wanted and entry ~= nil then
      unmap(buf, entry)
      mapped.keys[action] = nil
    end
  end
end

--- Whether a popup menu has the keys: Neovim's, or that of a plugin which says so.
function M.is_for_popup()
  if vim.fn.pumvisible() ~= 0 then
    return true
  end
  local cmp, blink = package.loaded['cmp'], package.loaded['blink.cmp']
  local function says(plugin, name)
    local is_there, is_open = pcall(function()
      return plugin[name]()
    end)
    return is_there and is_open == true
  end
  return cmp ~= nil and says(cmp, 'visible') or blink ~= nil and says(blink, 'is_menu_visible')
end

--- Whether the key that accepts is Tab, and Tab goes to the next place of a snippet just now.
function M.is_for_snippet()
  local key = config.get().keys.accept
  return key
    and vim.fn.keytrans(vim.api.nvim_replace_termcodes(key, true, true, true)) == '<Tab>'
    and vim.snippet.active({ direction = 1 })
end

--- Gives all keys back.
function M.hide()
  local before = mapped
  mapped = nil
  for _, entry in pairs(before and before.keys or {}) do
    unmap(before.buf, entry)
  end
end

--- Told of each key that is typed, before it does anything: what mappings make of it, and what runs by itself,
--- is not.
M.on_typed = function() end

--- Begins to look at keys.
function M.listen()
  vim.on_key(function(key, typed)
    last_key = key
    if typed ~= '' then
      M.on_typed()
    end
  end, vim.api.nvim_create_namespace('foretell.keys'))
end

--- Whether the last key was Esc, typed or by a mapping.
function M.was_escape()
  return last_key == '\27'
end

return M
