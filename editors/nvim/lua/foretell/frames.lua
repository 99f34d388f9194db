-- Counts frames. The person has not seen a suggestion that came and went between two of them, and so has not
-- rejected it.
local M = {}

local count = 0

--- Begins to count.
function M.listen()
  vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace('foretell.frames'), {
    on_end = function()
      count = count + 1
    end,
  })
end

--- How many there were.
---@return integer
function M.count()
  return count
end

return M
