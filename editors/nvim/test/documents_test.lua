-- Buffers of all kinds: those that get suggestions get them, and the others are left alone,
-- quietly.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local SCRIPT = {
  { after = 'const sum = ', insert = 'price;', delayMs = 30 },
  { after = 'café = ', insert = 'crème;', delayMs = 30 },
}

local function with(files, more)
  local setup = vim.tbl_extend('force', { files = files, script = SCRIPT }, more or {})
  return telling.setup(setup)
end

--- Types what would be suggested upon; nothing comes, nothing is said, and nothing is told to the
--- server.
local function left_alone(editor, keys)
  editor:forget()
  editor:type(keys)
  waiting.pass(waiting.quiet_ms)
  expect.equal(editor:ghost(), nil)
  expect.equal(editor:said('textDocument/inlineCompletion'), {})
  expect.equal(editor:said('textDocument/didChange'), {})
end

story('a buffer that may not be changed', with({
  ['locked.ts'] = 'const sum = \n',
}), function(editor)
  editor:command('setlocal nomodifiable')
  editor:forget()
  editor:type('A')
  editor:press('Tab', 'Escape')
  editor:until_mode('n')
  waiting.pass(waiting.quiet_ms)
  expect.equal(editor:text(), 'const sum = ')
  expect.equal(editor:said('textDocument/inlineCompletion'), {})
  -- Neovim says why it takes no text.
  for _, line in ipairs(editor:messages()) do
    expect.truthy(line:find('E21', 1, true), line)
  end
  editor:command('setlocal modifiable')
  editor:type('oconst sum = ')
  editor:until_ghost('price;')
end)

story('a terminal', with({ ['file.ts'] = '' }), function(editor)
  editor:command('terminal cat')
  editor:until_shows('term://')
  left_alone(editor, 'iconst sum = ')
  editor:until_shows('const sum =')
  expect.equal(editor:messages(), {})
  editor:press('C-\\', 'C-n')
  editor:until_mode('nt')
  editor:ask('vim.cmd("buffer file.ts")')
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
end)

story('a buffer without a name, a scratch buffer, help and a prompt', with({
  ['file.ts'] = '',
}), function(editor)
  editor:command('enew')
  left_alone(editor, 'iconst sum = ')
  editor:press('Escape')
  editor:until_mode('n')
  editor:command('new | setlocal buftype=nofile')
  left_alone(editor, 'iconst sum = ')
  editor:press('Escape')
  editor:until_mode('n')
  editor:command('new | setlocal buftype=prompt | startinsert')
  left_alone(editor, 'const sum = ')
  editor:press('Escape')
  editor:until_mode('n')
  editor:command('help')
  expect.equal(editor:messages(), {})
  expect.equal(#editor:said('textDocument/didOpen'), 0)
end)

story('a buffer that gets a name gets suggestions', with({ ['file.ts'] = '' }), function(editor)
  editor:command('enew')
  editor:type('ifirst')
  editor:press('Escape')
  editor:until_mode('n')
  editor:forget()
  editor:command('write named.ts')
  editor:until_said('textDocument/didOpen', function(it)
    return it.params.textDocument.uri:find('named.ts', 1, true)
  end)
  editor:type('oconst sum = ')
  editor:until_ghost('price;')
end)

story('a file that is renamed, closed and opened again is told so', with({
  ['old.ts'] = 'one\n',
}), function(editor)
  editor:forget()
  editor:command('saveas! new.ts')
  editor:until_said('textDocument/didClose', function(it)
    return it.params.textDocument.uri:find('old.ts', 1, true)
  end)
  editor:until_said('textDocument/didOpen', function(it)
    return it.params.textDocument.uri:find('new.ts', 1, true)
  end)
  editor:type('oconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_no_ghost()
  editor:forget()
  editor:command('write | bwipeout')
  editor:until_said('textDocument/didClose')
  editor:command('edit new.ts')
  editor:until_said('textDocument/didOpen')
end)

story('a file that another program changes is read again', with({
  ['read.ts'] = 'one\n',
}), function(editor)
  editor:write('read.ts', 'one\ntwo\nthree\n')
  editor:command('edit!')
  editor:until_text('one\ntwo\nthree')
  editor:type('Goconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_text('one\ntwo\nthree\nconst sum = price;')
  expect.equal(editor:said('foretell/resync'), {})
end)

--- Waits until the server knows a file.
local function until_told(editor, name)
  editor:until_said('textDocument/didOpen', function(it)
    return vim.endswith(it.params.textDocument.uri, '/' .. name)
  end)
end

local SHAPES = {
  ['shape.ts'] = 'export function neat(x) {}\n',
  ['uses.ts'] = 'import { neat } from "./shape";\n',
}

story('what is seen in another window from the beginning is followed', telling.setup({
  files = SHAPES,
  open = { '-O', 'shape.ts', 'uses.ts' },
  columns = 140,
}), function(editor)
  until_told(editor, 'shape.ts')
  until_told(editor, 'uses.ts')
  editor:type('wwcwrounded')
  editor:until_shows('Tab: uses.ts:1: neat → rounded')
end)

story('what is opened and left again at once is followed', telling.setup({
  files = SHAPES,
  open = 'shape.ts',
  init = 'vim.o.hidden = true',
}), function(editor)
  until_told(editor, 'shape.ts')
  editor:command('edit uses.ts | buffer shape.ts')
  until_told(editor, 'uses.ts')
  expect.equal(editor:text() .. '\n', SHAPES['shape.ts'])
end)

--- How long that Neovim has worked so far, whatever else the machine does.
local function busy_ms(editor)
  return editor:ask([[
    local used, all = vim.uv.getrusage(), 0
    for _, time in ipairs({ used.utime, used.stime }) do
      all = all + time.sec * 1000 + time.usec / 1000
    end
    return all
  ]])
end

for _, large in ipairs({
  { 'a line of five megabytes', ('abcdefg '):rep(5 * 1024 * 128) .. '\n' },
  { 'a file of five megabytes', ('const value = { width: 1, height: 2 };\n'):rep(5 * 1024 * 27) },
}) do
  story(large[1], with({ ['large.txt'] = large[2], ['small.txt'] = '' }, {
    open = 'small.txt',
    init = 'vim.o.hidden = true',
  }), function(editor)
    editor:command('edit large.txt')
    editor:until_shows('large.txt')
    local before = busy_ms(editor)
    editor:type('iconst sum = ')
    editor:until_shows('const sum = ')
    local took = (busy_ms(editor) - before) / #'const sum = '
    expect.truthy(took < 500, ('a key takes %d ms'):format(took))
    editor:press('Escape')
    editor:until_mode('n')
    expect.equal(editor:messages(), {})
    editor:command('edit small.txt')
    editor:until_text('')
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
  end)
end

story('latin1 stays latin1', with({ ['latin.txt'] = 'caf\233\n' }), function(editor)
  expect.equal(editor:ask('return vim.bo.fileencoding'), 'latin1')
  editor:type('occafé = ')
  editor:press('BSpace')
  editor:type(' ')
  editor:until_ghost('crème;')
  editor:press('Tab')
  editor:until_no_ghost()
  expect.equal(editor:saved(), 'caf\233\nccaf\233 = cr\232me;\n')
  expect.equal(editor:messages(), {})
end)

story('UTF-16 stays UTF-16', with({
  ['wide.txt'] = '\255\254o\0n\0e\0\n\0',
}), function(editor)
  editor:type('oconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_no_ghost()
  local wanted = ('one\nconst sum = price;\n'):gsub('.', '%0\0'):gsub('\n', '\n')
  expect.equal(editor:saved(), '\255\254' .. wanted)
  expect.equal(editor:messages(), {})
end)

story('bytes that are no UTF-8 are left as they are', with({
  ['bytes.txt'] = 'one \255\254 two\n',
}, { init = 'vim.o.fileencodings = "utf-8"' }), function(editor)
  editor:command('edit ++enc=utf-8 ++bad=keep')
  editor:command('messages clear')
  editor:type('oconst sum = ')
  waiting.pass(waiting.quiet_ms)
  editor:press('Escape')
  editor:until_mode('n')
  expect.equal(editor:messages(), {})
  expect.equal(editor:saved():sub(1, 10), 'one \255\254 two')
end)

story('NUL bytes are left as they are', with({ ['nul.txt'] = 'one \0 two\n' }), function(editor)
  editor:type('oconst sum = ')
  waiting.pass(waiting.quiet_ms)
  editor:press('Escape')
  editor:until_mode('n')
  expect.equal(editor:messages(), {})
  expect.equal(editor:saved(), 'one \0 two\nconst sum = \n')
end)

story('bytes that come in later, and a file edited as binary', with({
  ['late.txt'] = 'one\n',
}), function(editor)
  -- As by `CTRL-V x`: a byte that is no text.
  editor:ask('vim.api.nvim_buf_set_lines(0, 1, 1, true, { "\\255\\254" })')
  editor:type('Goconst sum = ')
  waiting.pass(waiting.quiet_ms)
  editor:press('Escape')
  editor:until_mode('n')
  editor:command('edit! ++bin')
  editor:type('Goconst sum = ')
  waiting.pass(waiting.quiet_ms)
  expect.equal(editor:messages(), {})
end)

story('options that change how text is drawn', with({ ['drawn.txt'] = '' }, {
  init = [[
    vim.o.number = true vim.o.relativenumber = true vim.o.signcolumn = 'yes' vim.o.list = true
    vim.o.conceallevel = 2 vim.o.wrap = false vim.o.cursorline = true vim.o.cmdheight = 0
    vim.o.laststatus = 3 vim.o.virtualedit = 'all' vim.o.scrolloff = 999
  ]],
}), function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_text('const sum = price;')
  editor:until_no_ghost()
end)
