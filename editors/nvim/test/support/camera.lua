-- Takes pictures of a Neovim in a terminal: the cells of the screen, and where its cursor stands.
--
-- A picture is taken when the screen shows what it is to show and has come to rest, so that the same story
-- gives the same pictures on a fast machine and on a slow one.
local waiting = require('support.waiting')

local M = {}

--- So many looks in a row must see the same, so far apart.
local LOOKS = 4
local BETWEEN_MS = 40

--- How a cursor looks, by the mode it is in; otherwise it is a block.
local SHAPES = { i = 'bar', R = 'underline' }

---@class foretell.Picture
---@field cells table[] the cells of each row
---@field rows string[] the text of each row, down to the last one that has some
---@field columns integer
---@field cursor { row: integer, column: integer, shape: 'bar'|'block'|'underline' }? if it is seen

---@return foretell.Picture picture, string text
local function look(editor)
  local told = '#{cursor_x} #{cursor_y} #{cursor_flag} #{pane_width}'
  local x, y, is_seen, columns = editor:tmux('display-message', '-p', told):match('(%d+) (%d+) (%d) (%d+)')
  local screen = editor:screen()
  local cursor = { column = x + 1, row = y + 1, shape = SHAPES[editor:mode()] or 'block' }
  local picture = {
    cells = screen.cells,
    rows = screen:rows(),
    columns = tonumber(columns),
    cursor = is_seen == '1' and cursor or nil,
  }
  return picture, screen:text()
end

--- Takes one that has some words, and not some others, when it has come to rest.
---@param shows string?
---@param hides string?
---@return foretell.Picture
function M.take(editor, shows, hides)
  local last, same = nil, 0
  return waiting.wait_for(('picture with %q and without %q'):format(shows or '', hides or ''), function()
    local picture, text = look(editor)
    local has_shown = shows == nil or text:find(shows, 1, true) ~= nil
    local has_hidden = hides == nil or text:find(hides, 1, true) == nil
    same = has_shown and has_hidden and vim.deep_equal(picture, last) and same + 1 or 0
    last = picture
    if same >= LOOKS then
      return picture
    end
    waiting.pass(BETWEEN_MS)
  end, function()
    return editor:screen():rows()
  end)
end

return M
