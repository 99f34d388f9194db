-- Which `foretell` is started: the one that `cmd` names, else the one on PATH.
--
-- If the configuration names a program that does not exist, no other one replaces it: the person wants that
-- one, or wants to know. A relative place on PATH may be a stranger's, and is skipped.
local config = require('foretell.config')

local M = {}

local NAME = vim.fn.has('win32') == 1 and 'foretell.exe' or 'foretell'
local BETWEEN = vim.fn.has('win32') == 1 and ';' or ':'

local function is_absolute(path)
  return path:match('^/') ~= nil or path:match('^%a:[\\/]') ~= nil or path:match('^\\\\') ~= nil
end

local function is_program(path)
  local stat = vim.uv.fs_stat(path)
  return stat ~= nil and stat.type == 'file' and vim.fn.executable(path) == 1
end

local function on_path(name)
  for directory in vim.gsplit(vim.env.PATH or '', BETWEEN, { plain = true }) do
    local path = directory .. '/' .. name
    if is_absolute(directory) and is_program(path) then
      return path
    end
  end
end

--- The program, or nothing and what to do about it.
---@return string? program, string? why
function M.find()
  local named = config.get().cmd
  if named == nil then
    local found = on_path(NAME)
    return found,
      'its server is missing: there is no program foretell on PATH. Install it, or name it by `cmd`.'
  end
  local path = vim.fs.normalize(named)
  local found
  if is_absolute(path) then
    found = is_program(path) and path or nil
  elseif not path:find('/', 1, true) then
    found = on_path(path)
  end
  return found, ('its server is missing: `cmd` names %s, which is not there or cannot be run.'):format(named)
end

return M
