-- What a person can do in Neovim 0.10 or newer with no plugin at all: `vim.lsp.start`, the standard
-- request for inline completions, and the command of the item that is taken. No method of ours.
--
-- Functions that the test calls; each answers with JSON.

Foretell = { answers = {} }

vim.lsp.set_log_level('debug')

local is_older = vim.fn.has('nvim-0.11') == 0

local function client()
  return vim.lsp.get_clients({ name = 'foretell' })[1]
end

-- Calls a function of the client, which only newer ones want as an argument.
local function tell(name, ...)
  if is_older then
    return client()[name](...)
  end
  return client()[name](client(), ...)
end

local function wait_until(is_so)
  return (vim.wait(60000, is_so, 5))
end

-- Starts a server, or uses the one that runs, and says how columns are counted.
function Foretell.start(server, encoding)
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.general.positionEncodings = { encoding }
  local config = { name = 'foretell', cmd = server, root_dir = vim.fn.getcwd() }
  config.capabilities = capabilities
  local id = vim.lsp.start(config)
  wait_until(function()
    return client() ~= nil and client().initialized == true
  end)
  return vim.json.encode({ id = id, encoding = client().offset_encoding })
end

local function position(kind)
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  params.context = { triggerKind = kind }
  return params
end

-- Asks for suggestions at the cursor, and waits: 1 because the person wants one, 2 by itself.
function Foretell.ask(kind)
  -- By its number: for buffer 0 Neovim 0.10 asks without sending first what has changed.
  local buffer = vim.api.nvim_get_current_buf()
  local method = 'textDocument/inlineCompletion'
  local answer, broken = tell('request_sync', method, position(kind), 60000, buffer)
  return vim.json.encode(answer or { err = broken })
end

-- Asks by itself whenever the text changes, and goes on, as Neovim 0.12 does.
function Foretell.ask_while_typing()
  vim.api.nvim_create_autocmd('TextChangedI', {
    callback = function(event)
      local line = vim.api.nvim_get_current_line()
      local function hear(err, result)
        table.insert(Foretell.answers, { line = line, err = err, result = result })
      end
      tell('request', 'textDocument/inlineCompletion', position(2), hear, event.buf)
    end,
  })
  return 'true'
end

-- What was heard while typing, and how much is still to come.
function Foretell.heard()
  local waiting = 0
  for _, request in pairs(client().requests) do
    if request.type == 'pending' then
      waiting = waiting + 1
    end
  end
  local answers = #Foretell.answers > 0 and Foretell.answers or vim.empty_dict()
  return vim.json.encode({ answers = answers, waiting = waiting })
end

-- Takes a suggestion: the edit, and then its command. Says whether the server knew that.
function Foretell.accept(item)
  local edit = { range = item.range, newText = item.insertText }
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.util.apply_text_edits({ edit }, buffer, client().offset_encoding)
  local known
  local function hear(err)
    known = err == nil
  end
  if is_older then
    tell('request', 'workspace/executeCommand', item.command, hear, buffer)
  else
    tell('exec_cmd', item.command, { bufnr = buffer }, hear)
  end
  wait_until(function()
    return known ~= nil
  end)
  return vim.json.encode(known)
end

-- The line that the cursor is on.
function Foretell.line()
  return vim.json.encode(vim.api.nvim_get_current_line())
end

-- The processes that were started here and run: servers, and nothing else.
local function servers()
  return vim.api.nvim_get_proc_children(vim.fn.getpid())
end

function Foretell.servers()
  local found = servers()
  return vim.json.encode(#found > 0 and found or vim.empty_dict())
end

-- Kills the server as the system would, and sees that Neovim notices.
function Foretell.kill()
  local id = client().id
  for _, server in ipairs(servers()) do
    vim.uv.kill(server, 'sigkill')
  end
  return vim.json.encode(wait_until(function()
    return vim.lsp.get_client_by_id(id) == nil and #servers() == 0
  end))
end

-- Stops the server, with or without asking it to.
function Foretell.stop(force)
  local id = client().id
  tell('stop', force)
  return vim.json.encode(wait_until(function()
    return vim.lsp.get_client_by_id(id) == nil and #servers() == 0
  end))
end
