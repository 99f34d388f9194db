-- A thin client for Neovim 0.10, for tests: it forwards, and decides nothing.
--
-- Neovim's own language client opens, changes and closes documents. What it cannot do yet is here:
-- asking for inline completions, telling where the cursor is, and saying what became of a
-- suggestion. The test types keys into this Neovim and calls these functions, each of which answers
-- with JSON.

Foretell = { triggers = {}, resyncs = 0 }

vim.lsp.handlers['foretell/trigger'] = function(_, params)
  table.insert(Foretell.triggers, params)
end

vim.lsp.handlers['foretell/resync'] = function()
  Foretell.resyncs = Foretell.resyncs + 1
end

local function client()
  return vim.lsp.get_clients({ name = 'foretell' })[1]
end

-- What the server says to a request.
local function request(method, params)
  -- By its number: for buffer 0 Neovim 0.10 asks without sending first what has changed.
  local buffer = vim.api.nvim_get_current_buf()
  local answer, broken = client().request_sync(method, params, 20000, buffer)
  return answer or { err = broken }
end

function Foretell.start(server)
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  -- What 0.10 offers; newer ones would rather count bytes.
  capabilities.general.positionEncodings = { 'utf-16' }
  local config = { name = 'foretell', cmd = server, root_dir = vim.fn.getcwd() }
  config.capabilities = capabilities
  vim.lsp.start(config)
  local function is_ready()
    return client() ~= nil and client().initialized == true
  end
  vim.wait(20000, is_ready, 5)
  return vim.json.encode(client().offset_encoding)
end

-- Asks for suggestions at the cursor: 1 because the person wants one, 2 by itself.
function Foretell.ask(kind)
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  params.context = { triggerKind = kind }
  return vim.json.encode(request('textDocument/inlineCompletion', params))
end

-- Says what became of a suggestion.
function Foretell.say(what, id)
  return vim.json.encode(client().notify('foretell/' .. what, { id = id }))
end

-- Takes a suggestion as Neovim 0.12 does: the edit, then the command. Says whether that is known.
function Foretell.accept(item)
  local edit = { range = item.range, newText = item.insertText }
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.util.apply_text_edits({ edit }, buffer, client().offset_encoding)
  return vim.json.encode(request('workspace/executeCommand', item.command).err == nil)
end

-- Tells where the cursor is from now on.
function Foretell.follow_the_cursor()
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI' }, {
    callback = function()
      local position = vim.lsp.util.make_position_params(0, client().offset_encoding)
      client().notify('foretell/didChangeSelection', {
        textDocument = {
          uri = position.textDocument.uri,
          version = vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()],
        },
        selections = { { start = position.position, ['end'] = position.position } },
      })
    end,
  })
  return 'true'
end

-- What the person sees of the text: the line that the cursor is on.
function Foretell.line()
  return vim.json.encode(vim.api.nvim_get_current_line())
end

-- What the server has told.
function Foretell.told()
  return vim.json.encode({ triggers = #Foretell.triggers, resyncs = Foretell.resyncs })
end

function Foretell.last_trigger()
  return vim.json.encode(Foretell.triggers[#Foretell.triggers])
end

function Foretell.stop()
  local id = client().id
  vim.lsp.stop_client(id)
  local function is_gone()
    return vim.lsp.client_is_stopped(id)
  end
  return vim.json.encode((vim.wait(20000, is_gone, 5)))
end
