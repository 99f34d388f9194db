-- The help file: everything that can be set, typed, called or coloured has a tag in it, and every tag that it
-- points to is there. It and the page of the documentation quote what the plugin says, and its options.
local expect = require('support.expect')
local places = require('support.places')
local story = require('support.stories').story
local waiting = require('support.waiting')

local HELP = places.plugin .. '/doc/foretell.txt'
local PAGE = vim.fs.normalize(places.tests .. '/../../../docs/editors/nvim.md')

local function read(name)
  return assert(places.read(places.plugin .. '/' .. name))
end

local function tags()
  local found = {}
  for line in vim.gsplit(assert(places.read(HELP)), '\n', { plain = true }) do
    for tag in line:gmatch('%*([^%s*|]+)%*') do
      expect.truthy(found[tag] == nil, ('%s has one place'):format(tag))
      found[tag] = true
    end
  end
  return found
end

local function headless(...)
  local command = { places.nvim, '--clean', '--headless', ... }
  command[#command + 1] = '+qa!'
  return vim.system(command, { text = true }):wait(waiting.patience_ms)
end

--- Runs something with the plugin's modules, in the Neovim under test, and gives what it gives.
local function inside(code)
  local script = ('io.stdout:write(vim.json.encode((function() %s end)()))'):format(code)
  local done = headless('--cmd', 'set rtp^=' .. places.plugin, '+lua ' .. script)
  local ok, found = pcall(vim.json.decode, done.stdout)
  expect.truthy(ok, 'it answers: ' .. tostring(done.stdout) .. tostring(done.stderr))
  return found
end

local function all_have_tags(names, form)
  local found = tags()
  expect.truthy(#names > 0, 'there are any')
  for _, name in ipairs(names) do
    local tag = form:format(name)
    expect.truthy(found[tag], ('the help has *%s*'):format(tag))
  end
end

story('Neovim makes tags of the help, without a complaint, and they are those that are there', function()
  local directory = places.new_directory()
  places.write(directory .. '/doc/foretell.txt', assert(places.read(HELP)))
  local done = headless('+helptags ' .. directory .. '/doc')
  local made = places.read(directory .. '/doc/tags')
  vim.fn.delete(directory, 'rf')
  expect.equal(vim.trim(done.stderr), '')
  expect.truthy(made and made:find('foretell-config', 1, true), 'there are tags')
  local anew = "`nvim --headless '+helptags editors/nvim/doc' +q` makes them anew"
  expect.equal(places.read(places.plugin .. '/doc/tags'), made, anew)
end)

story('help is found where the plugin is on runtimepath, and nothing else was done', {
  files = { ['file.ts'] = '' },
}, function(editor)
  for _, tag in ipairs({ 'foretell', 'foretell-config-keys', ':Foretell-why' }) do
    editor:command('help ' .. tag)
    waiting.wait_for('help at ' .. tag, function()
      return editor:ask('return vim.fn.getline(".")'):find(('*%s*'):format(tag), 1, true)
    end)
    editor:until_shows('foretell.txt')
  end
  expect.equal(editor:messages(), {})
end)

story('what the help points to is there', function()
  local ours, theirs = tags(), {}
  local runtime = inside('return { vim.env.VIMRUNTIME }')[1]
  for line in io.lines(runtime .. '/doc/tags') do
    theirs[line:match('^[^\t]+')] = true
  end
  -- Newer Neovims have this tag.
  theirs['hl-ComplHint'] = true
  for tag in assert(places.read(HELP)):gmatch('|([^%s|]+)|') do
    expect.truthy(ours[tag] or theirs[tag], ('|%s| leads somewhere'):format(tag))
  end
end)

story('every option is in the help', function()
  local config = read('lua/foretell/config.lua')
  local kinds = config:match('local KINDS = {(.-)\n}')
  all_have_tags(vim.iter(kinds:gmatch('\n  ([%w_]+) =')):totable(), 'foretell-config-%s')
  all_have_tags(inside("return vim.tbl_keys(require('foretell.config').get().keys)"), 'foretell-config-keys-%s')
end)

story('every word of :Foretell is in the help', function()
  all_have_tags(inside("return require('foretell.commands').complete('', 'Foretell ')"), ':Foretell-%s')
end)

story('every function is in the help', function()
  all_have_tags(inside("return vim.tbl_keys(require('foretell'))"), 'foretell.%s()')
end)

story('every highlight is in the help', function()
  local names = inside([[
    require('foretell.drawing').highlights()
    return vim.tbl_filter(function(name)
      return vim.startswith(name, 'Foretell')
    end, vim.tbl_keys(vim.api.nvim_get_hl(0, {})))
  ]])
  all_have_tags(names, 'hl-%s')
end)

for _, path in ipairs({ HELP, PAGE }) do
  local name = vim.fs.basename(path)

  story('every message that a person may get is in ' .. name, function()
    local text = assert(places.read(path))
    local troubles = read('lua/foretell/server.lua'):match('local TROUBLES = {(.-)\n}')
    local messages = vim.iter(troubles:gmatch("= '([^']+)'")):totable()
    for words in read('lua/foretell/config.lua'):gmatch("say%.once%('%w+', '([^']+)'%)") do
      messages[#messages + 1] = words
    end
    expect.truthy(#messages >= 4, 'all of them are found')
    for _, message in ipairs(messages) do
      expect.truthy(text:find(message, 1, true), ('%s has %q'):format(name, message))
    end
  end)

  story('the options that it shows are those that there are, as they are by default: ' .. name, function()
    local block = assert(places.read(path)):match('require%("foretell"%)%.setup(%b())')
    local shown = assert(loadstring('return ' .. block))()
    -- Functions cannot be compared, so their results are.
    shown.enabled = shown.enabled(0)
    local set = inside([[
      local set = require('foretell.config').get()
      set.enabled = set.enabled(0)
      return set
    ]])
    expect.equal(shown, set)
    local kinds = read('lua/foretell/config.lua'):match('local KINDS = {(.-)\n}')
    for option in kinds:gmatch('\n  ([%w_]+) =') do
      expect.truthy(block:find(('\n%%s+%s = '):format(option)), ('%s has %s'):format(name, option))
    end
  end)
end
