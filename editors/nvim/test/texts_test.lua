-- Texts of all kinds: wide and combined characters, tabs, long lines, CRLF, folds and windows.
-- What is drawn is what is there when it is taken, wherever it is.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')

local SCRIPT = {
  { after = '// 😀 smile: ', insert = 'and 👍 and 😀 é', delayMs = 30 },
  { after = 'joined: ', insert = '👩‍💻 and 👍🏽.', delayMs = 30 },
  { after = '漢字 ', insert = 'は一二三 四五', delayMs = 30 },
  { after = 'cafe\204\129 ', insert = 'cre\204\128me e\204\129', delayMs = 30 },
  { after = '\tlet tab = ', insert = 'first\tsecond;\n\tlet next = 1;', delayMs = 30 },
  { after = 'const box = ', insert = '{\n  width: 1,\n};', delayMs = 30 },
  { after = 'let long = ', insert = ('abcdefgh '):rep(12) .. 'end;', delayMs = 30 },
  { after = 'const sum = ', insert = 'price;', delayMs = 30 },
}

for _, drawer in ipairs(telling.drawers) do
  local function told(name, files, tell, more)
    local setup = vim.tbl_extend('force', { files = files, script = SCRIPT }, more or {})
    story(('%s (%s)'):format(name, drawer), telling.setup(setup, drawer), tell)
  end

  local function taken(editor)
    telling.looks_the_same(editor, function()
      editor:press('Tab')
      editor:until_no_ghost()
    end)
  end

  told('emoji: drawn, typed into and taken', { ['smile.txt'] = '' }, function(editor)
    editor:type('i// 😀 smile: ')
    editor:until_ghost('and 👍 and 😀 é')
    local whole = '// 😀 smile: and 👍 and 😀 é'
    local frames = editor:recorded(function()
      editor:type('and ', 90)
      editor:until_ghost('👍 and 😀 é')
    end)
    expect.steady(frames, whole)
    editor:screenshot('texts-emoji-' .. drawer)
    -- It is put in as by an input method, not typed.
    editor:type_at_once('👍')
    editor:until_ghost(' and 😀 é')
    taken(editor)
    expect.equal(editor:saved(), whole .. '\n')
    editor:type('!')
    editor:until_text(whole .. '!')
  end)

  -- Terminals draw these differently, so the text is checked.
  told('emoji that are joined are taken whole', { ['joined.txt'] = '' }, function(editor)
    editor:type('ijoined: ')
    editor:until_said('foretell/didShow')
    editor:press('Tab')
    editor:until_text('joined: 👩‍💻 and 👍🏽.')
    editor:type(' 👩‍💻')
    editor:until_text('joined: 👩‍💻 and 👍🏽. 👩‍💻')
    expect.equal(editor:said('foretell/resync'), {})
  end, { headless = true })

  told('wide characters: a word is taken, then the rest', { ['wide.txt'] = '' }, function(editor)
    editor:type('i漢字 ')
    editor:until_ghost('は一二三 四五')
    editor:press('M-Right')
    local accepted = editor:until_said('foretell/didAccept')
    editor:press('Tab')
    editor:until_no_ghost()
    expect.equal(editor:saved(), '漢字 は一二三 四五\n')
    expect.truthy(accepted.params.acceptedLength >= 1, 'part of it was told')
  end)

  told('combining marks stay with what they are on', { ['marks.txt'] = '' }, function(editor)
    editor:type_at_once('icafe\204\129 ')
    editor:until_ghost('cre\204\128me e\204\129')
    editor:type('cre')
    -- The bare letter is on the way to the one with its mark.
    editor:type_at_once('\204\128')
    editor:until_ghost('me e\204\129')
    taken(editor)
    expect.equal(editor:saved(), 'cafe\204\129 cre\204\128me e\204\129\n')
  end)

  told('tabs are as wide as they will be', { ['tabs.txt'] = '' }, function(editor)
    editor:type('i')
    editor:press('Tab')
    editor:type('let tab = ')
    editor:until_shows('second;')
    editor:screenshot('texts-tabs-' .. drawer)
    taken(editor)
    expect.equal(editor:saved(), '\tlet tab = first\tsecond;\n\tlet next = 1;\n')
  end)

  told('what is longer than the window is wide is wrapped', {
    ['long.txt'] = 'last\n',
  }, function(editor)
    editor:type('Olet long = ')
    editor:until_shows('end;')
    editor:screenshot('texts-long-' .. drawer)
    taken(editor)
    expect.equal(editor:saved(), 'let long = ' .. ('abcdefgh '):rep(12) .. 'end;\nlast\n')
  end)

  told('CRLF: line ends stay what they are', { ['crlf.txt'] = 'one\r\ntwo\r\n' }, function(editor)
    editor:type('Goconst box = ')
    editor:until_ghost('{\n  width: 1,\n};')
    taken(editor)
    expect.equal(editor:saved(), 'one\r\ntwo\r\nconst box = {\r\n  width: 1,\r\n};\r\n')
    expect.equal(editor:said('foretell/resync'), {})
  end)

  told('without a line end at the end of the file', { ['bare.txt'] = 'one' }, function(editor)
    editor:type('oconst box = ')
    editor:until_ghost('{\n  width: 1,\n};')
    taken(editor)
    expect.equal(editor:text(), 'one\nconst box = {\n  width: 1,\n};')
  end)

  told('at the bottom of the window it does not scroll away', {
    ['bottom.txt'] = ('line\n'):rep(60),
  }, function(editor)
    editor:type('Goconst box = ')
    editor:until_shows('{')
    editor:press('Tab')
    editor:until_no_ghost()
    expect.equal(editor:saved(), ('line\n'):rep(60) .. 'const box = {\n  width: 1,\n};\n')
  end)

  told('two windows of one file: it is taken where the person is', {
    ['split.txt'] = 'one\ntwo\n',
  }, function(editor)
    editor:command('split')
    editor:type('Goconst sum = ')
    editor:until_shows('const sum = price;')
    editor:press('Tab')
    editor:until_no_ghost()
    expect.equal(editor:saved(), 'one\ntwo\nconst sum = price;\n')
    expect.equal(editor:cursor(), { 3, 19 })
  end)

  told('leaving the window takes it away', {
    ['one.txt'] = '', ['two.txt'] = 'other\n',
  }, function(editor)
    editor:command('vsplit two.txt')
    editor:command('wincmd p')
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    editor:ask('vim.cmd("wincmd p")')
    editor:until_no_ghost()
    expect.equal(editor:messages(), {})
  end, { open = 'one.txt' })

  told('a closed fold above is no other line', {
    ['fold.txt'] = 'start {\n  one\n  two\n}\nend\n',
  }, function(editor)
    editor:command('set foldmethod=indent')
    editor:until_hides('two')
    editor:type('Goconst sum = ')
    editor:until_ghost('price;')
    taken(editor)
    expect.equal(editor:saved(), 'start {\n  one\n  two\n}\nend\nconst sum = price;\n')
  end, { init = 'vim.o.shiftwidth = 2' })

  told('what is selected or replaced is the person\'s', {
    ['modes.txt'] = 'const sum = 1;\n',
  }, function(editor)
    editor:never_shows('price', function()
      editor:type('wwwRx')
      editor:press('Escape')
      editor:until_mode('n')
      editor:type('uv$')
      editor:press('Escape')
      editor:until_mode('n')
    end, 300)
    expect.equal(editor:said('foretell/didReject'), {})
    expect.equal(editor:messages(), {})
  end)
end
