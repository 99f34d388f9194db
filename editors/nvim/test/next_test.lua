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
  -- One Tab too many is no Tab in the code.
  editor:press('Tab')
  editor:until_shows('no more next edits')
  editor:screenshot('next-4-done')
  editor:until_hides('no more next edits')
  until_no_label(editor)
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

story('C-e rejects it, and it does not come back', with({
  ['rejected.ts'] = NEAT,
}), function(editor)
  renamed(editor)
  editor:press('C-e')
  until_no_label(editor)
  editor:until_said('foretell/didReject')
  editor:forget()
  editor:never_shows('next edit, line 3', function()
    editor:press('End', 'Enter')
    editor:type('// more', 60)
    local asked = editor:until_said('textDocument/copilotInlineEdit', function(it)
      return it.params.position.line == 1 and it.params.position.character == #'// more'
    end)
    expect.equal(editor:until_answered(asked).result, { edits = {} })
  end)
end)

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

story('leaving insert mode leaves it, and Tab goes there and does it from normal mode', with({
  ['normal.ts'] = NEAT,
}), function(editor)
  renamed(editor)
  editor:forget()
  editor:press('Escape')
  editor:until_mode('n')
  local screen = editor:until_shows('Tab: next edit, line 3: neat → rounded')
  editor:screenshot('next-normal-mode')
  expect.equal(screen:style_of('neatrounded +').strikethrough, true)
  editor:press('Tab')
  until_accept(editor)
  expect.equal(editor:cursor(), { 3, 10 })
  editor:press('Tab')
  editor:until_shows('lines 5–6')
  editor:press('Tab')
  until_accept(editor)
  editor:press('Tab')
  editor:until_shows('no more next edits')
  editor:until_hides('no more next edits')
  editor:until_hides('Tab: accept')
  expect.equal(editor:mode(), 'n')
  expect.equal(editor:said('foretell/didReject'), {})
  expect.equal(editor:saved(), ROUNDED)
  -- Tab is Tab again.
  expect.equal(editor:ask('return vim.fn.maparg("<Tab>", "n")'), '')
  expect.equal(editor:messages(), {})
end)

story('a rename in one go, as people make it, is carried on from normal mode', with({
  ['go.ts'] = NEAT,
}), function(editor)
  editor:type('ggwciwrounded')
  editor:press('Escape')
  editor:until_mode('n')
  editor:until_shows('Tab: next edit, line 3: neat → rounded')
  -- What is selected is not drawn into, and typing a command leaves it where it is.
  editor:type('v')
  until_no_label(editor)
  editor:press('Escape')
  editor:until_shows('Tab: next edit, line 3')
  editor:type('u')
  editor:until_text((NEAT:gsub('\n$', '')))
  until_no_label(editor)
end)

story('who wants none in normal mode gets none', with({ ['none.ts'] = NEAT }, {
  init = 'vim.g.foretell = vim.tbl_extend("force", vim.g.foretell or {}, { normal_mode = false })',
}), function(editor)
  renamed(editor)
  editor:forget()
  editor:press('Escape')
  editor:until_mode('n')
  local screen = until_no_label(editor)
  expect.equal(screen:rows()[3], '  return neat + neat;')
  expect.equal(screen:style_of('neat +').strikethrough, nil)
  editor:until_said('foretell/didIgnore')
  expect.equal(editor:said('foretell/didReject'), {})
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

story('a label has room, or stands on a line that has', with({
  ['long.ts'] = (NEAT:gsub('const neat = 1;', 'const neat = 1; // ' .. ('long '):rep(13))),
}), function(editor)
  editor:command('set nowrap')
  editor:type('ggwcwrounded')
  local screen = editor:until_shows('neat → rounded')
  local rows = screen:rows()
  expect.truthy(rows[1]:find('Tab', 1, true) == nil, 'there is no room behind the line: ' .. rows[1])
  expect.truthy(rows[2]:find('↑ Tab: next edit, line 3', 1, true), 'it is below: ' .. rows[2])
  editor:screenshot('next-long-line')
end)

story('a label promises no Tab while the popup menu has it', with({ ['menu.ts'] = NEAT }), function(editor)
  editor:command('set completeopt=menuone')
  renamed(editor)
  editor:press('End')
  editor:type(' rou', 90)
  editor:until_shows('next edit, line 3')
  editor:press('C-n')
  editor:until_hides('Tab: ')
  editor:screenshot('next-popup-menu')
end)
