-- Other servers' diagnostics of a file, and their quick fixes: our server hears of both, and offers the
-- fix. The other server is a few lines inside of Neovim, which know one word that is misspelled.
local OTHER_SERVER = require('support.other_server')
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')

local MISSPELLED = 'const price = 1;\nconst sum = prise + 1;\nexport { sum };\n'

local SPELLER = [[
  local function place()
    for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
      local from, to = line:find('prise', 1, true)
      if from then
        return number - 1, from - 1, to
      end
    end
  end

  local answers = {
    ['initialize'] = function()
      return { capabilities = { codeActionProvider = true, textDocumentSync = 1 } }
    end,
    ['textDocument/codeAction'] = function(params)
      if Held ~= nil then
        return function(callback)
          table.insert(Held, callback)
        end
      end
      local row, from, to = place()
      if row == nil then
        return {}
      end
      local range = {
        start = { line = row, character = from },
        ['end'] = { line = row, character = to },
      }
      local changes = { [params.textDocument.uri] = { { range = range, newText = 'price' } } }
      return { {
        title = "Change spelling to 'price'",
        kind = 'quickfix',
        isPreferred = true,
        diagnostics = params.context.diagnostics,
        edit = { changes = changes },
      } }
    end,
  }

  local space = vim.api.nvim_create_namespace('speller')
  local function check()
    if IsAsleep then
      return
    end
    local row, from, to = place()
    vim.diagnostic.set(space, 0, row and { {
      lnum = row, col = from, end_lnum = row, end_col = to,
      severity = vim.diagnostic.severity.ERROR,
      message = "Cannot find name 'prise'.",
    } } or {})
  end

  vim.api.nvim_create_autocmd('BufReadPost', { callback = function()
    vim.schedule(function()
      OtherServer('speller', answers)
      check()
    end)
  end })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, { callback = check })
]]

local SETUP = telling.setup({ files = { ['told.ts'] = MISSPELLED }, init = OTHER_SERVER .. SPELLER })

--- Waits until our server was told of a fix, and gives all that was told with it.
local function until_fix(editor)
  return editor:until_said('foretell/didChangeDiagnostics', function(it)
    return #it.params.fixes > 0
  end).params
end

story('a misspelled name is told with its fix, for the text as it is', SETUP, function(editor)
  local told = until_fix(editor)
  expect.truthy(vim.endswith(told.uri, 'told.ts'), 'it is about the file: ' .. told.uri)
  expect.equal(told.diagnostics[1].message, "Cannot find name 'prise'.")
  expect.equal(told.diagnostics[1].range.start, { line = 1, character = 12 })
  expect.equal(told.fixes[1].title, "Change spelling to 'price'")
  expect.equal(told.fixes[1].edits[1].newText, 'price')
  -- A diagnostic that is gone is reported, too.
  editor:forget()
  editor:type('j0filrc')
  editor:until_said('foretell/didChangeDiagnostics', function(it)
    return #it.params.diagnostics == 0
  end)
  expect.equal(editor:messages(), {})
end)

story('a fix that takes longer than the next key is asked for again', SETUP, function(editor)
  until_fix(editor)
  editor:ask('Held = {}')
  editor:type('ggO//')
  editor:ask('return vim.wait(5000, function() return #Held > 0 end)')
  editor:type('x')
  editor:until_said('foretell/didChangeDiagnostics', function(it)
    return it.params.diagnostics[1].range.start.line == 2
  end)
  local version = editor:until_said('textDocument/didChange', function(it)
    return it.params.contentChanges[1].text == 'x'
  end).params.textDocument.version
  editor:until_said('foretell/didChangeDiagnostics', function(it)
    return it.params.version == version
  end)
  editor:ask('local all = Held Held = nil for _, answer in ipairs(all) do answer(nil, {}) end')
  local told = editor:until_said('foretell/didChangeDiagnostics', function(it)
    return it.params.version == version and #it.params.fixes > 0
  end).params
  expect.equal(told.fixes[1].edits[1].range.start, { line = 2, character = 12 })
end)

story('the fix of what was just typed is one Tab away', SETUP, function(editor)
  until_fix(editor)
  -- What was there before is not offered: that would take back what was typed.
  editor:type('j0fpcwpri')
  editor:forget()
  editor:type('se')
  local version = editor:until_said('textDocument/didChange', function(it)
    -- Keys that come at once are told together.
    local changes = it.params.contentChanges
    return vim.endswith(changes[#changes].text, 'e')
  end).params.textDocument.version
  editor:until_said('foretell/didChangeDiagnostics', function(it)
    return it.params.version == version and #it.params.fixes > 0
  end)
  -- The server wants to be asked where the cursor goes after an edit.
  editor:press('Left')
  editor:until_shows('Tab: accept')
  editor:screenshot('diagnostics-fix')
  editor:press('Tab')
  editor:until_text('const price = 1;\nconst sum = price + 1;\nexport { sum };')
end)

story('what was said of an older text is not told of the text as it is', SETUP, function(editor)
  until_fix(editor)
  editor:ask('IsAsleep = true')
  editor:type('j0i  ')
  editor:press('C-c')
  editor:forget()
  -- Another tool has something to say, and the first has not looked again.
  editor:ask([[vim.diagnostic.set(vim.api.nvim_create_namespace('other'), 0, {
    { lnum = 0, col = 0, end_lnum = 0, end_col = 5, severity = 1, message = 'No.' },
  })]])
  local told = editor:until_said('foretell/didChangeDiagnostics').params
  expect.equal(#told.diagnostics, 1)
  expect.equal(told.diagnostics[1].message, 'No.')
end)

story('of the fixes of an error, the one that is preferred is told as such', SETUP, function(editor)
  local told = until_fix(editor)
  expect.equal(told.fixes[1].isPreferred, true)
  expect.equal(told.diagnostics[1].severity, 1)
end)
