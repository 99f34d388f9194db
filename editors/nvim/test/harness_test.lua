-- The other stories rely on this, in Neovim without the plugin: that what is read is what is
-- there, and that a blank frame would be seen.
local expect = require('support.expect')
local waiting = require('support.waiting')
local story = require('support.stories').story

local PLAIN = { plugin = false, files = { ['one.txt'] = 'first\n\nlast\n' } }

story('what is typed is drawn, and is what is saved', PLAIN, function(editor)
  editor:until_shows('last')
  editor:press('j')
  editor:type('ia  wide gap; 😀 é 漢字')
  local screen = editor:until_shows('漢字')
  expect.equal(screen:row(2), 'a  wide gap; 😀 é 漢字')
  editor:press('Escape')
  editor:until_mode('n')
  expect.equal(editor:saved(), 'first\na  wide gap; 😀 é 漢字\nlast\n')
  editor:type('u')
  editor:until_text('first\n\nlast')
end)

story('cells have their text, their place and how they are drawn', {
  plugin = false,
  init = [[
    vim.api.nvim_set_hl(0, 'Loud', { fg = '#ff0000', bg = '#000080', bold = true, italic = true })
    vim.api.nvim_set_hl(0, 'Gone', { strikethrough = true, underline = true })
    vim.api.nvim_create_autocmd('VimEnter', { callback = function()
      vim.api.nvim_buf_set_lines(0, 0, -1, true, { '漢字 é😀 plain loud gone' })
      local space = vim.api.nvim_create_namespace('t')
      vim.api.nvim_buf_set_extmark(0, space, 0, 20, { end_col = 24, hl_group = 'Loud' })
      vim.api.nvim_buf_set_extmark(0, space, 0, 25, { end_col = 29, hl_group = 'Gone' })
    end })
  ]],
}, function(editor)
  local screen = editor:until_shows('gone')
  expect.equal(screen:row(1), '漢字 é😀 plain loud gone')
  local places = {}
  for _, cell in ipairs(screen.cells[1]) do
    places[cell.text] = places[cell.text] or cell.column
  end
  expect.equal({ places['字'], places['é'], places['😀'], places['p'] }, { 3, 6, 7, 10 })
  local loud = { fg = '#ff0000', bg = '#000080', bold = true, italic = true }
  local found = screen:style_of('loud')
  for name, value in pairs(loud) do
    expect.equal(found[name], value, name)
  end
  local gone = screen:style_of('gone')
  expect.equal({ gone.strikethrough, gone.underline, gone.bold }, { true, true, nil })
  local is_loud = function(style)
    return style.fg == '#ff0000'
  end
  expect.equal(screen:drawn(is_loud), 'loud')
end)

--- Neovim that goes on from what is typed with what remains of a line, in a way that may be bad.
local function with_ghost(draw)
  return {
    plugin = false,
    init = ([[
      local line = 'const sum = price;'
      local space = vim.api.nvim_create_namespace('ghost')
      local function clear()
        vim.api.nvim_buf_clear_namespace(0, space, 0, -1)
      end
      local function draw()
        clear()
        local typed = vim.api.nvim_get_current_line()
        vim.api.nvim_buf_set_extmark(0, space, 0, #typed, {
          virt_text = { { line:sub(#typed + 1), 'Comment' } }, virt_text_pos = 'inline',
        })
      end
      vim.api.nvim_create_autocmd({ 'InsertEnter', 'TextChangedI' }, { callback = function()
        %s
      end })
    ]]):format(draw),
  }
end

local function frames_of(editor)
  editor:press('i')
  editor:until_shows('const sum = price;')
  return editor:recorded(function()
    editor:type('const sum', 60)
    editor:until_text('const sum')
  end)
end

story('every key is seen in a frame of its own', with_ghost('draw()'), function(editor)
  local frames = frames_of(editor)
  expect.truthy(#frames >= 9, ('nine keys have a frame each, and not %d'):format(#frames))
  expect.steady(frames, 'const sum = price;')
end)

for _, bad in ipairs({
  { 'a blank frame', 'clear() vim.schedule(draw)' },
  { 'a frame in which text and ghost text do not fit', 'vim.schedule(draw)' },
}) do
  local what, draw = unpack(bad)
  story(what .. ' is found', with_ghost(draw), function(editor)
    local frames = frames_of(editor)
    local ok, problem = pcall(expect.steady, frames, 'const sum = price;')
    expect.equal(ok, false, 'whether it is steady')
    expect.truthy(problem:find('lacks', 1, true), 'it says so: ' .. problem)
  end)
end

story('ghost text that never came is not taken for steady', function()
  local ok, problem = pcall(expect.steady, { { rows = { 'const' } } }, 'const sum')
  expect.equal({ ok, problem:find('no frame of 1 has', 1, true) ~= nil }, { false, true })
end)

story('what is shown for a moment is seen', PLAIN, function(editor)
  local function flash()
    editor:ask([[
      local number = vim.api.nvim_buf_set_extmark(0, vim.api.nvim_create_namespace('f'), 0, 0, {
        virt_text = { { 'FLASH', 'Comment' } } })
      vim.schedule(function()
        vim.cmd.redraw()
        vim.api.nvim_buf_clear_namespace(0, -1, 0, -1)
      end)
    ]])
  end
  local ok = pcall(editor.never_shows, editor, 'FLASH', flash, 50)
  expect.equal(ok, false)
  editor:never_shows('FLASH', function() end, 50)
end)

story('without a terminal keys are keys too', {
  plugin = false,
  headless = true,
  files = { ['two.txt'] = 'first\n' },
}, function(editor)
  editor:type('A < second')
  editor:press('Enter')
  editor:type('third')
  editor:press('BSpace', 'Escape')
  editor:until_text('first < second\nthir')
  expect.equal(editor:mode(), 'n')
  expect.equal(editor:saved(), 'first < second\nthir\n')
end)

story('nothing outlives a run that is killed', function()
  -- A run of its own, of which everything is gone when it is killed in the middle.
  local places = require('support.places')
  local mark = places.new_directory()
  local program = places.write(mark .. '/run.lua', ([[
    package.path = %q .. '/?.lua;' .. package.path
    local Editor = require('support.editor')
    local one = Editor.open({ plugin = false })
    local other = Editor.open({ plugin = false, headless = true })
    for _, editor in ipairs({ one, other }) do
      io.stdout:write(editor.directory, ' ', editor.pid, '\n')
    end
    io.stdout:flush()
    vim.wait(60000)
  ]]):format(places.tests))
  local said = ''
  local run = vim.system({ places.nvim, '-l', program }, {
    stdout = function(_, chunk)
      said = said .. (chunk or '')
    end,
  })
  waiting.wait_for('two editors', function()
    return select(2, said:gsub('\n', '')) == 2
  end)
  run:kill('sigkill')
  for directory, pid in said:gmatch('(%S+) (%d+)\n') do
    waiting.wait_for('end of ' .. pid, function()
      return vim.uv.kill(tonumber(pid), 0) ~= 0
    end)
    waiting.wait_for('end of ' .. directory, function()
      return vim.uv.fs_stat(directory) == nil
    end)
  end
  vim.fn.delete(mark, 'rf')
end)
