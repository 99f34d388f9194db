-- Says what a story expects; what is not so ends the story, with both.
local M = {}

function M.equal(found, wanted, what)
  if not vim.deep_equal(found, wanted) then
    local words = what and what .. ': ' or ''
    error(('%sthere is %s, not %s'):format(words, vim.inspect(found), vim.inspect(wanted)), 2)
  end
end

function M.truthy(found, what)
  if not found then
    error('it is not so that ' .. what, 2)
  end
end

--- Every frame has a row that is exactly this, from the first one on that has it. A row that has
--- only the beginning of it is a blank frame; a row with more is one in which text and ghost text
--- do not fit.
function M.steady(frames, row)
  local began = false
  for number, frame in ipairs(frames) do
    local has = vim.tbl_contains(frame.rows, row)
    if began and not has then
      local shown = table.concat(frame.rows, '\n'):gsub('\n~', '')
      error(('frame %d of %d lacks %q:\n%s'):format(number, #frames, row, shown), 2)
    end
    began = began or has
  end
  if not began then
    local last = frames[#frames] and table.concat(frames[#frames].rows, '\n') or 'no frame'
    error(('no frame of %d has %q:\n%s'):format(#frames, row, last), 2)
  end
end

return M
