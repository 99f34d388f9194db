-- Medians, and how sure one can be of them.
--
-- The resamples are drawn by a seed, so that the same measurements always print the same interval.
local M = {}

function M.quantile(values, part)
  assert(#values > 0, 'there is nothing to take a quantile of')
  local sorted = vim.list_slice(values)
  table.sort(sorted)
  local at = (#sorted - 1) * part + 1
  local low, high = sorted[math.floor(at)], sorted[math.ceil(at)]
  return low + (high - low) * (at - math.floor(at))
end

function M.median(values)
  return M.quantile(values, 0.5)
end

--- A small generator of numbers from 0 to 1 that is good enough to pick samples.
local function generator(seed)
  local state = seed
  return function()
    -- Park and Miller's: all of it fits a number of Lua's.
    state = (state * 48271) % 2147483647
    return state / 2147483647
  end
end

--- The 95 % interval of the median, by resampling two thousand times.
function M.interval_of_median(values, seed)
  local random = generator(seed or 1)
  local medians = {}
  for number = 1, 2000 do
    local sample = {}
    for at = 1, #values do
      sample[at] = values[math.min(#values, math.floor(random() * #values) + 1)]
    end
    medians[number] = M.median(sample)
  end
  return M.quantile(medians, 0.025), M.quantile(medians, 0.975)
end

return M
