-- The few messages that a person gets: each kind of trouble once, and in one line. A longer one would make
-- Neovim wait for a key.
local M = {}

local said = {}

--- Says something that is worth interrupting for, unless this kind of thing was said already.
---@param kind string
---@param words string
---@param level integer?
---@param where string? where all of it can be read, if there is no room for it
function M.once(kind, words, level, where)
  if said[kind] then
    return
  end
  said[kind] = true
  vim.schedule(function()
    local line = M.fitting('Foretell: ' .. words:gsub('%s+', ' '), where)
    vim.notify(line, level or vim.log.levels.WARN, { title = 'Foretell' })
  end)
end

--- As much of a line as fits below the window.
---@param line string
---@param where string? where all of it can be read
---@return string
function M.fitting(line, where)
  local room = math.max(vim.v.echospace, 40)
  if vim.fn.strdisplaywidth(line) <= room then
    return line
  end
  local ending = '…' .. (where or '')
  return vim.fn.strcharpart(line, 0, room - vim.fn.strdisplaywidth(ending)) .. ending
end

--- Lets a kind of thing be said again, because it had become better or the person asks anew.
---@param kind string?
function M.again(kind)
  if kind == nil then
    said = {}
  else
    said[kind] = nil
  end
end

return M
