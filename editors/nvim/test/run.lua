-- Tells the stories of the plugin in a real Neovim: `nvim -l editors/nvim/test/run.lua [FILTER]`.
--
-- FILTER is part of a file's name or of a story's. The Neovim under test is TEST_FORETELL_NVIM's,
-- or the one on PATH; the one that runs this may be another. The exit status is 0 if all went
-- well. Nothing here knows what a story is about.
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
package.path = here .. '/?.lua;' .. package.path

local places = require('support.places')
local stories = require('support.stories')

local function say(text)
  io.stdout:write(text, '\n')
  io.stdout:flush()
end

local function declare()
  local names = vim.fn.glob(here .. '/*_test.lua', true, true)
  table.sort(names)
  for _, path in ipairs(names) do
    stories.begin(vim.fn.fnamemodify(path, ':t:r'):gsub('_test$', ''))
    dofile(path)
  end
end

local function main(filter)
  declare()
  local passed, failed = 0, {}
  for _, story in ipairs(stories.declared) do
    local name = ('%s: %s'):format(story.file, story.name)
    if filter == nil or name:find(filter, 1, true) then
      local began = vim.uv.hrtime()
      local problem = stories.tell(story)
      local took = (vim.uv.hrtime() - began) / 1e9
      say(('%s  %s (%.1f s)'):format(problem and 'FAILED' or 'ok', name, took))
      if problem then
        failed[#failed + 1] = name
        say(problem)
      else
        passed = passed + 1
      end
    end
  end
  if #failed > 0 then
    say('\nfailed:\n  ' .. table.concat(failed, '\n  '))
  end
  local version = table.concat(places.version(), '.')
  say(('\nin Neovim %s, %s'):format(version, places.nvim))
  say(('nvim: %d passed, %d failed'):format(passed, #failed))
  return #failed == 0 and passed > 0 and 0 or 1
end

os.exit(main(arg[1]))
