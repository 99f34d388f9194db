-- Rules of docs/editor-client.md that no other test is about: what is told in which order, what the plugin
-- never does, and what is never logged.
local expect = require('support.expect')
local places = require('support.places')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local SCRIPT = { { after = 'const sum = ', insert = 'unmistakable * count;', delayMs = 30 } }

local function with(files, more)
  return telling.setup(vim.tbl_extend('force', { files = files, script = SCRIPT }, more or {}))
end

--- The files of the plugin that a pattern is found in.
local function files_with(pattern)
  local root = places.plugin .. '/lua/foretell/'
  local found = {}
  for name in vim.fs.dir(root, { depth = 4 }) do
    if vim.endswith(name, '.lua') and places.read(root .. name):find(pattern) then
      found[#found + 1] = name
    end
  end
  table.sort(found)
  return found
end

story('there are no timers in what asks for suggestions and draws ghost text', function()
  local timed = { 'diagnostics.lua', 'next_edit.lua', 'pause.lua', 'rejections.lua', 'status.lua' }
  expect.equal(files_with('vim%.defer_fn%('), timed)
  expect.equal(files_with('new_timer'), {})
end)

story('only what is written for it asks the server for suggestions', function()
  expect.equal(files_with('textDocument/copilotInlineEdit'), { 'asking.lua' })
  expect.equal(files_with("request%('textDocument/inlineCompletion'"), { 'asking.lua' })
end)

story('a document is told in order, from its opening to its end', with({
  ['first.ts'] = 'one\n',
  ['second.ts'] = '',
}, { open = 'second.ts' }), function(editor)
  editor:forget()
  editor:command('edit first.ts')
  -- What is typed before that is a part of the text it is opened with.
  editor:until_said('textDocument/didOpen')
  editor:type('A!')
  local asked = editor:until_said('textDocument/inlineCompletion', function(it)
    return it.params.position.character == #'one!'
  end)
  expect.equal(asked.params.context.triggerKind, 2)
  editor:press('Home')
  editor:until_said('foretell/didChangeSelection', function(it)
    return it.params.selections[1].start.character == 0
  end)
  editor:press('Escape')
  editor:until_mode('n')
  editor:command('write | bwipeout')
  editor:until_said('textDocument/didClose')
  editor:until_said('foretell/didFocus', function(it)
    return vim.endswith(it.params.textDocument.uri, 'second.ts')
  end)

  local all = editor:all_said()
  --- The place of a message of this document behind another place.
  local function behind(at, method, is_it)
    for place = at + 1, #all do
      local document = (all[place].params or {}).textDocument or {}
      local is_ours = all[place].from == 'client' and vim.endswith(document.uri or '', 'first.ts')
      if is_ours and all[place].method == method and (is_it == nil or is_it(all[place].params)) then
        return place
      end
    end
    error(('no %s behind message %d of %s'):format(method, at, vim.inspect(all)))
  end
  local opened = behind(0, 'textDocument/didOpen')
  behind(opened, 'foretell/didFocus')
  local changed = behind(opened, 'textDocument/didChange')
  behind(changed, 'textDocument/inlineCompletion', function(params)
    return params.position.character == #'one!'
  end)
  local moved = behind(changed, 'foretell/didChangeSelection', function(params)
    return params.selections[1].start.character == 0
      and params.textDocument.version == all[changed].params.textDocument.version
  end)
  behind(behind(moved, 'textDocument/didSave'), 'textDocument/didClose')
end)

story('the whole text is told when the server asks for it', with({
  ['lost.ts'] = 'const count = 2;\n',
}), function(editor)
  local opened = editor:until_said('textDocument/didOpen').params.textDocument
  editor:forget()
  editor:ask(
    [[
      local uri, version = ...
      local nowhere = { line = 99, character = 0 }
      vim.lsp.get_clients({ name = 'foretell' })[1].notify('textDocument/didChange', {
        textDocument = { uri = uri, version = version },
        contentChanges = { { range = { start = nowhere, ['end'] = nowhere }, text = 'x' } },
      })
    ]],
    opened.uri,
    opened.version + 1
  )
  editor:until_said('foretell/resync')
  editor:until_said('textDocument/didChange', function(it)
    return vim.deep_equal(it.params.contentChanges, { { text = 'const count = 2;\n' } })
  end)
  editor:type('Goconst sum = ')
  editor:until_ghost('unmistakable * count;')
end)

story('no text is in the log', with({ ['logged.ts'] = '' }), function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('unmistakable * count;')
  editor:press('Tab')
  editor:until_text('const sum = unmistakable * count;')
  editor:until_said('foretell/didAccept')
  local log
  waiting.wait_for('log', function()
    log = places.read(editor:ask('return vim.lsp.get_log_path()'))
    return log and log:find('foretell', 1, true)
  end)
  expect.truthy(not log:find('unmistakable', 1, true), log)
end)
