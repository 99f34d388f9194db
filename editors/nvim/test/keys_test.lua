-- Keys are the person's: ours only while something is shown, and given back as they were.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local function with(more)
  return telling.with_line('keys.txt', more)
end

story('Tab is Tab when nothing is shown', with(), function(editor)
  editor:type('ilet x')
  editor:press('Tab')
  editor:until_text('let x\t')
  editor:type('\nconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_text('let x\t\nconst sum = price;')
  editor:press('Tab')
  editor:until_text('let x\t\nconst sum = price;\t')
  expect.equal(#editor:said('foretell/didAccept'), 1)
end)

story("C-e is Neovim's when nothing is shown", with({
  files = { ['keys.txt'] = 'one\nbelow\n' },
}), function(editor)
  editor:type('Onew ')
  -- It puts in what is below the cursor: `b` is not, a line of three has nothing at the fifth
  -- place.
  editor:press('C-c')
  editor:until_mode('n')
  editor:type('cc')
  editor:press('C-e', 'C-e')
  editor:until_text('on\none\nbelow')
  expect.equal(editor:said('foretell/didReject'), {})
end)

story('what the person has mapped to Tab is theirs, before and after', with({
  init = [[vim.keymap.set('i', '<Tab>', 'MINE')
    vim.api.nvim_create_autocmd('BufReadPost', { callback = function()
      vim.keymap.set('i', '<C-e>', 'ALSO', { buffer = true })
    end })]],
}), function(editor)
  editor:press('i', 'Tab')
  editor:until_text('MINE')
  editor:type('\nconst sum = ')
  editor:until_ghost('price;')
  editor:press('C-e')
  editor:until_no_ghost()
  editor:until_said('foretell/didReject')
  editor:press('C-e')
  editor:until_text('MINE\nconst sum = ALSO')
  editor:type('\nconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_text('MINE\nconst sum = ALSO\nconst sum = price;')
  editor:press('Tab')
  editor:until_text('MINE\nconst sum = ALSO\nconst sum = price;MINE')
end)

story('Tab belongs to the popup menu while it is open', with({
  files = { ['popup.txt'] = 'const sum\nsummary summit\n' },
  init = [[vim.keymap.set('i', '<Tab>', function()
    return vim.fn.pumvisible() == 1 and '<C-n>' or '<Tab>'
  end, { expr = true })]],
  script = { { after = 'sum', insert = ' = price;', delayMs = 30 } },
}), function(editor)
  editor:type('A')
  editor:press(telling.ASK)
  editor:until_ghost(' = price;')
  editor:press('C-x', 'C-n')
  editor:until_shows('summit')
  editor:ask('return vim.wait(5000, function() return vim.fn.pumvisible() == 1 end)')
  editor:screenshot('keys-popup')
  local before = editor:text()
  editor:press('Tab')
  waiting.wait_for('key that the menu took', function()
    return editor:text() ~= before
  end)
  expect.truthy(not editor:text():find('price', 1, true), 'nothing of ours was taken')
  expect.equal(editor:said('foretell/didAccept'), {})
end)

story('keys that are set are used, and those that are off are off', with({
  config = { keys = { accept = '<C-l>', reject = false } },
}), function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
  editor:press('Tab')
  editor:until_text('const sum = \t')
  editor:press('BSpace')
  editor:press(telling.ASK)
  editor:until_ghost('price;')
  editor:press('C-l')
  editor:until_text('const sum = price;')
end)

story('a mapping of their own for leaving insert mode rejects as Esc does', with({
  init = [[vim.keymap.set('i', 'jk', '<Esc>')]],
}), function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price;')
  editor:type_at_once('jk')
  editor:until_mode('n')
  editor:until_no_ghost()
  editor:until_said('foretell/didReject')
end)

for _, left in ipairs({ { 'C-c', 'n' }, { 'C-o', 'niI' } }) do
  local key, mode = unpack(left)
  story(key .. ' leaves insert mode, and rejects nothing', with(), function(editor)
    editor:type('iconst sum = ')
    editor:until_ghost('price;')
    editor:press(key)
    editor:until_mode(mode)
    editor:until_no_ghost()
    editor:until_said('foretell/didIgnore')
    expect.equal(editor:said('foretell/didReject'), {})
    -- It may be shown again.
    editor:type(key == 'C-c' and 'A' or '$')
    editor:until_mode('i')
    editor:press(telling.ASK)
    editor:until_ghost('price;')
  end)
end

--- Neovim 0.11 and newer map Tab so by themselves, and the help of 0.10 says to.
local SNIPPET = [[
  if vim.fn.maparg('<Tab>', 'i') == '' then
    vim.keymap.set({ 'i', 's' }, '<Tab>', function()
      return vim.snippet.active({ direction = 1 }) and '<Cmd>lua vim.snippet.jump(1)<CR>' or '<Tab>'
    end, { expr = true })
  end
  vim.keymap.set('i', '<C-k>', function()
    vim.snippet.expand('const sum = $1;\nconst all = $2;')
  end)
]]

for _, drawer in ipairs(telling.drawers) do
  story(('in a snippet Tab goes to the next place of it (%s)'):format(drawer), telling.setup({
    files = { ['keys.txt'] = '' },
    script = { { after = 'const sum = ', insert = 'price', delayMs = 30 } },
    init = SNIPPET,
  }, drawer), function(editor)
    editor:press('i', 'C-k')
    editor:until_text('const sum = ;\nconst all = ;')
    editor:press(telling.ASK)
    editor:until_shows('const sum = price;')
    editor:press('Tab')
    editor:until_hides('const sum = price;')
    expect.equal(editor:cursor(), { 2, #'const all = ' + 1 })
    expect.equal(editor:text(), 'const sum = ;\nconst all = ;')
    expect.equal(editor:said('foretell/didAccept'), {})
  end)
end

story('in a snippet the label of a next edit does not promise Tab', telling.setup({
  files = { ['snippet.ts'] = 'const neat = 1;\n\nexport { neat };\n' },
  init = SNIPPET,
}), function(editor)
  editor:type('wcwrounded')
  editor:until_shows('Tab: next edit, line 3')
  editor:press('Down', 'C-k')
  editor:until_shows('next edit, line 4')
  editor:until_hides('Tab: next')
  editor:press('Tab')
  expect.equal(editor:cursor(), { 3, #'const all = ' + 1 })
end)
