-- The stories that the pictures of the documentation tell. Each story has a Neovim as it comes, with the plugin and the
-- server as they come: no model, and what is suggested is what the embedded lanes make of the text.
--
-- A story puts what it sees into an album: `still` and `moving` for pictures, `block` for words.
local camera = require('support.camera')
local expect = require('support.expect')
local waiting = require('support.waiting')

local M = {}

local SHOP = [[
export function total(order: Order) {
  return order.items.reduce((sum, it) => sum + it.price, 0);
}

export function receipt(order: Order) {
  return [order.name, total(order)];
}

export function check(order: Order) {
  if (!order.name) throw new Error("name is missing");
  if (!order.street) throw new Error("street is missing");
  return total(order) < 1000;
}
]]

local MAIL = [[
import { total } from "./shop";

export function subject(order: Order) {
  return `Your order: ${total(order)}`;
}
]]

local BEGUN = 'if (!order.city) '
local GHOST = 'throw new Error("city is missing");'
--- What is said of that at every key.
local AT_ONCE = 'throw new'

--- The longest rest before anything is suggested that can be set. Nobody waits for it: a picture of what was just
--- typed is one without what is suggested for it, on any machine, and where that is wanted it is asked for.
local REST_MS = 600000

local MOST_DECISIONS = 3

--- Neovim as it is without a configuration, but for a few things that make a picture calm.
local CALM = [[
  vim.cmd('highlight clear')
  vim.o.number, vim.o.laststatus, vim.o.ruler, vim.o.showcmd = true, 2, false, false
  vim.g.loaded_matchparen = 1
]]

local function setup(more)
  return vim.tbl_deep_extend('force', {
    files = { ['shop.ts'] = SHOP },
    open = 'shop.ts',
    columns = 82,
    lines = 16,
    config = { cmd = 'foretell' },
    init = CALM,
  }, more or {})
end

--- The same, with nothing suggested before it is asked for.
local function unhurried(more)
  -- What is said at the cursor comes as the keys do, and is not what these pictures show.
  local config = { settings = { pace = { idleMs = REST_MS }, recall = { mode = 'off' } } }
  return setup(vim.tbl_extend('force', { config = config }, more or {}))
end

--- Puts a new line in front of the last one of the function, and begins it as the others begin.
local function begin_line(editor)
  editor:type('12GO')
  editor:until_mode('i')
  editor:type_at_once(BEGUN)
end

--- The person has paused for long enough: what would be suggested then is asked for now, and gives what the server
--- has answered.
local function pause(editor)
  editor:forget()
  editor:ask('require("foretell").suggest()')
  local asked = editor:until_said('textDocument/inlineCompletion', function(it)
    return it.params.context.triggerKind == 1
  end)
  return editor:until_answered(asked).result.items
end

--- Leaves insert mode, which rejects what is shown.
local function escape(editor)
  editor:press('Escape')
  editor:until_mode('n')
end

--- The words in the window that a command has opened, and that is made so high, and a picture. It is closed then.
local function words_of(editor, command, shows, height)
  editor:command(command)
  if height ~= nil then
    camera.take(editor, shows)
    editor:tmux('send-keys', tostring(height), 'C-w', '_')
  end
  local picture = camera.take(editor, shows)
  local words = editor:text()
  editor:press('q')
  return words, picture
end

--- Why nothing came, and the first few of what was decided: the rest is much alike.
local function first_decisions(why)
  local shown, decisions = {}, 0
  for line in vim.gsplit(why, '\n', { plain = true }) do
    decisions = decisions + (vim.startswith(line, '- ') and 1 or 0)
    if decisions > MOST_DECISIONS then
      shown[#shown + 1] = '…'
      break
    end
    shown[#shown + 1] = line
  end
  return table.concat(shown, '\n')
end

--- One who renames a function, with what is said under each picture.
local function rename_and_reject(editor, album)
  local shots, keys, words = {}, {}, ''
  local function say(pressed, said)
    keys, words = pressed, said
  end
  local function shoot(ms, shows, hides)
    local picture = camera.take(editor, shows, hides)
    shots[#shots + 1] = { picture = picture, ms = ms, keys = keys, words = words }
  end
  local function type_slowly(text, before)
    local typed = before
    for character in text:gmatch('.') do
      editor:type(character)
      typed = typed .. character
      -- A blank at the end is not seen on the screen.
      waiting.wait_for(('line with %q'):format(typed), function()
        return editor:ask('return vim.api.nvim_get_current_line()'):find(typed, 1, true)
      end)
      shoot(120, (typed:gsub('%s+$', '')))
    end
  end

  editor:press('w', 'w')
  say({}, 'total() is called in two other places.')
  shoot(2200, 'return total(order) < 1000')
  editor:type('cw')
  editor:until_mode('i')
  say({ 'c', 'w' }, 'Rename it.')
  shoot(700, 'function (order')
  say({ 'gross' }, 'Rename it.')
  type_slowly('gross', 'function ')
  pause(editor)
  say({}, 'The next place lights up, and the label says where it is.')
  shoot(3600, 'Tab: next edit, line 6: total → gross')
  local still = #shots
  editor:press('Tab')
  say({ 'Tab' }, 'Go there.')
  shoot(2200, 'Tab: accept')
  editor:press('Tab')
  pause(editor)
  say({ 'Tab' }, 'Take it. The next one is offered.')
  shoot(3000, 'Tab: next edit, line 12')
  editor:press('Tab')
  say({ 'Tab' }, 'Go there.')
  shoot(1800, 'totalgross(order) < 1000;   Tab: accept')
  editor:press('Tab')
  pause(editor)
  say({ 'Tab' }, 'Take it. All places are done.')
  shoot(2400, 'return gross(order)', 'Tab:')

  escape(editor)
  editor:press('O')
  editor:until_mode('i')
  say({ 'Esc', 'O' }, 'A new line.')
  shoot(1400, ' 14 }')
  say({ vim.trim(BEGUN) }, 'Begin it as the others begin.')
  type_slowly(BEGUN, '')
  pause(editor)
  say({}, 'Pause, and the rest of it comes as ghost text. No model was asked.')
  shoot(3600, BEGUN .. GHOST)
  say({ 'throw' }, 'Type into it, and what is left of it stays.')
  type_slowly('throw', BEGUN)
  shoot(1800, BEGUN .. GHOST)
  escape(editor)
  say({ 'Esc' }, 'Esc rejects it.')
  shoot(2200, nil, 'city is missing')
  editor:type('A')
  editor:until_mode('i')
  editor:type(' ')
  expect.equal(pause(editor), {})
  say({ 'A', 'Space' }, 'What was rejected does not come back here, not even tomorrow.')
  shoot(4200, nil, 'city is missing')

  album:moving('next-edit', shots, still, {
    title = 'Foretell in Neovim',
    description = 'A terminal with Neovim, moving. A function is renamed in line 1. Line 6, which calls it, lights up '
      .. 'with the old name struck out and the new one behind it, and a label at the cursor says: Tab: next edit, '
      .. 'line 6. Tab goes there, and Tab again takes it; so it goes on in line 12. Then a new line is begun, and the '
      .. 'rest of it stands behind the cursor in grey. It stays while it is typed into. Escape takes it away, and it '
      .. 'does not come back.',
  })
end

local function offered(editor, album)
  begin_line(editor)
  album:still('ghost-text', camera.take(editor, BEGUN .. AT_ONCE), {
    title = 'Ghost text in Neovim',
    description = 'A line that was begun, and the rest of it in grey behind the cursor.',
  })
end

local function in_two_files(editor, album)
  editor:command('belowright 6split mail.ts')
  editor:command('wincmd p')
  editor:until_said('textDocument/didOpen', function(it)
    return it.params.textDocument.uri:find('mail.ts', 1, true) ~= nil
  end)
  editor:type('wwcw')
  editor:until_mode('i')
  editor:type_at_once('gross')
  camera.take(editor, 'Tab: next edit, line 6')
  editor:press('Tab')
  album:still('next-edit-there', camera.take(editor, 'Tab: accept'), {
    title = 'A next edit in Neovim',
    description = 'The cursor is in line 6, where the old name is struck out and the new one stands behind it; the '
      .. 'label at the end of the line says: Tab: accept.',
  })
  editor:press('Tab')
  camera.take(editor, 'Tab: next edit, line 12')
  editor:press('Tab')
  camera.take(editor, 'totalgross(order) < 1000;   Tab: accept')
  editor:press('Tab')
  album:still('other-file', camera.take(editor, 'Tab: next edit, mail.ts:1'), {
    title = 'A next edit in another file, in Neovim',
    description = 'Two windows. In the upper one a function was renamed everywhere, and the label at the cursor says: '
      .. 'Tab: next edit, mail.ts:1. In the lower one, with mail.ts, the old name is struck out in line 1.',
  })
end

--- Waits until the server has answered the latest of each question, so that what it decided is the same each
--- time. Earlier ones may have been taken back.
local function until_answered(editor)
  waiting.wait_for('end of the questions', function()
    local latest = {}
    for _, it in ipairs(editor:all_said()) do
      if it.from == 'client' and it.id ~= nil then
        latest[it.method] = it.id
      elseif it.answers ~= nil and latest[it.answers] == it.id then
        latest[it.answers] = nil
      end
    end
    return next(latest) == nil
  end)
end

local function asked_why(editor, album)
  begin_line(editor)
  camera.take(editor, AT_ONCE)
  until_answered(editor)
  escape(editor)
  editor:until_said('foretell/didReject')
  editor:type('A')
  editor:until_mode('i')
  editor:forget()
  editor:type_at_once('throw')
  editor:until_said('textDocument/inlineCompletion')
  until_answered(editor)
  local why, picture = words_of(editor, 'Foretell why', 'Nothing was shown', 13)
  album:block('why', first_decisions(why))
  album:still('why', picture, {
    title = ':Foretell why in Neovim',
    description = 'A window below the text says why nothing was shown, and what was decided, the newest first.',
  })
end

local function asked_what_is_rejected(editor, album)
  begin_line(editor)
  camera.take(editor, AT_ONCE)
  escape(editor)
  editor:until_said('foretell/didReject')
  local rejections, picture = words_of(editor, 'Foretell rejections', 'Rejected, and')
  album:block('rejections', rejections)
  album:still('rejections', picture, {
    title = ':Foretell rejections in Neovim',
    description = 'A window below the text lists what was rejected: one suggestion, with its number and its place.',
  })
  album:block('sent', (words_of(editor, 'Foretell sent', 'Nothing was sent')))
end

local function healthy(editor, album)
  -- What is asked when a file is opened has ended, so that it is counted.
  until_answered(editor)
  -- Counts and times are left out of the page: they differ each time.
  local status = words_of(editor, 'Foretell status', 'Lanes')
  local timeless = status:gsub('; half within %d+ ms, 95 %% within %d+ ms', '')
  album:block('status', vim.trim(timeless:match('^(.-)\nIndex')))
  editor:command('checkhealth foretell')
  local picture = camera.take(editor, 'it says of itself')
  album:block('checkhealth', vim.trim(editor:text()))
  album:still('checkhealth', picture, {
    title = ':checkhealth foretell in Neovim',
    description = 'A report: the version of Neovim, the configuration, the server, the keys, and the buffer one came '
      .. 'from. Everything is OK.',
  })
end

local function drawn_by_neovim(editor, album)
  begin_line(editor)
  album:still('native', camera.take(editor, AT_ONCE), {
    title = "Neovim's own ghost text",
    description = 'A line that was begun, and the rest of it in grey behind the cursor, drawn by Neovim 0.12.',
  })
end

--- Every story: what it is about, the Neovim it is told in, and how.
M.list = {
  { name = 'a rename, and a rejection', neovim = '0.10', setup = unhurried(), tell = rename_and_reject },
  { name = 'ghost text', neovim = '0.10', setup = setup(), tell = offered },
  {
    name = 'next edits in two files',
    neovim = '0.10',
    setup = setup({ files = { ['mail.ts'] = MAIL }, lines = 22 }),
    tell = in_two_files,
  },
  { name = 'why nothing comes', neovim = '0.10', setup = setup({ lines = 22 }), tell = asked_why },
  { name = 'what is rejected', neovim = '0.10', setup = setup(), tell = asked_what_is_rejected },
  {
    name = 'its health',
    neovim = '0.10',
    setup = setup({ lines = 31, init = CALM .. 'vim.o.number = false' }),
    tell = healthy,
  },
  { name = "Neovim's own ghost text", neovim = '0.12', setup = setup(), tell = drawn_by_neovim },
}

return M
