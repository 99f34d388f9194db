-- An undo is told as one, just before the change that it makes: suggestions for what was just
-- taken back would nag. Nothing of this is seen, so it needs no terminal.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')

local SETUP = telling.setup({ headless = true, files = { ['undo.txt'] = 'one\ntwo\nthree\n' } })

--- The changes told so far: the reasons of changes, `typed` if none was given. A reason
--- that is not told just before its change is an error.
local function reasons(editor)
  local found, announced = {}, nil
  for _, it in ipairs(editor:all_said()) do
    if it.method == 'foretell/willChange' then
      expect.equal(announced, nil, 'what was announced and did not come')
      announced = it.params
    elseif it.method == 'textDocument/didChange' then
      if announced ~= nil then
        expect.equal(it.params.textDocument, announced.textDocument)
      end
      found[#found + 1] = announced and announced.reason or 'typed'
      announced = nil
    elseif it.from == 'client' and it.method then
      expect.equal(announced, nil, 'told between a reason and its change: ' .. it.method)
    end
  end
  expect.equal(announced, nil, 'what was announced and did not come')
  return found
end

--- Does something, and looks what was told about it.
local function told_as(editor, wanted, act, text)
  editor:forget()
  act()
  editor:until_text(text)
  editor:until_said('textDocument/didChange')
  local found = reasons(editor)
  expect.truthy(#found > 0, 'the change was told')
  for _, reason in ipairs(found) do
    expect.equal(reason, wanted)
  end
end

story('u, :undo, <C-r>, :redo, :earlier and :later are told as such', SETUP, function(editor)
  local before, after = 'one\ntwo\nthree', 'one\nthree'
  told_as(editor, 'typed', function()
    editor:type('jdd')
  end, after)
  told_as(editor, 'undo', function()
    editor:type('u')
  end, before)
  told_as(editor, 'redo', function()
    editor:press('C-r')
  end, after)
  told_as(editor, 'undo', function()
    editor:command('undo')
  end, before)
  told_as(editor, 'redo', function()
    editor:command('redo')
  end, after)
  told_as(editor, 'undo', function()
    editor:command('earlier 1')
  end, before)
  told_as(editor, 'redo', function()
    editor:command('later 1')
  end, after)
  told_as(editor, 'undo', function()
    editor:command('undo 0')
  end, before)
end)

story('what is typed after an undo is typed', SETUP, function(editor)
  told_as(editor, 'typed', function()
    editor:type('dd')
  end, 'two\nthree')
  told_as(editor, 'undo', function()
    editor:type('u')
  end, 'one\ntwo\nthree')
  told_as(editor, 'typed', function()
    editor:type('x')
  end, 'ne\ntwo\nthree')
  told_as(editor, 'typed', function()
    editor:type('ix')
  end, 'xne\ntwo\nthree')
end)

story('an undo of many lines is one, whatever it changes', SETUP, function(editor)
  told_as(editor, 'typed', function()
    editor:command('%s/e/E/g')
  end, 'onE\ntwo\nthrEE')
  told_as(editor, 'undo', function()
    editor:type('u')
  end, 'one\ntwo\nthree')
end)
