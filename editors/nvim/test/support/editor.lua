-- Neovim as a person has it: opens files, types, presses keys, and looks at the screen.
--
-- It runs in a terminal of its own, a private tmux, and everything that a person does goes
-- through keys, and what a person sees is read from the cells of the terminal. Looking inside is
-- for what nobody sees: the messages to and from the server, the file that would be written,
-- every single frame. Headless, there is no terminal, keys are given by RPC, and there is no
-- screen. Everything has a deadline.
local cells = require('support.cells')
local Frames = require('support.frames')
local places = require('support.places')
local waiting = require('support.waiting')

local Editor = {}
Editor.__index = Editor

--- The colour of ghost text, by Neovim or by the plugin. Neovim itself does not use it.
Editor.GHOST = '#5f87af'

local SIZE = { columns = 80, lines = 24 }

--- A Neovim that has answered nothing for so long hangs, and is ended. A story may take longer: everything that
--- it waits for has a deadline of its own.
local HANGING_MS = 60000

--- A key that was typed may be the first of two; Neovim waits no longer for a second one.
local BLOCKED_MS = 3000

local TMUX = [[
set -g default-terminal tmux-256color
set -s escape-time 0
set -g status off
set -g remain-on-exit on
]]

--- Names of keys, as tmux has them, in Neovim's words.
local NAMES = { Escape = 'Esc', Enter = 'CR', BSpace = 'BS', DC = 'Del', Space = 'Space' }

local function wait(...)
  return waiting.wait_for(...)
end

--- The environment of everything that is started: nothing of the person's own.
local function environment(directory, more)
  local home = directory .. '/home'
  return vim.tbl_extend('force', {
    PATH = os.getenv('PATH'),
    HOME = home,
    TERM = 'tmux-256color',
    COLORTERM = 'truecolor',
    LC_ALL = 'C.UTF-8',
    SHELL = '/bin/sh',
    XDG_CONFIG_HOME = home .. '/config',
    XDG_DATA_HOME = home .. '/data',
    XDG_STATE_HOME = home .. '/state',
    XDG_CACHE_HOME = home .. '/cache',
    XDG_RUNTIME_DIR = directory,
    NVIM_LOG_FILE = directory .. '/nvim.log',
  }, more or {})
end

--- A command that has this environment and nothing else. Neovim 0.10 loses one that `vim.system` is given
--- together with `clear_env`.
local function in_environment(variables, command)
  local whole = { 'env', '-i' }
  for name, value in vim.spairs(variables) do
    whole[#whole + 1] = name .. '=' .. value
  end
  return vim.list_extend(whole, command)
end

--- The person's options.
local function config_of(self, setup)
  local config = vim.tbl_deep_extend('force', { cmd = places.server() }, setup.config or {})
  if setup.script then
    local path = places.write(self.directory .. '/script.json', vim.json.encode(setup.script))
    config.args = vim.list_extend({ '--script', path }, config.args or {})
  end
  -- `false` is none, so that the plugin has to find one.
  config.cmd = config.cmd or nil
  return config
end

--- The init.lua of the Neovim under test.
local function init_of(self, setup)
  local lines = {
    'vim.o.termguicolors = true',
    'vim.o.swapfile = false',
    'vim.o.shortmess = vim.o.shortmess .. "I"',
    ('Inside = dofile(%q)'):format(places.support .. '/inside.lua'),
    'Inside.count_keys()',
  }
  if setup.plugin ~= false then
    local config = config_of(self, setup)
    vim.list_extend(lines, {
      'Inside.listen()',
      'for _, name in ipairs({ "ForetellGhost", "ForetellGhostText", "ComplHint" }) do',
      ('  vim.api.nvim_set_hl(0, name, { fg = %q })'):format(Editor.GHOST),
      'end',
      ('vim.opt.runtimepath:prepend(%q)'):format(places.plugin),
      ('vim.g.foretell = vim.json.decode(%q)'):format(vim.json.encode(config)),
    })
  end
  lines[#lines + 1] = setup.init or ''
  return table.concat(lines, '\n') .. '\n'
end

--- Starts one, with these options:
---   files     what is in the folder: its names and their texts
---   open      which of them is opened, the only one unless it is said; `false` is none, and a list is
---             what stands behind Neovim's name
---   config    for `vim.g.foretell`
---   script    what a model says: a list of { after, insert, delayMs }
---   init      more lines of Lua for its init.lua
---   plugin    `false`: Neovim without it
---   before    is called with the editor when its folder is there, and Neovim not yet
---   headless  `true`: without a terminal
---   ready     `false`: the server is not waited for
---   columns, lines, environment
function Editor.open(setup)
  setup = setup or {}
  local directory = places.new_directory()
  local self = setmetatable({
    directory = directory,
    workspace = directory .. '/work',
    setup = setup,
    since = 0,
  }, Editor)
  self.guard = vim.system(
    { places.support .. '/guard.sh', directory },
    { stdin = true, detach = true }
  )
  local ok, problem = pcall(self.start, self, setup)
  if not ok then
    local shown = self:describe()
    self:close()
    error(('Neovim does not start: %s\n%s'):format(problem, shown), 0)
  end
  return self
end

function Editor:start(setup)
  for _, name in ipairs({ 'home/config', 'home/data', 'home/state', 'home/cache', 'work' }) do
    vim.fn.mkdir(self.directory .. '/' .. name, 'p', tonumber('700', 8))
  end
  for name, text in pairs(setup.files or {}) do
    self:write(name, text)
  end
  if setup.before then
    setup.before(self)
  end
  local init = places.write(self.directory .. '/init.lua', init_of(self, setup))
  self.socket = self.directory .. '/nvim.sock'
  local command = { places.nvim, '--clean', '-u', init, '--listen', self.socket }
  local first = setup.open
  if first == nil and setup.files ~= nil then
    first = next(setup.files)
  end
  if setup.headless then
    command[#command + 1] = '--headless'
  end
  if first then
    vim.list_extend(command, type(first) == 'table' and first or { first })
  end
  self.environment = environment(self.directory, setup.environment)
  if setup.headless then
    self:start_headless(command)
  else
    self:start_in_tmux(command, setup)
  end
  self.timer = assert(vim.uv.new_timer())
  self:give_time()
  self.channel = wait('Neovim that listens', function()
    local ok, channel = pcall(vim.fn.sockconnect, 'pipe', self.socket, { rpc = true })
    return ok and channel > 0 and channel
  end)
  self.pid = self:ask('return vim.fn.getpid()')
  local pids = { self.pid, self.starter and self.starter.pid }
  places.write(self.directory .. '/pids', table.concat(pids, '\n'))
  wait('Neovim that has started', function()
    return self:ask('return vim.v.vim_did_enter') == 1
  end)
  if setup.plugin ~= false and setup.ready ~= false and first then
    self:until_said('textDocument/didOpen')
  end
end

--- Lets it take its time anew, because it has answered or was just started. What hangs is ended, with all it has
--- started: then whoever waits for its answer hears that it is gone.
function Editor:give_time()
  self.timer:start(HANGING_MS, 0, function()
    local look = ("tmux -S '%s/tmux' capture-pane -p 2>&1"):format(self.directory)
    self.overdue = io.popen(look):read('*a')
    self.guard:write(nil)
  end)
end

--- Calls a function of Neovim's, and gives what it answers.
function Editor:call(method, ...)
  local answer = vim.rpcrequest(self.channel, method, ...)
  self:give_time()
  return answer
end

function Editor:start_headless(command)
  self.starter = vim.system(in_environment(self.environment, command), {
    cwd = self.workspace,
    detach = true,
  })
  places.write(self.directory .. '/pids', tostring(self.starter.pid))
end

function Editor:start_in_tmux(command, setup)
  local conf = places.write(self.directory .. '/tmux.conf', TMUX)
  local start = { 'tmux', '-u', '-S', self.directory .. '/tmux', '-f', conf, 'new-session', '-d' }
  vim.list_extend(start, { '-x', tostring(setup.columns or SIZE.columns) })
  vim.list_extend(start, { '-y', tostring(setup.lines or SIZE.lines) })
  vim.list_extend(start, { '-c', self.workspace, '--' })
  vim.list_extend(start, command)
  local done = vim.system(in_environment(self.environment, start), { text = true }):wait(waiting.patience_ms)
  if done.code ~= 0 then
    error('tmux: ' .. tostring(done.stderr), 0)
  end
end

--- Ends Neovim as a person does, by a command unless it is said how, and starts it again for a file; what it
--- keeps on disk is still there.
function Editor:reopen(name, quit)
  local pid = self.pid
  if quit ~= nil then
    quit()
  else
    self:command('qall!')
  end
  wait('end of Neovim', function()
    return vim.uv.kill(pid, 0) ~= 0
  end)
  self.timer:close()
  self.timer = nil
  pcall(vim.fn.chanclose, self.channel)
  if not self.setup.headless then
    self:end_tmux()
  end
  self.since = 0
  self.setup = vim.tbl_extend('force', self.setup, { open = name, files = {} })
  self:start(self.setup)
end

--- Ends the terminal, and waits for it: one that is ending takes the next one along that has its name.
function Editor:end_tmux()
  local pid = tonumber(vim.trim(self:tmux('display-message', '-p', '#{pid}')))
  self:tmux('kill-server')
  wait('end of tmux', function()
    return vim.uv.kill(pid, 0) ~= 0
  end)
end

--- Ends Neovim, the server and the terminal, and takes their directory away.
function Editor:close()
  if self.timer ~= nil then
    self.timer:close()
  end
  if self.channel ~= nil then
    pcall(vim.fn.chanclose, self.channel)
  end
  if not self.overdue then
    self.guard:write(nil)
  end
  self.guard:wait(waiting.patience_ms)
end

-- Acts of a person.

--- Writes a file of the folder, as another program would; gives its path.
function Editor:write(name, text)
  return places.write(self.workspace .. '/' .. name, text)
end

function Editor:tmux(...)
  local command = { 'tmux', '-u', '-S', self.directory .. '/tmux', ... }
  local done = vim.system(in_environment(self.environment, command)):wait()
  if done.code ~= 0 then
    error(('tmux %s: %s'):format((...), done.stderr), 0)
  end
  return done.stdout
end

--- Types key by key, at the rate of a person unless another is said; a line end is the Enter key. While every
--- frame is watched, each key is waited for: those that Neovim finds together have one frame together.
function Editor:type(text, rate_ms)
  for _, character in ipairs(vim.fn.split(text, '\\zs')) do
    local before = self.is_watched and not self:is_blocked() and self:ask('return Inside.keys')
    if character == '\n' then
      self:press('Enter')
    elseif self.setup.headless then
      self:call('nvim_input', character == '<' and '<LT>' or character)
    elseif character == ';' then
      -- Alone it would end the command.
      self:tmux('send-keys', '-l', '--', '\\;')
    else
      self:tmux('send-keys', '-l', '--', character)
    end
    if before then
      wait(('%s that was taken'):format(character), function()
        -- A key that may be the first of two was taken, and nothing can be asked before the second.
        return self:is_blocked() or self:ask('return Inside.keys') > before
      end)
    end
    waiting.pass(rate_ms or waiting.key_ms)
  end
end

--- Puts a text in at once, as an input method or a fast hand does.
function Editor:type_at_once(text)
  if self.setup.headless then
    self:call('nvim_input', (text:gsub('<', '<LT>')))
  else
    self:tmux('send-keys', '-l', '--', (text:gsub(';$', '\\;')))
  end
end

--- Presses keys, one after the other, by tmux's names: `Escape`, `Tab`, `C-e`, `C-M-Right`.
function Editor:press(...)
  for _, key in ipairs({ ... }) do
    local before = self:ask('return Inside.keys')
    if self.setup.headless then
      local modifiers, name = key:match('^([CMS%-]*%-)(.+)$')
      name = name or key
      local said = (modifiers or '') .. (NAMES[name] or name)
      self:call('nvim_input', #said == 1 and said or '<' .. said .. '>')
    else
      self:tmux('send-keys', key)
    end
    -- Escape and a key right behind it would be another key.
    wait(('%s that was taken'):format(key), function()
      return self:ask('return Inside.keys') > before
    end)
  end
end

--- Runs a command by typing it in normal mode.
function Editor:command(text)
  if self:mode() ~= 'n' then
    self:press('Escape')
    self:until_mode('n')
  end
  self:type_at_once(':' .. text)
  if self.setup.headless then
    self:call('nvim_input', '<CR>')
  else
    self:tmux('send-keys', 'Enter')
  end
end

--- Moves the cursor in normal mode; lines and columns of the screen count from 1.
function Editor:go_to(line, column)
  self:command(('call cursor(%d, %d)'):format(line, column))
  wait(('cursor at %d:%d'):format(line, column), function()
    local at = self:cursor()
    return at[1] == line
  end, function()
    return self:cursor()
  end)
end

-- Sights of a person.

function Editor:screen()
  return cells.read(self:tmux('capture-pane', '-p', '-e', '-N'))
end

--- The ghost text on the screen, a line for each row; `nil` if there is none.
function Editor:ghost()
  return self:screen():drawn(function(style)
    return style.fg == Editor.GHOST
  end)
end

function Editor:until_ghost(wanted)
  return wait('ghost text ' .. vim.inspect(wanted), function()
    local ghost = self:ghost()
    return ghost == wanted and ghost
  end, function()
    return self:ghost()
  end)
end

function Editor:until_no_ghost()
  wait('end of the ghost text', function()
    return self:ghost() == nil
  end, function()
    return self:ghost()
  end)
end

--- Waits until a text stands on the screen, and gives the screen.
function Editor:until_shows(text)
  return wait(('%q on the screen'):format(text), function()
    local screen = self:screen()
    return screen:shows(text) and screen
  end, function()
    return self:screen():rows()
  end)
end

function Editor:until_hides(text)
  return wait(('screen without %q'):format(text), function()
    local screen = self:screen()
    return not screen:shows(text) and screen
  end, function()
    return self:screen():rows()
  end)
end

--- Watches every frame while something is done: a list of { rows, mode }.
function Editor:recorded(act)
  local columns, lines = self.setup.columns or SIZE.columns, self.setup.lines or SIZE.lines
  local frames = Frames.watch(self.socket, columns, lines)
  self.is_watched = true
  act()
  self.is_watched = false
  return frames:watched()
end

--- Does something, and fails if a text is in any frame from then on; `quiet_ms` is how long it is
--- watched behind it, because nobody says when nothing will come.
function Editor:never_shows(text, act, quiet_ms)
  local frames = self:recorded(function()
    act()
    waiting.pass(quiet_ms or waiting.quiet_ms)
  end)
  for _, frame in ipairs(frames) do
    if table.concat(frame.rows, '\n'):find(text, 1, true) then
      error(('%q was shown:\n%s'):format(text, table.concat(frame.rows, '\n')), 2)
    end
  end
end

--- Keeps what the screen shows under this name, where TEST_FORETELL_SCREENSHOTS says.
function Editor:screenshot(name)
  local directory = os.getenv('TEST_FORETELL_SCREENSHOTS')
  if directory == nil or self.setup.headless then
    return
  end
  local version = places.version()
  name = ('%s/%s-%d.%d'):format(directory, name, version[1], version[2])
  places.write(name .. '.ansi', self:tmux('capture-pane', '-p', '-e'))
  places.write(name .. '.txt', self:screen():text() .. '\n')
end

-- The inside of Neovim.

--- Runs Lua in it, and gives what it gives.
function Editor:ask(code, ...)
  if self:is_blocked() then
    -- It would answer only after a key.
    wait('Neovim that does not wait for a key', function()
      return not self:is_blocked()
    end, nil, BLOCKED_MS)
  end
  return self:call('nvim_exec_lua', code, { ... })
end

--- Whether it waits for a key before it does anything else, as when it has too much to say.
function Editor:is_blocked()
  return self:call('nvim_get_mode').blocking
end

function Editor:mode()
  return self:call('nvim_get_mode').mode
end

function Editor:until_mode(mode)
  wait('mode ' .. mode, function()
    return self:mode() == mode
  end, function()
    return self:mode()
  end)
end

--- Where the cursor is: line and column in bytes, both from 1.
function Editor:cursor()
  return self:ask('return { vim.fn.line("."), vim.fn.col(".") }')
end

--- The text of the buffer that is shown, its lines joined.
function Editor:text()
  return self:ask('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\\n")')
end

function Editor:until_text(wanted)
  wait('text ' .. vim.inspect(wanted), function()
    return self:text() == wanted
  end, function()
    return self:text()
  end)
end

--- Writes the file that is shown, and gives what is in it then.
function Editor:saved()
  local path = self:ask([[
    vim.cmd('silent write')
    return vim.api.nvim_buf_get_name(0)
  ]])
  return places.read(path)
end

--- What `:messages` says, a line for each; what Neovim says of an undo, of a file it wrote or of a terminal
--- that answers late on a busy machine is left out.
function Editor:messages()
  local said = self:ask('return vim.api.nvim_exec2("messages", { output = true }).output')
  return vim.tbl_filter(function(line)
    return not line:find('^%d+ .*; %l+ #%d+ ')
      and not line:find('^"[^"]+".* %d+B')
      and not line:find('^%d+ %l+ lines')
      and not line:find('^%d+ lines ')
      and not line:find('^%d+ substitutions? on ')
      and not line:find('^E1568: Terminal did not respond')
  end, vim.split(said, '\n', { trimempty = true }))
end

--- Waits for so many messages, and gives them.
function Editor:until_messages(number)
  return wait(('%d messages'):format(number), function()
    local said = self:messages()
    return #said >= number and said
  end, function()
    return self:messages()
  end)
end

-- The messages to the server and from it.

--- From here on only what is said later is looked at.
function Editor:forget()
  self.since = self:ask('return #Inside.said')
end

--- Everything that was said since the last `forget`.
function Editor:all_said()
  local all = {}
  for _, line in ipairs(self:ask('return Inside.heard(...)', self.since)) do
    all[#all + 1] = vim.json.decode(line, { luanil = { object = true } })
  end
  return all
end

--- Every request and notification of a method, from either side.
function Editor:said(method)
  return vim.tbl_filter(function(it)
    return it.method == method
  end, self:all_said())
end

--- How often each method was said.
function Editor:counts()
  local counts = {}
  for _, it in ipairs(self:all_said()) do
    if it.method then
      counts[it.method] = (counts[it.method] or 0) + 1
    end
  end
  return counts
end

--- Waits for a message of a method, of which something is true if that is given; the latest one.
function Editor:until_said(method, is_it)
  return wait(method, function()
    local found = vim.tbl_filter(is_it or function()
      return true
    end, self:said(method))
    return found[#found]
  end, function()
    return self:counts()
  end)
end

--- Waits for the answer to a request.
function Editor:until_answered(request)
  return wait('answer to ' .. request.method, function()
    for _, it in ipairs(self:all_said()) do
      if it.answers == request.method and it.id == request.id and it.run == request.run then
        return it
      end
    end
  end)
end

--- The processes of servers that run.
function Editor:servers()
  return vim.tbl_filter(function(it)
    return it.name:find('^foretell') ~= nil
  end, self:ask('return Inside.children()'))
end

--- Kills the server, as a crash would.
function Editor:kill_server()
  local servers = wait('server to kill', function()
    local found = self:servers()
    return #found > 0 and found
  end)
  for _, server in ipairs(servers) do
    vim.uv.kill(server.pid, 'sigkill')
  end
end

--- Helps to find out why something failed.
function Editor:describe()
  local parts = {}
  local function add(what, look)
    local ok, found = pcall(look)
    local words = ok and found or 'not to be had: ' .. tostring(found)
    parts[#parts + 1] = ('-- %s\n%s'):format(what, words)
  end
  if self.overdue then
    parts[#parts + 1] = '-- it took too long and was ended; the screen was\n' .. self.overdue
  end
  if not self.setup.headless and not self.overdue then
    add('the screen', function()
      return self:screen():text()
    end)
  end
  local is_there, is_blocked = pcall(self.is_blocked, self)
  if self.channel ~= nil and not self.overdue and is_there and not is_blocked then
    add(':messages', function()
      return table.concat(self:messages(), '\n')
    end)
    add('the last messages', function()
      local all = self:ask('return Inside.heard(...)', 0)
      local last = vim.list_slice(all, math.max(1, #all - 14))
      return table.concat(vim.tbl_map(function(line)
        return line:sub(1, 400)
      end, last), '\n')
    end)
  end
  return table.concat(parts, '\n')
end

return Editor
