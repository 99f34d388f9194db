-- Foretell among others: other servers of the same file, other plugins' mappings, several keys at
-- once, windows that keep what they have, and texts that get another name.
local OTHER_SERVER = require('support.other_server')
local expect = require('support.expect')
local places = require('support.places')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local SCRIPT = { { after = 'const sum = ', insert = 'price;', delayMs = 30 } }

local function with(more)
  local usual = { files = { ['other.txt'] = '' }, script = SCRIPT }
  return telling.setup(vim.tbl_extend('force', usual, more or {}))
end

--- Another server, that keeps what it is told of the text.
local LISTENER = OTHER_SERVER .. [[
  Heard = {}
  function Listen()
    OtherServer('listener', {
      initialize = function()
        return { capabilities = { textDocumentSync = { openClose = true, change = 2 } } }
      end,
    }, function(method, params)
      if method == 'textDocument/didChange' then
        vim.list_extend(Heard, params.contentChanges)
      end
    end)
  end
]]

--- The insertions of a list of changes, one behind the other.
local function put_in(changes)
  local texts = vim.tbl_map(function(change)
    return change.text
  end, changes)
  return table.concat(texts)
end

--- The insertions that our server was told of.
local function told(editor)
  local all = {}
  for _, message in ipairs(editor:said('textDocument/didChange')) do
    vim.list_extend(all, message.params.contentChanges)
  end
  return put_in(all)
end

story('a server that comes later hears each change once, and so does ours', with({
  init = LISTENER,
}), function(editor)
  editor:type('iab')
  editor:until_text('ab')
  editor:ask('Listen()')
  editor:press('Left', 'Right')
  editor:type('cdef')
  editor:until_text('abcdef')
  editor:until_said('foretell/didChangeSelection', function(it)
    return it.params.selections[1].start.character == 6
  end)
  expect.equal(told(editor), 'abcdef')
  expect.equal(put_in(editor:ask('return Heard')), 'cdef')
end)

for _, drawer in ipairs(telling.drawers) do
  local setup = telling.setup({ files = { ['other.txt'] = '' }, script = SCRIPT }, drawer)

  story(('keys that come at once do what each of them does (%s)'):format(drawer), setup, function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    -- The letter does not fit, so that nothing is shown when Tab comes.
    editor:ask('vim.api.nvim_input("x<Tab>y")')
    editor:until_text('const sum = x\ty')
    expect.equal(editor:said('foretell/didAccept'), {})
    editor:type('\nconst sum = ')
    editor:until_ghost('price;')
    -- It is taken before the next letter comes.
    editor:ask('vim.api.nvim_input("<Tab>!")')
    editor:until_text('const sum = x\ty\nconst sum = price;!')
    expect.equal(#editor:said('foretell/didAccept'), 1)
  end)

  story(('a mapping that saves is no rejection (%s)'):format(drawer), telling.setup({
    files = { ['other.txt'] = '' },
    script = SCRIPT,
    init = [[vim.keymap.set('i', '<C-s>', '<Esc><Cmd>silent write<CR>a')]],
  }, drawer), function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    editor:press('C-s')
    editor:until_said('foretell/didIgnore')
    expect.equal(editor:mode(), 'i')
    expect.equal(editor:said('foretell/didReject'), {})
  end)

  story(('nor is one that takes its time to save (%s)'):format(drawer), telling.setup({
    files = { ['other.txt'] = '' },
    script = SCRIPT,
    -- As formatters do that are waited for: Neovim does other things meanwhile.
    init = [[vim.keymap.set('i', '<C-s>', '<Esc><Cmd>silent write<CR>a')
      vim.api.nvim_create_autocmd('BufWritePre', { callback = function()
        local is_over = false
        vim.defer_fn(function() is_over = true end, 50)
        vim.wait(5000, function() return is_over end)
      end })]],
  }, drawer), function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    editor:press('C-s')
    editor:until_said('textDocument/didSave')
    editor:until_said('foretell/didIgnore')
    editor:until_mode('i')
    expect.equal(editor:said('foretell/didReject'), {})
  end)

  for _, keys in ipairs({ '<Esc>o', '<M-o>' }) do
    local setup = telling.setup({ files = { ['other.txt'] = '' }, script = SCRIPT }, drawer)
    -- A terminal that is asked for both at once gives the second one.
    story(('Esc is final, however fast one goes on: %s (%s)'):format(keys, drawer), setup, function(editor)
      editor:type('iconst sum = ')
      editor:until_ghost('price;')
      editor:ask('vim.api.nvim_input(...)', keys)
      editor:until_text('const sum = \n')
      editor:until_said('foretell/didReject')
      expect.equal(editor:said('foretell/didIgnore'), {})
      editor:press('Up', 'End')
      expect.equal(telling.insisted(editor), {})
    end)
  end
end

if places.has_native_ghost_text() then
  local ENABLED = 'return vim.lsp.inline_completion.is_enabled({ bufnr = 0 })'
  local RIVAL = OTHER_SERVER .. [[
    function Rival()
      OtherServer('rival', {
        initialize = function()
          return { capabilities = { inlineCompletionProvider = true, textDocumentSync = 1 } }
        end,
        ['textDocument/inlineCompletion'] = function()
          return { items = { { insertText = 'RIVAL' } } }
        end,
      })
    end
  ]]

  story("Neovim's own ghost text is switched off where it was switched on for us", with({
    init = RIVAL,
  }), function(editor)
    expect.equal(editor:ask(ENABLED), true)
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    editor:ask('Rival()')
    editor:until_no_ghost()
    expect.equal(editor:ask(ENABLED), false)
    editor:never_shows('RIVAL', function()
      editor:type('\nconst sum = ')
      editor:until_ghost('price;')
    end)
  end)

  story('it is switched off quietly while it waits for an answer', with({
    init = RIVAL,
    script = { { after = 'const sum = ', insert = 'price;', delayMs = 400 } },
  }), function(editor)
    editor:type('iconst sum = ')
    local asked = editor:until_said('textDocument/inlineCompletion', function(it)
      return it.params.position.character == #'const sum = '
    end)
    editor:ask('Rival()')
    editor:until_answered(asked)
    editor:type('\nconst sum = ')
    editor:until_ghost('price;')
    expect.equal(editor:messages(), {})
  end)

  story('it is switched off in a buffer that is followed no more, too', with(), function(editor)
    expect.equal(editor:ask(ENABLED), true)
    editor:forget()
    editor:command('setlocal binary')
    editor:until_said('textDocument/didClose')
    expect.equal(editor:ask(ENABLED), false)
  end)

  story('what the person has switched on stays on', with({
    init = RIVAL .. 'vim.lsp.inline_completion.enable()',
  }), function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    editor:ask('Rival()')
    editor:until_no_ghost()
    expect.equal(editor:ask(ENABLED), true)
  end)

  story("a Neovim whose own ghost text is not as we know it leaves it to us, and says so", with({
    -- As if the next version had another name for where it draws.
    init = [[local namespaces = vim.api.nvim_get_namespaces
      vim.api.nvim_get_namespaces = function()
        local all = namespaces()
        all['nvim.lsp.inline_completion'] = nil
        return all
      end]],
  }), function(editor)
    editor:type('i')
    editor:ask([=[return vim.wait(5000, function()
      return require('foretell.ghost').kind() == 'extmarks'
    end)]=])
    editor:type('const sum = ')
    editor:until_ghost('price;')
    editor:press('Tab')
    editor:until_text('const sum = price;')
    editor:command('checkhealth foretell')
    editor:until_shows("this Neovim's own is not as the plugin knows")
  end)
end

story('a server that takes its time to end takes nothing from the next one', with(), function(editor)
  local old = editor:servers()[1].pid
  -- Asleep, it hears that it is to end only when it wakes up.
  vim.uv.kill(old, 'sigstop')
  editor:command('Foretell restart')
  editor:until_said('textDocument/didOpen', function(it)
    return it.run == 2
  end)
  vim.uv.kill(old, 'sigcont')
  waiting.wait_for('end of the old server', function()
    return #editor:servers() == 1
  end)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
end)

story('a mapping over ours that falls back to it does not go round in circles', with({
  init = [[function Wrap()
    local ours = vim.fn.maparg('<Tab>', 'i', false, true)
    vim.keymap.set('i', '<Tab>', function()
      ours.callback()
    end, { buffer = true })
  end]],
}), function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
  editor:ask('Wrap()')
  editor:type('x')
  editor:until_no_ghost()
  editor:press('Tab')
  editor:until_text('const sum = x\t')
end)

story('two things on one key are a mistake that is said, and the key is given back', with({
  config = { keys = { accept = '<Tab>', accept_word = '<Tab>', reject = '' } },
}), function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_text('const sum = price;')
  editor:press('Tab')
  editor:until_text('const sum = price;\t')
  expect.equal(#editor:until_messages(1), 1)
  local faults = editor:ask([[return require('foretell.config').faults]])
  expect.equal(faults, {
    'keys.accept_word is the same key as keys.accept',
    'keys.reject must be a key or false',
  })
end)

story('a text with a new name is closed by its old one', with(), function(editor)
  editor:until_said('textDocument/didOpen')
  editor:forget()
  editor:command('file another.txt')
  local closed = editor:until_said('textDocument/didClose').params.textDocument.uri
  expect.truthy(vim.endswith(closed, '/other.txt'), closed)
  editor:until_said('textDocument/didOpen', function(it)
    return vim.endswith(it.params.textDocument.uri, '/another.txt')
  end)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
end)

story('a window that must keep what it has gets another one beside it', telling.setup({
  files = { ['shape.ts'] = 'export function neat(x) {}\n', ['uses.ts'] = 'import { neat } from "./shape";\n' },
  open = 'uses.ts',
}), function(editor)
  editor:command('edit shape.ts')
  editor:command('set winfixbuf')
  editor:type('wwcwrounded')
  editor:until_shows('Tab: next edit, uses.ts:1: neat → rounded')
  editor:press('Tab')
  editor:until_shows('Tab: accept')
  expect.equal(editor:ask('return vim.fn.winnr("$")'), 2)
  expect.equal(editor:messages(), {})
end)

story('nothing is offered while a macro is recorded', with(), function(editor)
  editor:type('qqiconst sum = ')
  editor:until_text('const sum = ')
  editor:never_shows('price;', function() end, 1500)
  editor:press('Escape')
  editor:until_mode('n')
  editor:type('qo')
  editor:type('const sum = ')
  editor:until_ghost('price;')
end)
