-- Ghost text, from the first key to what never comes back. The FIM lane follows a script, so that
-- it would say the same again wherever it is asked; everything else is as people have it. All of
-- it is told once for each who can draw ghost text: the plugin, and Neovim itself where it can.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local SUM = 'const sum = price * count;'
local BOX = '{\n  width: 1,\n  height: 2,\n};'

local SCRIPT = {
  { after = 'const sum = ', insert = 'price * count;', delayMs = 30 },
  { after = 'const box = ', insert = BOX, delayMs = 30 },
  { after = 'send(', insert = 'first, second', delayMs = 30 },
  { after = 'const second = ', insert = 'first + 1;', delayMs = 30 },
}

--- Has Escape pressed in the moment in which the server is asked at a column.
local ESCAPE_WHEN_ASKED = [[
  local column = ...
  Inside.when_asked['textDocument/inlineCompletion'] = function(params)
    if params.position.character == column then
      vim.api.nvim_input('<Esc>')
    end
  end
]]

local PRICES = 'const price = 1;\nconst count = 2;\n'

for _, drawer in ipairs(telling.drawers) do
  local function told(name, files, tell, more)
    local setup = vim.tbl_extend('force', { files = files, script = SCRIPT }, more or {})
    story(('%s (%s)'):format(name, drawer), telling.setup(setup, drawer), tell)
  end

  --- Types the beginning of a line at the end of the file, and waits for the rest of it.
  local function offered(editor, typed, ghost)
    editor:type('Go' .. typed)
    editor:until_ghost(ghost)
  end

  told('what is typed into stays and shrinks, without a blank frame', {
    ['typed.ts'] = PRICES,
  }, function(editor)
    offered(editor, 'const sum = ', 'price * count;')
    editor:screenshot('ghost-1-offered-' .. drawer)
    local frames = editor:recorded(function()
      editor:type('price * ', 90)
      editor:until_ghost('count;')
      editor:type('count', 25)
      editor:until_ghost(';')
    end)
    editor:screenshot('ghost-2-typed-into-' .. drawer)
    expect.truthy(#frames >= 8, 'keys have frames')
    expect.steady(frames, SUM)
    editor:press('Tab')
    editor:until_no_ghost()
    expect.equal(editor:saved(), PRICES .. SUM .. '\n')
    expect.equal(editor:messages(), {})
  end)

  told('what is deleted of what was typed into it comes back', {
    ['back.ts'] = '',
  }, function(editor)
    offered(editor, 'const sum = ', 'price * count;')
    editor:type('pri')
    editor:until_ghost('ce * count;')
    editor:press('BSpace')
    editor:until_ghost('ice * count;')
  end)

  told('what is accepted, and what is shown, is told', { ['accepted.ts'] = '' }, function(editor)
    editor:type('iconst box = ')
    editor:until_ghost(BOX)
    editor:screenshot('ghost-several-lines-' .. drawer)
    local shown = editor:until_said('foretell/didShow')
    telling.looks_the_same(editor, function()
      editor:press('Tab')
      editor:until_no_ghost()
    end)
    local accepted = editor:until_said('foretell/didAccept')
    expect.equal(accepted.params, shown.params)
    expect.equal(editor:saved(), 'const box = ' .. BOX .. '\n')
    expect.equal(editor:cursor(), { 4, 3 })
    expect.equal(editor:said('foretell/didIgnore'), {})
    expect.equal(editor:said('foretell/didReject'), {})
    -- One goes on typing behind it.
    editor:type(' // done')
    editor:until_text('const box = ' .. BOX .. ' // done')
  end)

  told('one undo takes back what was accepted', { ['undone.ts'] = '' }, function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price * count;')
    editor:press('Tab')
    editor:until_text(SUM)
    editor:press('Escape')
    editor:until_mode('n')
    editor:type('u')
    editor:until_text('const sum = ')
  end)

  told('an undo takes what was typed behind it, too, and each word by itself', { ['steps.ts'] = '' }, function(editor)
    local function undone(wanted)
      editor:type('u')
      editor:until_text(wanted)
    end

    editor:type('iconst sum = ')
    editor:until_ghost('price * count;')
    editor:press('Tab')
    editor:until_text(SUM)
    editor:type(' // all')
    editor:press('Escape')
    editor:until_mode('n')
    undone('const sum = ')
    undone('')
    editor:type('iconst sum = ')
    editor:until_ghost('price * count;')
    editor:press('M-Right')
    editor:until_ghost(' * count;')
    editor:press('M-Right')
    editor:until_text('const sum = price *')
    editor:press('C-c')
    editor:until_mode('n')
    undone('const sum = price')
    undone('const sum = ')
    undone('')
  end)

  told('a word is taken, told with its length, and the rest stays', {
    ['word.ts'] = '',
  }, function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price * count;')
    local frames = editor:recorded(function()
      editor:press('M-Right')
      editor:until_ghost(' * count;')
    end)
    expect.steady(frames, SUM)
    local accepted = editor:until_said('foretell/didAccept')
    expect.equal(accepted.params.acceptedLength, #'price')
    editor:press('M-Right')
    editor:until_ghost(' count;')
    editor:press('C-M-Right')
    editor:until_no_ghost()
    expect.equal(editor:saved(), SUM .. '\n')
  end)

  told('a line is taken, and the lines behind it stay', { ['line.ts'] = '' }, function(editor)
    editor:type('iconst box = ')
    editor:until_ghost(BOX)
    editor:press('C-M-Right')
    editor:until_text('const box = {')
    editor:until_ghost('  width: 1,\n  height: 2,\n};')
    editor:press('C-M-Right')
    editor:until_ghost('  height: 2,\n};')
    editor:press('Tab')
    editor:until_no_ghost()
    expect.equal(editor:saved(), 'const box = ' .. BOX .. '\n')
  end)

  told('what is in the middle of a line is drawn there', {
    ['middle.ts'] = 'send();\n',
  }, function(editor)
    editor:type('f(a')
    editor:press(telling.ASK)
    local screen = editor:until_shows('send(first, second);')
    -- Where the cursor is on a bracket, Neovim's own ghost text looks like the bracket.
    if drawer ~= 'native' then
      expect.equal(screen:style_of('first').fg, editor.GHOST)
    end
    local frames = editor:recorded(function()
      editor:type('first', 60)
      editor:until_ghost(', second')
    end)
    expect.steady(frames, 'send(first, second);')
    editor:press('Tab')
    editor:until_no_ghost()
    expect.equal(editor:saved(), 'send(first, second);\n')
    expect.equal(editor:cursor(), { 1, #'send(first, second' + 1 })
  end)

  told('what is typed over is ignored, and not rejected', { ['over.ts'] = '' }, function(editor)
    offered(editor, 'const sum = ', 'price * count;')
    local frames = editor:recorded(function()
      editor:type('12;')
      editor:until_no_ghost()
    end)
    editor:until_said('foretell/didIgnore')
    expect.equal(editor:said('foretell/didReject'), {})
    for _, frame in ipairs(frames) do
      for _, row in ipairs(frame.rows) do
        expect.truthy(not row:find('12*price', 1, true), 'what is typed over goes at once')
        expect.truthy(not row:find('= 1price', 1, true), 'what is typed over goes at once')
      end
    end
  end)

  for _, key in ipairs({ 'Escape', 'C-e' }) do
    told(key .. ' is final: not back after moving away, editing above, or an undo', {
      ['final.ts'] = PRICES,
    }, function(editor)
      --- Goes back to the end of the line and insists; nothing may be seen of it from then on.
      local function is_gone(keys)
        editor:never_shows('price * count;', function()
          editor:type(keys)
          expect.equal(telling.insisted(editor), {})
        end, 300)
      end

      offered(editor, 'const sum = ', 'price * count;')
      editor:press(key)
      editor:until_no_ghost()
      editor:until_said('foretell/didReject')
      editor:screenshot(('ghost-3-rejected-%s-%s'):format(key, drawer))
      editor:until_mode(key == 'Escape' and 'n' or 'i')
      if key == 'C-e' then
        is_gone('')
        editor:press('Escape')
        editor:until_mode('n')
      end
      is_gone('A')

      editor:press('Escape')
      editor:until_mode('n')
      editor:type('ggGA')
      is_gone('')

      editor:press('Escape')
      editor:until_mode('n')
      editor:type('ggO// prices')
      editor:press('Escape')
      editor:until_mode('n')
      is_gone('GA')

      editor:press('BSpace', 'Escape')
      editor:until_mode('n')
      editor:forget()
      editor:type('u')
      editor:until_said('foretell/willChange', function(it)
        return it.params.reason == 'undo'
      end)
      is_gone('A')
      expect.equal(editor:cursor(), { 4, 13 })
      expect.equal(editor:messages(), {})
      -- It was the rejection: elsewhere the same is offered.
      editor:press('Escape')
      editor:until_mode('n')
      offered(editor, 'const sum = ', 'price * count;')
    end)
  end

  told('a killed server is started again, says nothing, and still knows what was rejected', {
    ['killed.ts'] = 'const price = 1;\n',
  }, function(editor)
    offered(editor, 'const sum = ', 'price * count;')
    editor:press('Escape')
    editor:until_no_ghost()
    editor:until_said('foretell/didReject')
    -- The rejection moves with the text, and is asked for.
    editor:until_mode('n')
    editor:forget()
    editor:type('ggO')
    editor:press('Escape')
    editor:until_mode('n')
    editor:until_answered(editor:until_said('foretell/rejections'))
    for _ = 1, 2 do
      editor:forget()
      editor:kill_server()
      local restored = editor:until_said('foretell/restore')
      expect.equal(editor:until_answered(restored).error, nil)
      editor:until_said('textDocument/didOpen')
      editor:never_shows('price * count;', function()
        editor:type('GA')
        expect.equal(telling.insisted(editor), {})
      end, 300)
      editor:press('Escape')
      editor:until_mode('n')
    end
    expect.equal(editor:messages(), {})
    offered(editor, 'const second = ', 'first + 1;')
  end)

  told('ghost text goes with the server that it came from', { ['gone.ts'] = '' }, function(editor)
    offered(editor, 'const sum = ', 'price * count;')
    editor:forget()
    editor:kill_server()
    editor:until_no_ghost()
    editor:until_said('initialized')
    editor:press('Escape')
    editor:until_mode('n')
    for _, what in ipairs({ 'didReject', 'didIgnore', 'didAccept' }) do
      expect.equal(editor:said('foretell/' .. what), {})
    end
  end)

  told('normal mode shows nothing, and asks nothing', {
    ['normal.ts'] = 'const sum = \n',
  }, function(editor)
    editor:never_shows('price', function()
      editor:type('$xhljk')
      editor:type('u')
    end)
    for _, it in ipairs(editor:all_said()) do
      expect.truthy(it.method ~= 'textDocument/inlineCompletion', 'nobody asks in normal mode')
    end
  end)

  told('C-c takes it away, and nobody asks behind it', { ['left.ts'] = '' }, function(editor)
    offered(editor, 'const sum = ', 'price * count;')
    editor:forget()
    editor:press('C-c')
    editor:until_mode('n')
    editor:until_no_ghost()
    editor:until_said('foretell/didIgnore')
    waiting.pass(waiting.quiet_ms)
    -- What comes next is asked about in normal mode, too.
    expect.equal(editor:said('textDocument/inlineCompletion'), {})
  end)

  told('what came under the very key that leaves was not seen, and is not rejected', {
    ['unseen.ts'] = '',
  }, function(editor)
    editor:type('iconst sum = ')
    editor:until_mode('n')
    editor:until_said('foretell/didIgnore')
    expect.equal(#editor:said('foretell/didShow'), 1)
    expect.equal(editor:said('foretell/didReject'), {})
    -- Now it is seen first.
    editor:ask('Is_hasty = false')
    editor:type('A')
    editor:until_ghost('price * count;')
    editor:press('Escape')
    editor:until_said('foretell/didReject')
  end, {
    init = [[
      Is_hasty = true
      vim.schedule(function()
        local shown = require('foretell.ghost.shown')
        local set = shown.set
        shown.set = function(...)
          set(...)
          if Is_hasty then
            vim.api.nvim_input('<Esc>')
          end
        end
      end)
    ]],
  })

  told('an answer that comes when insert mode is over is not shown', {
    ['late.ts'] = '',
  }, function(editor)
    editor:ask(ESCAPE_WHEN_ASKED, #'const slow = ')
    editor:never_shows('LATE', function()
      editor:type('iconst slow = ')
      editor:until_mode('n')
      local late = editor:until_said('textDocument/inlineCompletion', function(it)
        return it.params.position.character == #'const slow = '
      end)
      if drawer == 'native' then
        -- Neovim takes its question back.
        editor:until_said('$/cancelRequest', function(it)
          return it.params.id == late.id
        end)
      else
        expect.equal(editor:until_answered(late).result.items[1].insertText, 'LATE;')
      end
    end)
    expect.equal(editor:said('foretell/didReject'), {})
  end, {
    script = { { after = 'const slow = ', insert = 'LATE;', delayMs = 400 } },
    -- The cursor stays where it was, as some people have it: elsewhere the answer would not fit anyway.
    init = [[
      vim.o.virtualedit = 'onemore'
      vim.api.nvim_create_autocmd('InsertLeave', { command = 'normal! l' })
    ]],
  })

  told('two files: each has its own, and a rejection in one is none in the other', {
    ['left.ts'] = '',
    ['right.ts'] = '',
  }, function(editor)
    editor:type('iconst second = ')
    editor:until_ghost('first + 1;')
    editor:press('Escape')
    editor:until_no_ghost()
    editor:until_said('foretell/didReject')
    editor:command('write | edit right.ts')
    editor:until_text('')
    editor:type('iconst second = ')
    editor:until_ghost('first + 1;')
    editor:press('Tab')
    editor:until_no_ghost()
    editor:command('write | edit left.ts')
    editor:until_text('const second = ')
    editor:type('A')
    expect.equal(telling.insisted(editor), {})
    expect.equal(editor:ghost(), nil)
  end, { open = 'left.ts' })
end
