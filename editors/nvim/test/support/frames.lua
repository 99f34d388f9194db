-- Every frame that Neovim draws, as any screen gets it.
--
-- It attaches to Neovim as one more screen, beside the terminal: Neovim sends the same to all of
-- them, and says when a frame is complete. What it makes of a screen in between nobody sees, so
-- that what is read from inside of Neovim would not do. It only listens, and reads what it heard
-- when it is asked to.
local waiting = require('support.waiting')

local Frames = {}
Frames.__index = Frames

local function packed(id, method, arguments)
  return vim.mpack.encode({ 0, id, method, arguments })
end

--- Begins to watch.
function Frames.watch(socket, columns, lines)
  local self = setmetatable({ heard = {}, columns = columns, lines = lines }, Frames)
  self.pipe = assert(vim.uv.new_pipe(false))
  local connected
  self.pipe:connect(socket, function(problem)
    connected = problem or 'yes'
  end)
  waiting.wait_for('connection for frames', function()
    return connected
  end)
  assert(connected == 'yes', connected)
  self.pipe:read_start(function(_, chunk)
    self.heard[#self.heard + 1] = chunk
  end)
  local how = { rgb = true, ext_linegrid = true }
  self.pipe:write(packed(1, 'nvim_ui_attach', { columns, lines, how }))
  -- The answer comes before the first frame, and that is everything that is on the screen.
  waiting.wait_for('first frame', function()
    return #self:frames() > 0
  end)
  return self
end

--- Ends it, and gives all frames: a list of { rows, mode }.
function Frames:watched()
  self.pipe:write(packed(2, 'nvim_command', { 'redraw' }))
  self.pipe:write(packed(3, 'nvim_eval', { '1' }))
  waiting.wait_for('end of the frames', function()
    local _, answers = self:frames()
    return answers[3]
  end)
  self.pipe:close()
  return (self:frames())
end

--- Handles of buffers and windows are not looked at.
local function skip()
  return 0
end

--- Reads all that was heard.
function Frames:frames()
  local unpack_next = vim.mpack.Unpacker({ ext = { [0] = skip, [1] = skip, [2] = skip } })
  local bytes, at, messages = table.concat(self.heard), 1, {}
  while at <= #bytes do
    local message, behind = unpack_next(bytes, at)
    if message == nil then
      break
    end
    messages[#messages + 1] = message
    at = behind
  end
  local grid, frames, answers, mode = {}, {}, {}, ''
  local change = {}

  function change.grid_resize()
    grid = {}
  end
  change.grid_clear = change.grid_resize

  function change.grid_line(_, row, column, cells)
    grid[row] = grid[row] or {}
    for _, cell in ipairs(cells) do
      for _ = 1, cell[3] or 1 do
        grid[row][column] = cell[1]
        column = column + 1
      end
    end
  end

  function change.grid_scroll(_, top, bottom, left, right, by)
    local before = vim.deepcopy(grid)
    for row = top, bottom - 1 do
      local from = row + by
      for column = left, right - 1 do
        if from >= top and from < bottom then
          grid[row] = grid[row] or {}
          grid[row][column] = before[from] and before[from][column]
        end
      end
    end
  end

  function change.mode_change(name)
    mode = name
  end

  function change.flush()
    local rows = {}
    for row = 0, self.lines - 1 do
      local parts = {}
      for column = 0, self.columns - 1 do
        -- A wide character has an empty cell behind it.
        parts[#parts + 1] = (grid[row] or {})[column] or ' '
      end
      rows[row + 1] = table.concat(parts):gsub('%s+$', '')
    end
    frames[#frames + 1] = { rows = rows, mode = mode }
  end

  for _, message in ipairs(messages) do
    if message[1] == 1 then
      answers[message[2]] = true
      assert(message[3] == vim.NIL, vim.inspect(message[3]))
    elseif message[2] == 'redraw' then
      for _, batch in ipairs(message[3]) do
        for number = 2, #batch do
          if change[batch[1]] then
            change[batch[1]](unpack(batch[number]))
          end
        end
      end
    end
  end
  return frames, answers
end

return Frames
