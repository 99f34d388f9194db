-- The person's pauses: a file, a language, or everything, for an hour or until they go on. It ends
-- with Neovim.
--
-- While something is paused the server is not asked about it, and nothing is drawn there. It still hears what
-- happens, so that it is up to date when the person goes on.
local M = {}

local HOUR_MS = 60 * 60 * 1000

local files = {}
local languages = {}
--- When it ends, in milliseconds of a clock that only goes forward.
local ends_at = nil
local is_all = false
--- Draws the end of an hour.
local timer = nil

--- Told when something was paused or goes on.
M.on_change = function() end

--- Why nothing is asked about a buffer, in words that follow "paused"; nothing if it is not.
---@return string?
function M.reason(buf)
  if is_all then
    return 'everywhere'
  elseif ends_at ~= nil then
    local left = math.ceil((ends_at - vim.uv.now()) / 60000)
    if left > 0 then
      return left == 1 and 'for a minute' or ('for %d minutes'):format(left)
    end
  end
  local language = vim.bo[buf].filetype
  if languages[language] then
    return 'for ' .. (language ~= '' and language or 'files without a type')
  elseif files[vim.api.nvim_buf_get_name(buf)] then
    return 'for this file'
  end
end

local function draw_end()
  if timer ~= nil then
    timer:stop()
    timer:close()
    timer = nil
  end
  if ends_at ~= nil then
    timer = vim.defer_fn(function()
      timer = nil
      ends_at = nil
      M.on_change()
    end, math.max(ends_at - vim.uv.now(), 0))
  end
end

--- Pauses.
---@param what 'all'|'file'|'language'|'hour'
function M.pause(what)
  local buf = vim.api.nvim_get_current_buf()
  if what == 'all' then
    is_all = true
  elseif what == 'file' then
    files[vim.api.nvim_buf_get_name(buf)] = true
  elseif what == 'language' then
    languages[vim.bo[buf].filetype] = true
  else
    ends_at = vim.uv.now() + HOUR_MS
    draw_end()
  end
  M.on_change()
end

--- Ends whatever pauses the buffer one is in.
function M.resume()
  local buf = vim.api.nvim_get_current_buf()
  is_all, ends_at = false, nil
  files[vim.api.nvim_buf_get_name(buf)] = nil
  languages[vim.bo[buf].filetype] = nil
  draw_end()
  M.on_change()
end

return M
