-- Shared parts of stories: the drawers of ghost text, how a person insists, and the messages.
local camera = require('support.camera')
local expect = require('support.expect')
local places = require('support.places')

local M = {}

--- The key that stories map to asking at once.
M.ASK = 'C-b'

local INIT = [[
  vim.keymap.set('i', '<C-b>', function()
    require('foretell').suggest()
  end)
]]

--- Everybody who can draw ghost text in the Neovim under test.
M.drawers = places.has_native_ghost_text() and { 'native', 'extmarks' } or { 'extmarks' }

--- The setup of a story's editor: requests after a rejection are sent at once, so that stories need
--- not wait, and an answer may take as long as a story waits for it: one that comes too late on a
--- busy machine would be withheld, and nothing would be asked again.
function M.setup(more, drawer)
  local setup = vim.tbl_extend('force', {}, more)
  setup.config = vim.tbl_deep_extend('force', {
    ghost_text = drawer or 'auto',
    settings = { trigger = { rejectionCooldownMs = 0 }, race = { capMs = 20000 } },
  }, more.config or {})
  setup.init = INIT .. (more.init or '')
  return setup
end

--- How one line goes on, for stories that are about something else than what is suggested.
M.SCRIPT = { { after = 'const sum = ', insert = 'price;', delayMs = 30 } }

--- The same with an empty file of a name and that line, and more.
function M.with_line(name, more)
  local usual = { files = { [name] = '' }, script = M.SCRIPT }
  return M.setup(vim.tbl_extend('force', usual, more or {}))
end

--- Types the beginning of that line at the end of the file, and waits for the rest of it.
function M.offered(editor)
  editor:type('Goconst sum = ')
  editor:until_ghost('price;')
end

--- Asks as a person who insists, in insert mode, and gives what the server answered.
function M.insisted(editor)
  editor:forget()
  editor:press(M.ASK)
  local request = editor:until_said('textDocument/inlineCompletion', function(it)
    return it.params.context.triggerKind == 1
  end)
  local answer = editor:until_answered(request)
  expect.equal(answer.error, nil, 'the fault')
  return answer.result.items
end

--- Does something, and looks that it changes nothing of what stands on the screen: what is drawn
--- as ghost text is what is there when it is taken. The last two rows are Neovim's, where it says
--- the mode and the place of the cursor.
function M.looks_the_same(editor, act)
  local function picture()
    return vim.list_slice(camera.take(editor).rows, 1, (editor.setup.lines or 24) - 2)
  end
  local before = picture()
  act()
  expect.equal(picture(), before, 'the screen')
end

return M
