-- Next edits, from the embedded lane: a rename is carried through a file, and Tab is never stolen.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')

local NEAT = [[
const neat = 1;
function twice() {
  return neat + neat;
}
console.log(neat);
export { neat };
]]

local ROUNDED = NEAT:gsub('neat', 'rounded')

local function with(files, more)
  return telling.setup(vim.tbl_extend('force', { files = files }, more or {}))
end

--- Renames `neat` in the first line. A pause before the last letter would have the same label for another name, which
--- goes with that letter.
local function renamed(editor)
  editor:type('ggwcwrounded')
  editor:until_shows('Tab: next edit, line 3: neat → rounded')
end

--- Waits for a label that says what Tab does here.
local function until_accept(editor)
  return editor:until_shows('Tab: accept')
end

local function until_no_label(editor)
  return editor:until_hides('next edit')
end

--- What was last said to be shown before something else was said: going there, one is asked again, and what is
--- shown may get another name.
local function shown_before(editor, method)
  local shown
  for _, it in ipairs(editor:all_said()) do
    if it.method == method then
      return shown
    end
    shown = it.method == 'foretell/didShow' and it or shown
  end
end

story('rename one, and Tab walks through the others', with({
  ['rename.ts'] = NEAT,
}), function(editor)
  editor:type('wcwrounded', 90)
  local screen = editor:until_shows('Tab: next edit, line 3: neat → rounded')
  editor:screenshot('next-1-offered')
  expect.equal(screen:style_of('neatrounded +').strikethrough, true)
  expect.equal(screen:style_of('rounded +').strikethrough, nil)
  editor:press('Tab')
  until_accept(editor)
  expect.equal(editor:cursor(), { 3, 10 })
  editor:screenshot('next-2-there')
  editor:press('Tab')
  local accepted = editor:until_said('foretell/didAccept')
  expect.equal(accepted.params, shown_before(editor, 'foretell/didAccept').params)
  editor:until_shows('lines 5–6')
  editor:screenshot('next-3-and-on')
  editor:press('Tab')
  until_accept(editor)
  editor:press('Tab')
  until_no_label(editor)
  editor:until_hides('Tab: accept')
  editor:screenshot('next-4-done')
  expect.equal(editor:mode(), 'i')
  expect.equal(editor:saved(), ROUNDED)
  expect.equal(editor:messages(), {})
end)

story(
  'a name that is typed with a pause in the middle is carried as it is in the end',
  with({ ['slowly.ts'] = NEAT }),
  function(editor)
    editor:type('wcwrou', 60)
    editor:until_shows('neat → rou')
    editor:type('nded', 60)
    editor:until_shows('neat → rounded')
  end
)

for _, key in ipairs({ 'Escape', 'C-e' }) do
  story(key .. ' rejects it, and it does not come back', with({
    ['rejected.ts'] = NEAT,
  }), function(editor)
    renamed(editor)
    editor:press(key)
    until_no_label(editor)
    editor:until_said('foretell/didReject')
    editor:forget()
    editor:never_shows('next edit, line 3', function()
      if key == 'Escape' then
        editor:until_mode('n')
        editor:type('o')
      else
        editor:press('End', 'Enter')
      end
      editor:type('// more', 60)
      local asked = editor:until_said('textDocument/copilotInlineEdit', function(it)
        return it.params.position.line == 1 and it.params.position.character == #'// more'
      end)
      expect.equal(editor:until_answered(asked).result, { edits = {} })
    end)
  end)
end

--- Has the server not answer while something is done.
local function while_it_sleeps(editor, act)
  local pid = editor:servers()[1].pid
  vim.uv.kill(pid, 'sigstop')
  local ok, problem = pcall(act)
  vim.uv.kill(pid, 'sigcont')
  if not ok then
    error(problem, 0)
  end
end

story('what the server is long silent about is hidden, and not said to be ignored', with({
  ['silent.ts'] = NEAT,
}), function(editor)
  renamed(editor)
  editor:press('End')
  editor:until_shows('Tab: next edit, line 3')
  editor:forget()
  while_it_sleeps(editor, function()
    editor:type(' ')
    until_no_label(editor)
    expect.equal(editor:said('foretell/didIgnore'), {})
  end)
  editor:until_shows('Tab: next edit, line 3')
  expect.equal(editor:said('foretell/didIgnore'), {})
  -- When it is left, it is known.
  while_it_sleeps(editor, function()
    editor:type(' ')
    until_no_label(editor)
    editor:press('Escape')
    editor:until_mode('n')
    editor:until_said('foretell/didIgnore')
  end)
  expect.equal(editor:said('foretell/didReject'), {})
end)

story('going there does not leave insert mode, and C-o comes back', with({ ['there.ts'] = NEAT }, {
  init = [[
    Left = {}
    vim.api.nvim_create_autocmd({ 'InsertLeave', 'ModeChanged' }, { callback = function(event)
      table.insert(Left, event.event)
    end })
  ]],
}), function(editor)
  renamed(editor)
  editor:ask('Left = {}')
  editor:press('Tab')
  until_accept(editor)
  expect.equal(editor:cursor()[1], 3)
  expect.equal(editor:ask('return Left'), {})
  editor:press('C-c')
  editor:until_mode('n')
  editor:press('C-o')
  expect.equal(editor:cursor()[1], 1)
end)

story('normal mode shows nothing', with({ ['normal.ts'] = NEAT }), function(editor)
  renamed(editor)
  editor:press('C-c')
  editor:until_mode('n')
  local screen = until_no_label(editor)
  expect.equal(screen:rows()[3], '  return neat + neat;')
  expect.equal(screen:style_of('neat +').strikethrough, nil)
end)

story('Tab indents in leading white space', with({ ['indent.ts'] = NEAT }), function(editor)
  renamed(editor)
  editor:press('Down', 'Down', 'Home')
  editor:until_shows('next edit, line 3')
  editor:until_hides('Tab: ')
  editor:screenshot('next-indent')
  editor:press('Tab')
  local indented = NEAT:gsub('neat', 'rounded', 1):gsub('  return', '\t  return'):gsub('\n$', '')
  editor:until_text(indented)
  expect.equal(editor:said('foretell/didAccept'), {})
end)

story('what was moved by typing above is still the right place', with({
  ['moved.ts'] = NEAT,
}), function(editor)
  renamed(editor)
  editor:press('End')
  editor:type('\n// one\n// two')
  -- The answer for the text before the last letter is drawn a moment longer, and Tab leaves it alone then.
  editor:until_answered(editor:until_said('textDocument/copilotInlineEdit', function(it)
    return vim.deep_equal(it.params.position, { line = 2, character = #'// two' })
  end))
  editor:until_shows('Tab: next edit, line 5')
  editor:press('Tab')
  until_accept(editor)
  editor:press('Tab')
  editor:until_shows('  return rounded + rounded;')
end)

story('a next edit in a closed fold: the jump opens it', with({
  ['folded.ts'] = NEAT,
}, {
  init = 'vim.o.foldmethod = "marker" vim.o.foldmarker = "function,}"',
}), function(editor)
  editor:until_hides('return')
  renamed(editor)
  editor:until_hides('return')
  editor:press('Tab')
  until_accept(editor)
  editor:until_shows('return')
  editor:screenshot('next-fold')
  expect.equal(editor:cursor(), { 3, 10 })
  editor:press('Tab')
  editor:until_shows('  return rounded + rounded;')
end)

local SHAPE = 'export function neat(x: number) {\n  return x;\n}\n'
local USES = 'import { neat } from "./shape";\n\nconsole.log(neat(1));\n'

story(
  'a next edit in another file is one Tab away, and the label names the file',
  with({ ['shape.ts'] = SHAPE, ['uses.ts'] = USES }, { open = 'uses.ts' }),
  function(editor)
    editor:command('edit shape.ts')
    editor:until_shows('export function')
    editor:type('wwcwrounded')
    editor:until_shows('Tab: next edit, uses.ts:1: neat → rounded')
    editor:screenshot('next-other-file')
    editor:press('Tab')
    until_accept(editor)
    expect.equal(editor:cursor(), { 1, 10 })
    expect.equal(editor:mode(), 'i')
    editor:press('Tab')
    editor:until_shows('line 3')
    editor:press('Tab')
    until_accept(editor)
    editor:press('Tab')
    editor:until_text((USES:gsub('neat', 'rounded'):gsub('\n$', '')))
    expect.equal(editor:messages(), {})
  end
)

story(
  'a next edit in a file that another window shows goes there',
  with({ ['shape.ts'] = SHAPE, ['uses.ts'] = USES }, { open = 'uses.ts' }),
  function(editor)
    editor:command('split shape.ts')
    editor:until_shows('export function')
    editor:type('wwcwrounded')
    editor:until_shows('Tab: next edit, uses.ts:1: neat → rounded')
    editor:press('Tab')
    until_accept(editor)
    expect.equal(editor:ask('return vim.fn.winnr("$")'), 2)
    expect.equal(editor:ask('return vim.fn.expand("%:t")'), 'uses.ts')
    editor:screenshot('next-other-window')
  end
)

story('emoji and CRLF: the edit is where it is drawn', with({
  ['smile.ts'] = (NEAT:gsub('neat %+ neat', '"😀" + neat'):gsub('\n', '\r\n')),
}), function(editor)
  renamed(editor)
  editor:press('Tab')
  until_accept(editor)
  editor:screenshot('next-emoji')
  editor:press('Tab')
  editor:until_shows('lines 5–6')
  editor:press('Tab')
  until_accept(editor)
  editor:press('Tab')
  until_no_label(editor)
  editor:until_hides('Tab: accept')
  local text = ROUNDED:gsub('rounded %+ rounded', '"😀" + rounded'):gsub('\n', '\r\n')
  expect.equal(editor:saved(), text)
end)

story('an undo of the rename takes the suggestion away', with({
  ['undone.ts'] = NEAT,
}), function(editor)
  renamed(editor)
  editor:press('C-c')
  editor:until_mode('n')
  editor:type('u')
  editor:until_text((NEAT:gsub('\n$', '')))
  editor:never_shows('next edit', function()
    editor:type('A')
  end)
end)

story('accepting one is one undo', with({ ['one-undo.ts'] = NEAT }), function(editor)
  renamed(editor)
  editor:press('Tab')
  until_accept(editor)
  editor:press('Tab')
  editor:until_shows('  return rounded + rounded;')
  editor:press('C-c')
  editor:until_mode('n')
  editor:type('u')
  editor:until_shows('  return neat + neat;')
  expect.equal(editor:screen():row(1), 'const rounded = 1;')
end)
