-- The options: `vim.g.foretell`, and over it those of `setup`. Mistakes are reported once, and the rest
-- applies.
local say = require('foretell.say')

local M = {}

---@class foretell.Keys
---@field accept string|false
---@field accept_word string|false
---@field accept_line string|false
---@field reject string|false
---@field normal_accept string|false

---@class foretell.Config
---@field cmd string? the server's program; by default the `foretell` on PATH
---@field args string[] what it is started with, behind `lsp`
---@field settings table what the server is told of its settings: docs/settings.md
---@field keys foretell.Keys keys of insert mode, and one of normal mode, ours only while something is shown
---@field normal_mode boolean whether next edits are shown in normal mode, too
---@field ghost_text 'auto'|'native'|'extmarks' who draws ghost text
---@field enabled fun(buf: integer): boolean which buffers are followed, of those that can be
local DEFAULTS = {
  cmd = nil,
  args = {},
  settings = {},
  keys = {
    accept = '<Tab>',
    accept_word = '<M-Right>',
    accept_line = '<M-C-Right>',
    reject = '<C-e>',
    normal_accept = '<Tab>',
  },
  normal_mode = true,
  ghost_text = 'auto',
  enabled = function()
    return true
  end,
}

--- The kind of each option, in words that follow "must be".
local KINDS = {
  cmd = 'a string',
  args = 'a list of strings',
  settings = 'a table',
  keys = 'a table',
  normal_mode = 'true or false',
  ghost_text = "'auto', 'native' or 'extmarks'",
  enabled = 'a function',
}

local given = {}
local resolved = nil

local function is_list_of_strings(value)
  if not vim.islist(value) then
    return false
  end
  return vim.iter(value):all(function(it)
    return type(it) == 'string'
  end)
end

local function fits(name, value)
  if name == 'cmd' then
    return type(value) == 'string'
  elseif name == 'args' then
    return type(value) == 'table' and is_list_of_strings(value)
  elseif name == 'ghost_text' then
    return vim.list_contains({ 'auto', 'native', 'extmarks' }, value)
  elseif name == 'enabled' then
    return type(value) == 'function'
  elseif name == 'normal_mode' then
    return type(value) == 'boolean'
  end
  return type(value) == 'table'
end

local function take_keys(keys, faults)
  local taken = {}
  for action, key in pairs(keys) do
    if DEFAULTS.keys[action] == nil then
      table.insert(faults, ('keys.%s is unknown'):format(tostring(action)))
    elseif key ~= false and (type(key) ~= 'string' or key == '') then
      table.insert(faults, ('keys.%s must be a key or false'):format(action))
    else
      taken[action] = key
    end
  end
  local all = vim.tbl_extend('force', DEFAULTS.keys, taken)
  local used = {}
  for action, key in vim.spairs(all) do
    local same = key and vim.fn.keytrans(vim.api.nvim_replace_termcodes(key, true, true, true))
    if action == 'normal_accept' then
      -- The only one of its mode.
      same = nil
    end
    if same == nil then
      all[action] = key
    elseif key and used[same] then
      table.insert(faults, ('keys.%s is the same key as keys.%s'):format(action, used[same]))
      all[action] = false
    elseif key then
      used[same] = action
    end
  end
  return all
end

--- The given options that fit, and the mistakes.
---@return foretell.Config, string[]
local function resolve(written)
  local config, faults = vim.deepcopy(DEFAULTS), {}
  for name, value in pairs(written) do
    if KINDS[name] == nil then
      table.insert(faults, ('%s is unknown'):format(tostring(name)))
    elseif not fits(name, value) then
      table.insert(faults, ('%s must be %s'):format(name, KINDS[name]))
    elseif name == 'keys' then
      config.keys = take_keys(value, faults)
    else
      config[name] = value
    end
  end
  table.sort(faults)
  return config, faults
end

--- Sets what is not to be as it is by default.
function M.set(options)
  given = type(options) == 'table' and options or {}
  resolved = nil
end

--- Looks again at what is set.
function M.reread()
  resolved = nil
end

--- The options that apply.
---@return foretell.Config
function M.get()
  if resolved == nil then
    local faults
    local global = type(vim.g.foretell) == 'table' and vim.g.foretell or {}
    resolved, faults = resolve(vim.tbl_deep_extend('force', global, given))
    if vim.g.foretell ~= nil and type(vim.g.foretell) ~= 'table' then
      table.insert(faults, 'vim.g.foretell must be a table')
    end
    M.faults = faults
    if #faults > 0 then
      say.once('config', 'its configuration has mistakes; see :checkhealth foretell')
    end
  end
  return resolved
end

--- The mistakes in the given options.
---@type string[]
M.faults = {}

return M
