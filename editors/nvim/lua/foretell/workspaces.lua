-- Which workspace a file belongs to: the nearest directory above it that has `.git` or `.foretell.toml`.
--
-- It depends on the file alone, not on what was opened first or where Neovim was started: what is kept of a file
-- is found again by it.
local M = {}

local MARKERS = { '.git', '.foretell.toml' }

--- Known workspaces, by the directory of a file: `false` is none.
local found = {}

---@param uri string
local function directory_of(uri)
  return vim.fs.dirname(vim.uri_to_fname(uri))
end

--- The workspace of a file, if it is in one.
---@param uri string
---@return string?
function M.of(uri)
  local directory = directory_of(uri)
  if found[directory] == nil then
    local marker = vim.fs.find(MARKERS, { upward = true, path = directory })[1]
    found[directory] = marker and vim.fs.dirname(marker) or false
  end
  return found[directory] or nil
end

--- The directory by which what is kept of a file is found: its workspace, or where it is if it is in none.
---@param uri string
---@return string
function M.home(uri)
  return M.of(uri) or directory_of(uri)
end

return M
