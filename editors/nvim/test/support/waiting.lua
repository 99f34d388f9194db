-- Waits for something to become true, and says what was waited for if it does not.
--
-- It is the only place of the tests that lets time pass. There is no plain sleep, because a test
-- that sleeps is slow on a fast machine and wrong on a slow one. Two things need time and say how
-- much: keys come at the rate of a person, and that nothing happens can only be seen over a
-- while.
local M = {}

--- Long enough for two busy cores; nothing that works takes it.
M.patience_ms = 20000

--- Between two keys: fast for a person.
M.key_ms = 25

--- So long nothing may happen where nothing should. It is several times what the slowest thing
--- takes that could wrongly happen: the pace of the server is 200 ms at most in these tests, and
--- its lane 30.
M.quiet_ms = 700

--- Lets other things happen for a while.
function M.pass(ms)
  vim.wait(ms, function()
    return false
  end, ms)
end

--- Looks until there is something to see: anything but `nil` and `false`.
--- `seen` is asked when it took too long, for what there was instead.
function M.wait_for(what, look, seen, patience_ms)
  local patience = patience_ms or M.patience_ms
  local finish = vim.uv.now() + patience
  while true do
    local found = look()
    if found then
      return found
    end
    vim.uv.update_time()
    if vim.uv.now() > finish then
      local instead = seen and '; there is ' .. vim.inspect(seen()):sub(1, 2000) or ''
      error(('after %d ms there is no %s%s'):format(patience, what, instead), 2)
    end
    M.pass(10)
  end
end

return M
