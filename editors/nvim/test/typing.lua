-- A benchmark, not a test: whether typing is slowed. `nvim -l editors/nvim/test/typing.lua`.
--
-- It types the same text in two Neovims, one with Foretell and one without any plugin, in pairs
-- and in turns, so that what else the machine does falls on both. Each of them has a terminal
-- that this program holds the other end of: for each key it takes the time until its character
-- comes back, which is when a terminal can draw it; and for a burst of keys, given at once, the
-- time per key. It prints and judges nothing: times depend on the machine.
--
--   --with none           compares Neovim with itself, which shows how much is noise
--   --ghost-text KIND     who draws: native or extmarks
--   --pairs N             more or fewer pairs
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
package.path = here .. '/?.lua;' .. package.path

local places = require('support.places')
local statistics = require('support.statistics')
local waiting = require('support.waiting')

--- The text above the typed line, from which the embedded lane guesses how that goes on.
local ABOVE = [[
impl Shape {
    fn grow(&mut self, width: u32, height: u32, depth: u32, weight: u32) {
        self.width = self.width + width;
        self.height = self.height + height;
        self.depth = self.depth + depth;
]]
local BELOW = '\n    }\n}\n'
--- Typed at a steady rate, with a pause in between, in which a suggestion may come.
local STEADY = { '        self.weight = ', 'self.weight + weight;' }
local PAUSE_MS = 1300
--- Milliseconds between two keys: fast for a person.
local RATE_MS = 41
local BURST = 'let total = self.width + self.height + self.depth + self.weight;'

local KEYS = #STEADY[1] + #STEADY[2]

local function say(text)
  io.stdout:write(text, '\n')
  io.stdout:flush()
end

local Typist = {}
Typist.__index = Typist

--- Starts Neovim in a terminal of ours.
function Typist.start(directory, name, config)
  local self = setmetatable({ heard = '', directory = directory }, Typist)
  local home = directory .. '/' .. name
  vim.fn.mkdir(home .. '/work', 'p')
  local lines = {
    'vim.o.swapfile = false',
    -- Rust's own indentation is no part of what is measured, and would change what is typed.
    'vim.cmd("filetype indent off")',
    'vim.o.shortmess = vim.o.shortmess .. "I"',
  }
  if config ~= nil then
    vim.list_extend(lines, {
      ('vim.opt.runtimepath:prepend(%q)'):format(places.plugin),
      ('vim.g.foretell = vim.json.decode(%q)'):format(vim.json.encode(config)),
    })
  end
  local init = places.write(home .. '/init.lua', table.concat(lines, '\n') .. '\n')
  local socket = home .. '/nvim.sock'
  self.work = home .. '/work'
  self.job = vim.fn.jobstart({ places.nvim, '--clean', '-u', init, '--listen', socket }, {
    pty = true,
    width = 100,
    height = 30,
    cwd = self.work,
    clear_env = true,
    env = {
      PATH = os.getenv('PATH'),
      HOME = home,
      TERM = 'xterm-256color',
      LC_ALL = 'C.UTF-8',
      XDG_CONFIG_HOME = home .. '/config',
      XDG_DATA_HOME = home .. '/data',
      XDG_STATE_HOME = home .. '/state',
      XDG_CACHE_HOME = home .. '/cache',
      NVIM_LOG_FILE = home .. '/log',
    },
    on_stdout = function(_, data)
      self.at = vim.uv.hrtime()
      self.heard = self.heard .. table.concat(data, '\n')
    end,
  })
  self.channel = waiting.wait_for('Neovim that listens', function()
    local ok, channel = pcall(vim.fn.sockconnect, 'pipe', socket, { rpc = true })
    return ok and channel > 0 and channel
  end)
  return self
end

function Typist:ask(code, ...)
  return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

--- The drawn output since the last key: all but the sequences that order a terminal about.
function Typist:drawn()
  return (self.heard:gsub('\27%[[%d;:?>=$ ]*%a', ''):gsub('\27[%]P][^\7\27]*[\7\27]\\?', ''))
end

--- Gives keys, and the milliseconds until the last of them is drawn.
function Typist:key(keys)
  self.heard = ''
  local last = keys:sub(-1)
  local began = vim.uv.hrtime()
  vim.fn.chansend(self.job, keys)
  local is_there = vim.wait(waiting.patience_ms, function()
    -- A blank may be drawn by moving over it.
    return self.heard ~= '' and (last == ' ' or self:drawn():find(last, 1, true) ~= nil)
  end, 1)
  assert(is_there, ('%q is not drawn'):format(keys))
  return (self.at - began) / 1e6
end

--- Waits until nothing is drawn any more, so that what comes is of the next key.
function Typist:rest()
  local before
  repeat
    before = self.heard
    waiting.pass(60)
  until before == self.heard
end

function Typist:typed(name)
  places.write(self.work .. '/' .. name, ABOVE .. BELOW)
  self:ask('vim.cmd.edit(...)', name)
  self:ask('vim.api.nvim_win_set_cursor(0, { ..., 0 })', select(2, ABOVE:gsub('\n', '')) + 1)
  self:rest()
  self:key('i ')
  vim.fn.chansend(self.job, '\8')
  self:rest()
  local round = { keys = {} }
  for part, text in ipairs(STEADY) do
    for character in text:gmatch('.') do
      local took = self:key(character)
      round.keys[#round.keys + 1] = took
      waiting.pass(math.max(1, RATE_MS - math.floor(took)))
    end
    if part == 1 then
      waiting.pass(PAUSE_MS)
      round.ghost = self:ask([[
        local ok, foretell = pcall(require, 'foretell')
        return ok and foretell.is_shown()
      ]])
    end
  end
  -- A suggestion that is still there would make the burst another text.
  vim.fn.chansend(self.job, '\5\r')
  self:rest()
  round.burst = self:key(BURST) / #BURST
  vim.fn.chansend(self.job, '\27')
  self:rest()
  self:ask('vim.cmd("silent write | bwipeout")')
  return round
end

local function load_now()
  local one, five, fifteen = vim.uv.loadavg()
  return ('%.2f %.2f %.2f'):format(one, five, fifteen)
end

local function row(name, values)
  local half, most = statistics.quantile(values, 0.5), statistics.quantile(values, 0.95)
  say(('%-26s %8.2f %8.2f'):format(name, half, most))
end

local function difference(name, pairs_of)
  local values = {}
  for number, pair in ipairs(pairs_of) do
    values[number] = pair[1] - pair[2]
  end
  local low, high = statistics.interval_of_median(values)
  local median = statistics.median(values)
  say(('%s: %.2f ms (95 %% interval %.2f to %.2f ms)'):format(name, median, low, high))
end

local function report(rounds, with)
  local drawn = #vim.tbl_filter(function(pair)
    return pair[1].ghost
  end, rounds)
  local words = '%d pairs of %d keys, one each %d ms, and %d in a burst'
  say(words:format(#rounds, KEYS, RATE_MS, #BURST))
  say(('with: %s; ghost text was drawn in %d of %d rounds'):format(with, drawn, #rounds))
  say(('%-26s %8s %8s'):format('ms', 'p50', 'p95'))
  for side, name in ipairs({ 'with', 'without' }) do
    local keys, bursts = {}, {}
    for _, pair in ipairs(rounds) do
      vim.list_extend(keys, pair[side].keys)
      bursts[#bursts + 1] = pair[side].burst
    end
    row('a key, ' .. name, keys)
    row('a key in a burst, ' .. name, bursts)
  end
  difference('median difference of a key', vim.tbl_map(function(pair)
    return { statistics.median(pair[1].keys), statistics.median(pair[2].keys) }
  end, rounds))
  difference('median difference of a key in a burst', vim.tbl_map(function(pair)
    return { pair[1].burst, pair[2].burst }
  end, rounds))
end

local function options(words)
  local found = { pairs = '20', with = 'foretell', ['ghost-text'] = 'auto' }
  for at = 1, #words, 2 do
    local name = words[at]:match('^%-%-(.+)$')
    assert(found[name] ~= nil and words[at + 1], 'unknown or incomplete: ' .. words[at])
    found[name] = words[at + 1]
  end
  return found
end

local function main(words)
  local set = options(words)
  say('load before: ' .. load_now())
  local directory = places.new_directory()
  local config = { cmd = places.server(), ghost_text = set['ghost-text'] }
  local typists = {
    Typist.start(directory, 'with', set.with ~= 'none' and config or nil),
    Typist.start(directory, 'without', nil),
  }
  local rounds = {}
  -- The first ones compile what all later ones run.
  for _, typist in ipairs(typists) do
    typist:typed('warm.rs')
  end
  for number = 1, tonumber(set.pairs) do
    local name, pair = ('pair%d.rs'):format(number), {}
    local first = number % 2 + 1
    pair[first] = typists[first]:typed(name)
    pair[3 - first] = typists[3 - first]:typed(name)
    rounds[number] = pair
  end
  local version = table.concat(places.version(), '.')
  report(rounds, set.with == 'none' and 'nothing' or ('%s in Neovim %s'):format(set.with, version))
  say('load after: ' .. load_now())
  for _, typist in ipairs(typists) do
    vim.fn.jobstop(typist.job)
  end
  vim.fn.jobwait({ typists[1].job, typists[2].job }, waiting.patience_ms)
  vim.fn.delete(directory, 'rf')
end

main(arg)
os.exit(0)
