-- The server is missing, is another one, or keeps dying: one message at most, and typing goes on.
local expect = require('support.expect')
local places = require('support.places')
local programs = require('support.programs')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local SCRIPT = { { after = 'const sum = ', insert = 'price;', delayMs = 30 } }

--- An editor whose server is a program of the story's, which is written before it starts.
local function with(does, more)
  local setup = telling.setup(vim.tbl_deep_extend('force', {
    files = { ['typed.ts'] = '' },
    open = 'typed.ts',
    ready = false,
    config = { cmd = '/nowhere/foretell' },
  }, more or {}))
  if does then
    setup.before = function(editor)
      setup.config.cmd = programs.write(editor, does)
    end
  end
  return setup
end

--- What is typed is what is saved, no more is said than this, and nothing waits for a key. What
--- to do is in `:checkhealth`, in these words.
local function one_message(editor, words, advice)
  if words ~= nil then
    local said = editor:until_messages(1)
    expect.truthy(said[1]:find(words, 1, true), ('it says %q: %s'):format(words, said[1]))
    expect.truthy(#said[1] < 80, 'it fits: ' .. said[1])
  end
  editor:type('ilet a = 1;')
  editor:until_text('let a = 1;')
  editor:press('Escape')
  editor:until_mode('n')
  waiting.pass(waiting.quiet_ms)
  expect.equal(#editor:messages(), words and 1 or 0, 'the number of messages')
  expect.equal(editor:saved(), 'let a = 1;\n')
  if advice ~= nil then
    editor:command('checkhealth foretell')
    -- The window of the report is there before the report is.
    waiting.wait_for(('advice %q'):format(advice), function()
      return editor:text():find(advice, 1, true)
    end, function()
      return editor:text()
    end)
    editor:command('bwipeout')
    editor:until_text('let a = 1;')
  end
end

--- The options are good now: something is suggested.
local function works(editor)
  editor:ask('vim.g.foretell = ...', {
    cmd = places.server(),
    args = { '--script', editor:write('script.json', vim.json.encode(SCRIPT)) },
  })
  editor:forget()
  editor:command('Foretell restart')
  editor:until_said('textDocument/didOpen')
  editor:type('oconst sum = ')
  editor:until_ghost('price;')
end

story('settings name a program that is not there', with(nil), function(editor)
  one_message(editor, 'not found', '/nowhere/foretell')
  editor:screenshot('trouble-no-program')
  works(editor)
end)

story('there is no program on PATH', with(nil, { config = { cmd = false } }), function(editor)
  one_message(editor, 'not found', 'on PATH')
  works(editor)
end)

story('a program of another protocol', with(programs.OF_ANOTHER_PROTOCOL), function(editor)
  one_message(editor, 'does not fit', 'speaks protocol 7')
  programs.until_ended(editor)
  expect.equal(#programs.pids(editor), 1)
  works(editor)
end)

for _, bad in ipairs({
  { 'that ends as soon as it is started', programs.ENDS_AT_ONCE, 'keeps ending' },
  { 'that says nothing and ends', programs.SAYS_NOTHING_AND_ENDS, 'keeps ending' },
  { 'that says something else and waits', programs.SAYS_SOMETHING_ELSE_AND_WAITS, nil },
  { 'that never answers', programs.NEVER_ANSWERS, nil },
}) do
  local what, does, words = unpack(bad)
  story('a program ' .. what, with(does), function(editor)
    programs.until_started(editor)
    one_message(editor, words, words and 'ended 5 times')
    if words ~= nil then
      expect.equal(#programs.pids(editor), 5)
    end
    works(editor)
    programs.until_ended(editor)
  end)
end

local GIVES_BACK = with(programs.GIVES_BACK_WHAT_IT_GETS)

story('a program that gives back what it gets', GIVES_BACK, function(editor)
  programs.until_started(editor)
  editor:type('ilet a = 1;')
  editor:until_text('let a = 1;')
  editor:press('Escape')
  editor:until_mode('n')
  waiting.pass(waiting.quiet_ms)
  expect.truthy(#editor:messages() <= 1, 'there is one message at most')
  works(editor)
end)

story('a program that may not be run, and words, and a directory', with(nil), function(editor)
  local words = editor:write('words', 'These are words.\n')
  editor:until_messages(1)
  for _, path in ipairs({ words, editor.workspace }) do
    editor:command('messages clear')
    editor:ask('vim.g.foretell = ...', { cmd = path })
    editor:command('Foretell restart')
    local said = editor:until_messages(1)
    expect.truthy(said[1]:find('not found', 1, true), said[1])
    expect.equal(#said, 1)
  end
  works(editor)
end)

story('a server that is killed again and again', telling.setup({
  files = { ['typed.txt'] = '' },
  script = SCRIPT,
}), function(editor)
  for deaths = 1, 4 do
    editor:forget()
    editor:kill_server()
    editor:until_said('textDocument/didOpen')
    expect.equal(#editor:messages(), 0, ('messages after %d deaths'):format(deaths))
  end
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
  editor:press('Escape')
  editor:until_mode('n')
  editor:kill_server()
  local said = editor:until_messages(1)
  expect.truthy(said[1]:find('keeps ending', 1, true), said[1])
  editor:type('olet a = 1;')
  editor:until_text('const sum = \nlet a = 1;')
  waiting.pass(waiting.quiet_ms)
  expect.equal(#editor:messages(), 1)
  expect.equal(#editor:servers(), 0)
  works(editor)
end)

story('Neovim ends, and so does the server, also one that hangs', with(programs.NEVER_ANSWERS, {
  headless = true,
}), function(editor)
  programs.until_started(editor)
  pcall(editor.ask, editor, 'vim.cmd("qall!")')
  waiting.wait_for('end of Neovim', function()
    return vim.uv.kill(editor.pid, 0) ~= 0
  end)
  programs.until_ended(editor)
end)
