-- `:Foretell` and what it answers, pauses, what is kept when Neovim ends, and `:checkhealth
-- foretell`.
local expect = require('support.expect')
local ModelServer = require('support.model_server')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local function with(more)
  return telling.with_line('menu.ts', more)
end

local offered = telling.offered

--- Types what would be suggested upon, and waits for so long that something would have come of it.
local function typed_in_vain(editor)
  editor:forget()
  editor:type('Goconst sum = ')
  editor:press(telling.ASK)
  waiting.pass(waiting.quiet_ms)
  expect.equal(editor:ghost(), nil)
  expect.equal(editor:said('textDocument/inlineCompletion'), {})
  expect.equal(editor:said('textDocument/copilotInlineEdit'), {})
  editor:press('C-c')
  editor:until_mode('n')
end

--- Asks, and gives what the window says that opens.
local function report(editor, name)
  editor:command('Foretell ' .. name)
  editor:until_shows('foretell://' .. name)
  return editor:text()
end

story('why, status and rejections are told in a window that q closes', with(), function(editor)
  offered(editor)
  editor:press('Tab')
  editor:until_no_ghost()
  local why = report(editor, 'why')
  editor:screenshot('commands-why')
  expect.truthy(why:find('menu.ts', 1, true), 'it says of which file: ' .. why)
  -- It is for reading.
  editor:type('ix')
  expect.equal(editor:text(), why)
  editor:press('Escape')
  editor:until_mode('n')
  editor:type('q')
  editor:until_hides('foretell://why')
  local status = report(editor, 'status')
  editor:screenshot('commands-status')
  expect.truthy(status:find('fim', 1, true), 'it says which lanes there are: ' .. status)
  editor:type('q')
  editor:until_hides('foretell://status')
  expect.equal(report(editor, 'rejections'), 'Nothing is rejected.')
  editor:type('q')
  editor:until_hides('foretell://rejections')
  -- The server hears of the file alone.
  expect.equal(#editor:said('textDocument/didOpen'), 1)
end)

story('what is rejected is listed; what is forgotten may come again', with(), function(editor)
  offered(editor)
  editor:press('Escape')
  editor:until_no_ghost()
  editor:until_said('foretell/didReject')
  editor:until_mode('n')
  local listed = report(editor, 'rejections')
  editor:screenshot('commands-rejections')
  local number = listed:match('\n%s+(%d+) ')
  expect.truthy(number and listed:find('price;', 1, true), 'it is listed: ' .. listed)
  editor:type('q')
  editor:until_hides('foretell://rejections')
  editor:command('Foretell forget ' .. number)
  editor:until_shows('forgotten')
  editor:type('A')
  editor:press(telling.ASK)
  editor:until_ghost('price;')
  editor:press('Escape')
  editor:until_no_ghost()
  editor:until_said('foretell/didReject')
  editor:command('Foretell forget all')
  editor:until_shows('forgotten; 0 left')
end)

story('what was sent is told', function()
  local model = ModelServer.start(telling.SCRIPT)
  local settings = { lanes = { fim = { kind = 'llama-cpp', url = model.url } } }
  return with({ config = { settings = settings }, script = false })
end, function(editor)
  offered(editor)
  editor:press('Tab')
  editor:until_no_ghost()
  local sent = report(editor, 'sent')
  editor:screenshot('commands-sent')
  expect.truthy(sent:find('infill', 1, true), 'it says where: ' .. sent)
  expect.truthy(sent:find('const sum = ', 1, true), 'it says what: ' .. sent)
end)

story('a pause: everywhere, for a file, for a language, for an hour', with({
  files = { ['paused.ts'] = '', ['other.txt'] = '' },
  open = 'paused.ts',
  init = 'vim.o.hidden = true',
}), function(editor)
  for _, what in ipairs({ '', ' file', ' language', ' hour' }) do
    editor:command('Foretell pause' .. what)
    editor:until_shows('paused')
    editor:until_said('foretell/didPause', function(it)
      return it.params.paused
    end)
    typed_in_vain(editor)
    if what == ' file' or what == ' language' then
      editor:command('edit other.txt')
      editor:until_shows('other.txt')
      offered(editor)
      editor:press('Tab')
      editor:until_no_ghost()
      editor:command('edit paused.ts')
      editor:until_shows('paused.ts')
    end
    local why = report(editor, 'why')
    expect.truthy(why:find('paused', 1, true), 'why says so: ' .. why)
    editor:type('q')
    editor:until_hides('foretell://why')
    editor:command('Foretell resume')
    editor:until_shows('goes on')
    offered(editor)
    editor:press('Tab')
    editor:until_no_ghost()
    editor:press('Escape')
    editor:until_mode('n')
  end
end)

story('a pause takes away what is shown', with(), function(editor)
  offered(editor)
  editor:ask('vim.cmd("Foretell pause")')
  editor:until_no_ghost()
  expect.equal(editor:said('foretell/didReject'), {})
end)

story('what is no word of :Foretell is answered in one line', with(), function(editor)
  editor:command('Foretell nonsense')
  editor:until_shows('there is no :Foretell nonsense')
  editor:command('Foretell forget nothing')
  editor:until_shows('forget which?')
  editor:command('Foretell pause for ever')
  editor:until_shows('pause what?')
  local words = editor:ask('return vim.fn.getcompletion("Foretell ", "cmdline")')
  local all = 'why sent status rejections forget pause resume restart'
  for word in all:gmatch('%S+') do
    expect.truthy(vim.tbl_contains(words, word), word .. ' is offered')
  end
  local pauses = editor:ask('return vim.fn.getcompletion("Foretell pause l", "cmdline")')
  expect.equal(pauses, { 'language' })
end)

story('a server that is started again goes on', with(), function(editor)
  editor:forget()
  editor:command('Foretell restart')
  editor:until_said('initialized')
  editor:until_said('textDocument/didOpen')
  offered(editor)
  expect.equal(#editor:servers(), 1)
end)

story('a rejection outlives Neovim', with({
  files = { ['kept.ts'] = 'first\n' },
}), function(editor)
  offered(editor)
  editor:press('Escape')
  editor:until_no_ghost()
  editor:until_answered(editor:until_said('foretell/rejections'))
  editor:command('write')
  editor:reopen('kept.ts')
  editor:until_said('foretell/restore')
  editor:until_said('textDocument/didOpen')
  editor:never_shows('price;', function()
    editor:type('GA')
    expect.equal(telling.insisted(editor), {})
  end)
end)

for _, is_loaded in ipairs({ false, true }) do
  local words = is_loaded and ', with servers that Neovim ends first' or ''
  story('so does one by a mapping that leaves all of it at once' .. words, with({
    files = { ['kept.ts'] = 'first\n' },
    init = (is_loaded and 'vim.lsp.get_clients()\n' or '')
      .. [[vim.keymap.set('i', '<C-q>', '<Esc>ZZ')]],
  }), function(editor)
    offered(editor)
    editor:reopen('kept.ts', function()
      editor:tmux('send-keys', 'C-q')
    end)
    editor:until_text('first\nconst sum = ')
    editor:never_shows('price;', function()
      editor:type('GA')
      expect.equal(telling.insisted(editor), {})
    end)
  end)
end

story('a healthy one says so to :checkhealth', with(), function(editor)
  editor:command('checkhealth foretell')
  editor:until_shows('Foretell')
  local said = editor:text()
  editor:screenshot('commands-health')
  expect.truthy(not said:find('ERROR', 1, true), 'there is no error: ' .. said)
  expect.truthy(not said:find('WARNING', 1, true), 'there is no warning: ' .. said)
  expect.truthy(said:find('it runs', 1, true), 'the server runs: ' .. said)
  expect.truthy(said:find('menu.ts is followed', 1, true), 'the file is followed: ' .. said)
end)

story('without a server :checkhealth says what to do', with({
  config = { cmd = '/nowhere/foretell' },
  ready = false,
}), function(editor)
  editor:until_shows('not found')
  editor:command('checkhealth foretell')
  editor:until_shows('ERROR')
  local said = editor:text()
  expect.truthy(said:find('/nowhere/foretell', 1, true), 'it names what is missing: ' .. said)
  expect.truthy(said:find('Install it', 1, true), 'it says what to do: ' .. said)
end)

story('what is set wrongly is said in one message, and the rest applies', with({
  config = { ghost_txt = 'native', keys = { acept = '<C-l>' }, args = nil },
}), function(editor)
  local said = editor:until_messages(1)
  expect.truthy(said[1]:find('mistakes', 1, true), said[1])
  offered(editor)
  expect.equal(#editor:messages(), 1)
  editor:press('Tab')
  editor:until_no_ghost()
  editor:command('checkhealth foretell')
  editor:until_shows('ghost_txt is unknown')
  expect.truthy(editor:text():find('keys.acept is unknown', 1, true), 'all of it is told')
end)
