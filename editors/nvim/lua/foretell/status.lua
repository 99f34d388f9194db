-- How Foretell is, in words: for the status line, `:Foretell status` and `:checkhealth foretell`.
--
-- It shows the server's last report, whether the server runs, and what the person has paused; the last two
-- win. It draws nothing: `require('foretell').status()` is for the person's status line, which is redrawn when
-- it changes; `User ForetellStatus` is raised, too. That a model is asked is shown when it has taken a moment: a
-- status line must not blink at every pause.
local documents = require('foretell.documents')
local pause = require('foretell.pause')
local server = require('foretell.server')

local M = {}

local said = { kind = 'quiet', message = '' }

--- The server's last report; `said` follows it.
local latest = said

--- How long a model is asked until that is shown.
local NOTICEABLE_MS = 250

local last_line = ''

--- Looks whether it is another one than before.
function M.changed()
  local line = M.line()
  if line == last_line then
    return
  end
  last_line = line
  vim.schedule(function()
    vim.api.nvim_exec_autocmds('User', { pattern = 'ForetellStatus', modeline = false })
    vim.cmd.redrawstatus()
  end)
end

--- Whether the model's server reads a long prompt: then its message says how far it is.
local function is_reading()
  return type(said.reading) == 'table'
end

--- The server's report of itself.
function M.said(status)
  local is_whole = type(status.kind) == 'string' and type(status.message) == 'string'
  if not is_whole then
    return
  end
  latest = status
  local function show()
    if latest == status then
      said = status
      M.changed()
    end
  end
  if status.kind == 'working' and said.kind ~= 'working' then
    vim.defer_fn(show, NOTICEABLE_MS)
  else
    show()
  end
end

function M.server_changed()
  said = { kind = 'quiet', message = '' }
  latest = said
  M.changed()
end

--- How it is: a word, and a sentence.
---@param buf integer?
---@return string word, string sentence
function M.now(buf)
  local life, why = server.life()
  buf = buf or vim.api.nvim_get_current_buf()
  if life == 'down' then
    return 'down', why or ''
  elseif life ~= 'running' then
    return life == 'starting' and 'starting' or 'idle', 'the server starts when a file is opened'
  end
  local paused = pause.reason(buf)
  if paused ~= nil then
    return 'paused', 'paused ' .. paused
  end
  local against = documents.reason_against(buf)
  if against ~= nil then
    return 'off', 'this buffer is left alone: ' .. against
  end
  if said.kind == 'working' then
    return 'working', is_reading() and said.message or 'asking the model'
  end
  return said.kind, said.message ~= '' and said.message or said.kind
end

--- For the status line: nothing to say is the name alone.
---@return string
function M.line()
  local word, sentence = M.now()
  if word == 'working' and is_reading() then
    return 'foretell: ' .. sentence
  end
  return word == 'quiet' and 'foretell' or 'foretell: ' .. word
end

return M
