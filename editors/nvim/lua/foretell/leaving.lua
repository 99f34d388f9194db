-- Decides what leaving insert mode meant. By Esc it was a rejection, unless the mapping that left it enters it
-- again, as mappings that save do.
--
-- That is known when the mapping is over: when the next key is typed, when Neovim waits for one, or when it
-- ends. So it makes no difference how long the mapping takes, nor what was typed ahead.
local rejections = require('foretell.rejections')
local server = require('foretell.server')

local M = {}

---@alias foretell.Tell fun(what: 'didIgnore'|'didReject')

--- The suggestion shown when Esc left insert mode, until it is known what that meant.
---@type { tells: foretell.Tell[], server: integer, waiting: integer }?
local left = nil

---@param tells foretell.Tell[]
---@param what 'didIgnore'|'didReject'
local function say(tells, what)
  for _, tell in ipairs(tells) do
    tell(what)
  end
  if what == 'didReject' then
    rejections.refresh()
  end
end

---@param what 'didIgnore'|'didReject'
local function settle(what)
  local before = left
  left = nil
  if before == nil then
    return
  end
  pcall(vim.api.nvim_del_autocmd, before.waiting)
  -- Another server knows nothing of it.
  if before.server == server.count() then
    say(before.tells, what)
  end
end

--- Insert mode was left while something was shown.
---@param tells foretell.Tell[] who tells what became of it
---@param was_escape boolean
function M.begin(tells, was_escape)
  if #tells == 0 then
    return
  end
  M.finish()
  if not was_escape then
    say(tells, 'didIgnore')
    return
  end
  local waiting = vim.api.nvim_create_autocmd('SafeState', { callback = M.finish, once = true })
  left = { tells = tells, server = server.count(), waiting = waiting }
end

--- Insert mode was entered again, and no key was typed in between.
function M.undo()
  settle('didIgnore')
end

--- Whatever left insert mode is over.
function M.finish()
  settle('didReject')
end

return M
