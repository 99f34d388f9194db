-- Counts frames. What came and went between two of them nobody has seen, and so nobody has rejected it.
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
