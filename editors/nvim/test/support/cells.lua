-- The cells of a terminal: reads the output of `tmux capture-pane -e`.
--
-- A cell is the text at a column, with the marks that are combined with it, and how it is drawn.
-- A wide character has one cell and takes two columns. Knows nothing of Neovim or tmux.
local M = {}

local FLAGS = {
  [1] = 'bold',
  [2] = 'dim',
  [3] = 'italic',
  [4] = 'underline',
  [7] = 'reverse',
  [9] = 'strikethrough',
}
local ENDS = {
  [22] = { 'bold', 'dim' },
  [23] = { 'italic' },
  [24] = { 'underline' },
  [27] = { 'reverse' },
  [29] = { 'strikethrough' },
}

--- Reads the colour that begins at a place of the numbers, and says how many numbers it took.
local function colour(numbers, at)
  if numbers[at] == 2 then
    local red, green, blue = numbers[at + 1], numbers[at + 2], numbers[at + 3]
    return ('#%02x%02x%02x'):format(red, green, blue), 4
  end
  return tostring(numbers[at + 1]), 2
end

--- How what follows a sequence is drawn, given how what was before it is.
local function styled(style, sequence)
  local numbers = {}
  -- `4:3` is a curly underline: the kind does not matter here.
  for number in (sequence == '' and '0' or sequence):gsub(':%d+', ''):gmatch('%d+') do
    numbers[#numbers + 1] = tonumber(number)
  end
  local next = vim.deepcopy(style)
  local at = 1
  while at <= #numbers do
    local number = numbers[at]
    if number == 0 then
      next = {}
    elseif FLAGS[number] then
      next[FLAGS[number]] = true
    elseif ENDS[number] then
      for _, flag in ipairs(ENDS[number]) do
        next[flag] = nil
      end
    elseif number == 38 or number == 48 then
      local found, took = colour(numbers, at + 1)
      next[number == 38 and 'fg' or 'bg'] = found
      at = at + took
    elseif number == 39 then
      next.fg = nil
    elseif number == 49 then
      next.bg = nil
    elseif (number >= 30 and number <= 37) or (number >= 90 and number <= 97) then
      next.fg = tostring(number - (number < 90 and 30 or 82))
    elseif (number >= 40 and number <= 47) or (number >= 100 and number <= 107) then
      next.bg = tostring(number - (number < 100 and 40 or 92))
    end
    at = at + 1
  end
  return next
end

--- The cells of one line, and how what comes behind it begins.
local function row_of(line, style)
  local cells, at, column = {}, 1, 1
  while at <= #line do
    local sequence, behind = line:match('^\27%[([%d;:]*)m()', at)
    if sequence == nil then
      -- Sequences that change the character set, for line drawing, show nothing.
      behind = line:match('^\27[()].()', at) or line:match('^[\14\15]()', at)
    end
    if behind ~= nil then
      style = sequence and styled(style, sequence) or style
      at = behind
    else
      local text = line:match('^[%z\1-\127\194-\244][\128-\191]*', at) or line:sub(at, at)
      local width = vim.fn.strdisplaywidth(text)
      local isCombined = width == 0 or (#cells > 0 and cells[#cells].text:find('\226\128\141$'))
      if isCombined and #cells > 0 then
        cells[#cells].text = cells[#cells].text .. text
      else
        cells[#cells + 1] = { text = text, column = column, style = style }
        column = column + width
      end
      at = at + #text
    end
  end
  return cells, style
end

local Screen = {}
Screen.__index = Screen

--- The text of a row, without the blanks at its end.
function Screen:row(number)
  local parts = {}
  for _, cell in ipairs(self.cells[number] or {}) do
    parts[#parts + 1] = cell.text
  end
  return (table.concat(parts):gsub('%s+$', ''))
end

--- All rows down to the last one that has something.
function Screen:rows()
  local rows = {}
  for number in ipairs(self.cells) do
    rows[number] = self:row(number)
  end
  while rows[#rows] == '' do
    rows[#rows] = nil
  end
  return rows
end

function Screen:text()
  return table.concat(self:rows(), '\n')
end

--- Whether something is on the screen, as it stands.
function Screen:shows(text)
  return self:text():find(text, 1, true) ~= nil
end

--- The text of all cells that are drawn so, a line for each row that has some; `nil` if there is
--- none.
function Screen:drawn(is_so)
  local lines = {}
  for _, cells in ipairs(self.cells) do
    local parts = {}
    for _, cell in ipairs(cells) do
      if is_so(cell.style) then
        parts[#parts + 1] = cell.text
      end
    end
    if #parts > 0 then
      lines[#lines + 1] = (table.concat(parts):gsub('%s+$', ''))
    end
  end
  return #lines > 0 and table.concat(lines, '\n') or nil
end

--- How the first place is drawn where a text stands.
function Screen:style_of(text)
  for number in ipairs(self.cells) do
    local joined, starts = '', {}
    for _, cell in ipairs(self.cells[number]) do
      starts[#joined + 1] = cell
      joined = joined .. cell.text
    end
    local at = joined:find(text, 1, true)
    if at ~= nil and starts[at] ~= nil then
      return starts[at].style
    end
  end
end

--- Reads what tmux has printed.
function M.read(printed)
  local screen = setmetatable({ cells = {} }, Screen)
  local style = {}
  for _, line in ipairs(vim.split(printed:gsub('\n$', ''), '\n', { plain = true })) do
    screen.cells[#screen.cells + 1], style = row_of(line, style)
  end
  return screen
end

return M
