-- `:checkhealth foretell`: whether everything is there that is needed, and what to do where it is not.
local config = require('foretell.config')
local documents = require('foretell.documents')
local ghost = require('foretell.ghost')
local pause = require('foretell.pause')
local program = require('foretell.program')
local server = require('foretell.server')
local status = require('foretell.status')

local M = {}

local health = vim.health

local function check_neovim()
  local version = vim.version()
  local words = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.10') == 1 then
    health.ok(words)
  else
    health.error(words, 'Foretell needs Neovim 0.10 or newer.')
  end
end

local function check_configuration()
  config.get()
  if #config.faults == 0 then
    health.ok('the configuration has no mistakes')
  else
    local faults = table.concat(config.faults, '; ')
    health.error('the configuration has mistakes: ' .. faults, ':help foretell-config')
  end
  local kind = ghost.kind()
  local drawn = kind == 'native' and 'by Neovim itself (vim.lsp.inline_completion)' or 'by extmarks'
  local against = ghost.against_native()
  health.info('ghost text is drawn ' .. drawn .. (against and ': ' .. against or ''))
  if config.get().ghost_text == 'native' and kind ~= 'native' then
    local advice = 'It is drawn by extmarks, which needs nothing.'
    health.warn("ghost_text is 'native', which this Neovim has not", advice)
  end
end

local function check_server()
  local found, missing = program.find()
  if found == nil then
    health.error(missing or '', {
      'Install it: cargo install --locked --path crates/foretell, in a clone of Foretell.',
      "Or name it: vim.g.foretell = { cmd = '/path/to/foretell' }",
    })
    return
  end
  local can_run, ran = pcall(function()
    return vim.system({ found, '--version' }, { text = true }):wait(5000)
  end)
  local said = can_run and vim.split(ran.stdout or '', '\n')[1] or ''
  if not can_run or ran.code ~= 0 or not said:match('^foretell ') then
    health.error(('%s is no foretell that runs here'):format(found), 'Install it anew.')
  else
    health.ok(('%s: %s'):format(vim.fn.fnamemodify(found, ':~'), said))
  end
  local life, why = server.life()
  local info = server.info()
  if life == 'running' then
    health.ok(('it runs, and speaks protocol %s as this plugin does'):format(info and info.protocol))
  elseif life == 'down' then
    health.error(why or '', 'When that is mended, :Foretell restart.')
  elseif life == 'starting' then
    health.warn('it is starting, and has not answered yet')
  else
    health.info('it does not run: it starts when a file is opened')
  end
  health.info('what it says is in ' .. vim.fn.fnamemodify(server.log_path(), ':~'))
end

--- The buffer that the person came from: the report is one of its own.
local function looked_at()
  local buf = vim.fn.bufnr('#')
  return buf > 0 and buf or vim.api.nvim_get_current_buf()
end

local function check_buffer()
  local buf = looked_at()
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':~:.')
  local against = documents.reason_against(buf)
  if against ~= nil then
    health.info(('%s is left alone: %s'):format(name ~= '' and name or 'the buffer you came from', against))
  elseif pause.reason(buf) ~= nil then
    health.warn(('%s is paused %s'):format(name, pause.reason(buf)), ':Foretell resume')
  elseif server.client() == nil then
    health.info(name .. ' will be followed when the server runs')
  else
    health.ok(name .. ' is followed')
  end
end

--- The server's report on its settings and models.
local function check_lanes()
  local told = nil
  server.request('foretell/status', vim.empty_dict(), function(status)
    told = status or {}
  end)
  vim.wait(2000, function()
    return told ~= nil
  end, 10)
  if told == nil or told.lanes == nil then
    health.info('nothing is known of them while the server does not run')
    return
  end
  for _, lane in ipairs(told.lanes) do
    local what = lane.host and ('%s at %s'):format(lane.model or lane.kind, lane.host) or lane.kind
    local words = ('%s: %s'):format(lane.lane, what)
    if not lane.enabled then
      health.info(lane.lane .. ' is off')
    elseif lane.misconfigured then
      health.error(('%s is set up wrongly: %s'):format(words, lane.misconfigured))
    elseif lane.fault then
      health.warn(('%s: %s'):format(words, lane.fault.words), lane.lookInto)
    else
      health.ok(words)
    end
  end
  for _, file in ipairs(told.settingsFiles or {}) do
    for _, fault in ipairs(file.faults or {}) do
      health.warn(('%s: %s'):format(file.path, fault))
    end
  end
end

--- Other mappings of the keys, which apply again when nothing is shown.
local function check_keys()
  for action, key in vim.spairs(config.get().keys) do
    if not key then
      health.info(action .. ' has no key')
    else
      local other = vim.fn.maparg(key, 'i', false, true)
      local named = other.desc or other.rhs or 'a function'
      local theirs = next(other) and (', otherwise it is mapped: ' .. named) or ''
      health.info(('%s %s while something is shown%s'):format(key, action:gsub('_', ' '), theirs))
    end
  end
end

function M.check()
  health.start('Foretell')
  check_neovim()
  check_configuration()
  health.start('Foretell: the server')
  check_server()
  health.start('Foretell: models and settings')
  check_lanes()
  health.start('Foretell: keys and the buffer you came from')
  check_keys()
  check_buffer()
  if server.client() ~= nil then
    local _, sentence = status.now(looked_at())
    health.info('it says of itself: ' .. sentence)
  end
end

return M
