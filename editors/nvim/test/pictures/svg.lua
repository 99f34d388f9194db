-- Draws what the camera took as SVG: a still, or several pictures that move.
--
-- Cells line up in any font: each run of cells has its place and its length. What moves is done by CSS in
-- the file, without a script, so that it moves wherever the picture is shown as one; a row of cells that
-- several pictures have in common is written once. With reduced motion, one of them is shown.
--
-- Nothing here knows Neovim, and nothing is drawn that was not on the screen, but the caption.
local M = {}

local WIDTH, HEIGHT, SIZE = 9, 20, 15
--- From the top of a cell to the line that letters stand on.
local BASE = 15
local MARGIN = 14
local CAPTION_HEIGHT = 46

local FONTS = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace'
local WORDS = 'system-ui,-apple-system,"Segoe UI","DejaVu Sans","Liberation Sans",sans-serif'

--- The colours of a terminal, where Neovim leaves it the choice; the first sixteen are those of xterm.
local TERMINAL = { fg = '#e0e2ea', bg = '#14161b' }
local BASIC = {
  [0] = '#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5',
  '#7f7f7f', '#ff0000', '#00ff00', '#ffff00', '#5c5cff', '#ff00ff', '#00ffff', '#ffffff',
}

local function escaped(text)
  return (text:gsub('[&<>"]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }))
end

local function number(value)
  return (('%.3f'):format(value):gsub('%.?0+$', ''))
end

--- A colour as the screen has it: of 24 bits, or one of 256.
local function colour(said, otherwise)
  if said == nil then
    return otherwise
  elseif said:sub(1, 1) == '#' then
    return said
  end
  local index = tonumber(said)
  if index < 16 then
    return BASIC[index]
  elseif index > 231 then
    local grey = 8 + 10 * (index - 232)
    return ('#%02x%02x%02x'):format(grey, grey, grey)
  end
  local levels = { [0] = 0, 95, 135, 175, 215, 255 }
  local rest = index - 16
  return ('#%02x%02x%02x'):format(levels[math.floor(rest / 36)], levels[math.floor(rest / 6) % 6], levels[rest % 6])
end

--- How a cell looks in the end.
local function look(style, is_under_block)
  local fg, bg = colour(style.fg, TERMINAL.fg), colour(style.bg, TERMINAL.bg)
  if (style.reverse == true) ~= is_under_block then
    fg, bg = bg, fg
  end
  local lines = {}
  if style.underline then
    lines[#lines + 1] = 'underline'
  end
  if style.strikethrough then
    lines[#lines + 1] = 'line-through'
  end
  return {
    bg = bg,
    css = ('fill:%s%s%s%s'):format(
      fg,
      style.bold and ';font-weight:bold' or '',
      style.italic and ';font-style:italic' or '',
      #lines > 0 and ';text-decoration:' .. table.concat(lines, ' ') or ''
    ),
    has_lines = #lines > 0,
  }
end

--- A drawing in the making: its parts, and the classes that stand for ways to look.
local Sheet = {}
Sheet.__index = Sheet

local function sheet()
  return setmetatable({ classes = {}, names = {} }, Sheet)
end

function Sheet:class(css)
  if self.classes[css] == nil then
    self.names[#self.names + 1] = css
    self.classes[css] = 'c' .. #self.names
  end
  return self.classes[css]
end

local function is_blank(cell)
  return cell.text:match('^%s*$') ~= nil
end

--- Runs of cells that go on alike. Text that is not ASCII stands alone: another font may have to draw it.
local function runs_of(cells, cursor)
  local runs, last = {}, nil
  for _, cell in ipairs(cells) do
    local is_under_block = cursor ~= nil and cursor.shape == 'block' and cursor.column == cell.column
    local looks = look(cell.style, is_under_block)
    local width = math.max(vim.fn.strdisplaywidth(cell.text), 1)
    local is_plain = cell.text:match('^[ -~]$') ~= nil
    if last and last.is_plain and is_plain and last.looks.css == looks.css and last.looks.bg == looks.bg then
      last.text, last.width = last.text .. cell.text, last.width + width
    else
      last = { text = cell.text, column = cell.column, width = width, looks = looks, is_plain = is_plain }
      runs[#runs + 1] = last
    end
  end
  return runs
end

--- One row, drawn from its own top.
function Sheet:row(cells, cursor)
  local parts = {}
  local runs = runs_of(cells, cursor)
  for _, run in ipairs(runs) do
    if run.looks.bg ~= TERMINAL.bg then
      local class = self:class('fill:' .. run.looks.bg)
      local form = '<rect x="%d" width="%d" height="%d" class="%s"/>'
      parts[#parts + 1] = form:format((run.column - 1) * WIDTH, run.width * WIDTH, HEIGHT, class)
    end
  end
  for _, run in ipairs(runs) do
    local text, column, width = run.text, run.column, run.width
    if run.is_plain and not run.looks.has_lines then
      local before = #text:match('^ *')
      text = vim.trim(text)
      column, width = column + before, #text
    end
    if text ~= '' and not (is_blank(run) and not run.looks.has_lines) then
      local length = width > 1 and (' textLength="%d"'):format(width * WIDTH) or ''
      local form = '<text x="%d" y="%d"%s class="%s">%s</text>'
      parts[#parts + 1] = form:format((column - 1) * WIDTH, BASE, length, self:class(run.looks.css), escaped(text))
    end
  end
  if cursor ~= nil and cursor.shape ~= 'block' then
    local is_bar = cursor.shape == 'bar'
    local form = '<rect x="%d" y="%d" width="%d" height="%d" class="%s"/>'
    local top, width, height = is_bar and 0 or HEIGHT - 3, is_bar and 2 or WIDTH, is_bar and HEIGHT or 3
    -- A bar stands between two cells.
    local left = (cursor.column - 1) * WIDTH - (is_bar and 1 or 0)
    parts[#parts + 1] = form:format(left, top, width, height, self:class('fill:' .. TERMINAL.fg))
  end
  return table.concat(parts)
end

local function cursor_in(picture, row)
  return picture.cursor and picture.cursor.row == row and picture.cursor or nil
end

--- Keys that were pressed, and what happened.
function Sheet:caption(caption)
  local parts, x = {}, 0
  for _, key in ipairs(caption.keys or {}) do
    local width = math.max(vim.fn.strdisplaywidth(key) * 8 + 16, 26)
    local cap = '<rect x="%d" y="9" width="%d" height="26" rx="5" class="key"/>'
    parts[#parts + 1] = cap:format(x, width)
    local form = '<text x="%s" y="27" class="cap">%s</text>'
    parts[#parts + 1] = form:format(number(x + width / 2), escaped(key))
    x = x + width + 6
  end
  if x > 0 then
    x = x + 6
  end
  parts[#parts + 1] = ('<text x="%d" y="27" class="say">%s</text>'):format(x, escaped(caption.words))
  return table.concat(parts)
end

local STYLE = 'text{font:%dpx %s;white-space:pre;font-variant-ligatures:none}'
local CAPTION_STYLE = table.concat({
  '.say{font:15px %s;fill:#c4c6cd}',
  '.cap{font:13px %s;fill:#eef1f8;text-anchor:middle}',
  '.key{fill:#2c2e33;stroke:#4f5258}',
}, '\n')

local SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
  .. 'role="img" aria-labelledby="t d">'

--- All of a file, from what stands on the terminal.
local function file(size, title, description, style, body)
  return table.concat({
    SVG:format(size.width, size.height, size.width, size.height),
    ('<title id="t">%s</title>'):format(escaped(title)),
    ('<desc id="d">%s</desc>'):format(escaped(description)),
    '<style>',
    style,
    '</style>',
    ('<rect x=".5" y=".5" width="%d" height="%d" rx="9" fill="%s" stroke="#4f5258"/>'):format(
      size.width - 1,
      size.height - 1,
      TERMINAL.bg
    ),
    body,
    '</svg>',
    '',
  }, '\n')
end

local function size_of(picture, more)
  return {
    width = picture.columns * WIDTH + 2 * MARGIN,
    height = #picture.cells * HEIGHT + 2 * MARGIN + (more or 0),
  }
end

function Sheet:styles()
  local lines = { STYLE:format(SIZE, FONTS) }
  for index, css in ipairs(self.names) do
    lines[#lines + 1] = ('.c%d{%s}'):format(index, css)
  end
  return table.concat(lines, '\n')
end

local function placed(row, inside)
  return ('<g transform="translate(%d %d)">%s</g>'):format(MARGIN, MARGIN + (row - 1) * HEIGHT, inside)
end

--- One picture.
function M.still(title, description, picture)
  local drawn, body = sheet(), {}
  for row, cells in ipairs(picture.cells) do
    local inside = drawn:row(cells, cursor_in(picture, row))
    if inside ~= '' then
      body[#body + 1] = placed(row, inside)
    end
  end
  return file(size_of(picture), title, description, drawn:styles(), table.concat(body, '\n'))
end

--- The contents of one place over time: each thing once, with the pictures it is in, in the order they come.
local function over_time(count, drawn_in)
  local things, by_inside = {}, {}
  for index = 1, count do
    local inside = drawn_in(index)
    local thing = by_inside[inside]
    if thing == nil and inside ~= '' then
      thing = { inside = inside, in_picture = {} }
      by_inside[inside] = thing
      things[#things + 1] = thing
    end
    if thing ~= nil then
      thing.in_picture[index] = true
    end
  end
  return things
end

--- The steps of an animation in which something is seen in some pictures, as CSS.
local function steps_of(in_picture, starts, whole)
  local steps, was = {}, nil
  for index, start in ipairs(starts) do
    local is_seen = in_picture[index] == true
    if is_seen ~= was then
      local form = '%s%%{visibility:%s}'
      steps[#steps + 1] = form:format(number(100 * start / whole), is_seen and 'visible' or 'hidden')
      was = is_seen
    end
  end
  return table.concat(steps)
end

local MOVING_STYLE = '.m{animation-duration:%ss;animation-timing-function:step-end;animation-iteration-count:infinite}'

--- Pictures that follow each other: a list of { picture, ms, keys, words }. `still` is the one that is seen
--- where nothing may move.
function M.moving(title, description, shots, still)
  local drawn, body, animations, animation_names = sheet(), {}, {}, {}
  local starts, whole = {}, 0
  for index, shot in ipairs(shots) do
    starts[index] = whole
    whole = whole + shot.ms
  end

  local function add(place, things)
    for _, thing in ipairs(things) do
      local steps = steps_of(thing.in_picture, starts, whole)
      if vim.tbl_count(thing.in_picture) == #shots then
        body[#body + 1] = place(thing.inside, '')
      else
        if animations[steps] == nil then
          animation_names[#animation_names + 1] = steps
          animations[steps] = 'a' .. #animation_names
        end
        local classes = animations[steps] .. (thing.in_picture[still] and '' or ' h')
        body[#body + 1] = place(thing.inside, (' class="m %s"'):format(classes))
      end
    end
  end

  local rows = #shots[1].picture.cells
  for row = 1, rows do
    local things = over_time(#shots, function(index)
      local picture = shots[index].picture
      return drawn:row(picture.cells[row], cursor_in(picture, row))
    end)
    add(function(inside, classes)
      local form = '<g%s transform="translate(%d %d)">%s</g>'
      return form:format(classes, MARGIN, MARGIN + (row - 1) * HEIGHT, inside)
    end, things)
  end
  local bottom = rows * HEIGHT + 2 * MARGIN
  local size = size_of(shots[1].picture, CAPTION_HEIGHT)
  body[#body + 1] = ('<path d="M1 %d.5h%d" stroke="#4f5258"/>'):format(bottom, size.width - 2)
  add(function(inside, classes)
    return ('<g%s transform="translate(%d %d)">%s</g>'):format(classes, MARGIN, bottom + 1, inside)
  end, over_time(#shots, function(index)
    return drawn:caption(shots[index])
  end))

  local style = { drawn:styles(), CAPTION_STYLE:format(WORDS, FONTS), '.h{visibility:hidden}' }
  style[#style + 1] = MOVING_STYLE:format(number(whole / 1000))
  for index, steps in ipairs(animation_names) do
    style[#style + 1] = ('.a%d{animation-name:a%d}@keyframes a%d{%s}'):format(index, index, index, steps)
  end
  style[#style + 1] = '@media(prefers-reduced-motion:reduce){.m{animation:none}}'
  return file(size, title, description, table.concat(style, '\n'), table.concat(body, '\n'))
end

return M
