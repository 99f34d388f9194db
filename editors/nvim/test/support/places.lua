-- Where things are: the plugin, the Neovim under test, the server, and what the environment says
-- of them.
local M = {}

local here = debug.getinfo(1, 'S').source:sub(2)

--- `editors/nvim`.
local directory = vim.fs.normalize(vim.fn.fnamemodify(here, ':p:h:h:h'))
M.tests = directory .. '/test'
M.support = M.tests .. '/support'

--- The plugin under test: this one, or an installed one that TEST_FORETELL_PLUGIN names.
M.plugin = os.getenv('TEST_FORETELL_PLUGIN') or directory

--- The Neovim under test, which need not be the one that runs the tests.
M.nvim = os.getenv('TEST_FORETELL_NVIM') or 'nvim'

local function built(variable, name, what)
  local path = os.getenv(variable)
    or vim.fs.normalize(directory .. '/../../target/debug/' .. name)
  path = vim.fn.fnamemodify(path, ':p')
  if vim.fn.executable(path) == 0 then
    local advice = 'there is no %s: run `cargo build %s`, or name it in %s'
    error(advice:format(path, what, variable), 0)
  end
  return path
end

--- The real server.
function M.server()
  return built('TEST_FORETELL_BIN', 'foretell', '-p foretell')
end

function M.model_server()
  local what = '-p foretell-testkit --example model_server'
  return built('TEST_FORETELL_MODEL_SERVER', 'examples/model_server', what)
end

local version

--- The version of the Neovim under test, as numbers: { 0, 10, 4 }.
function M.version()
  if version == nil then
    local done = vim.system({ M.nvim, '--version' }, { text = true }):wait()
    local major, minor, patch = (done.stdout or ''):match('NVIM v(%d+)%.(%d+)%.(%d+)')
    if major == nil then
      error(M.nvim .. ' is no Neovim: name one in TEST_FORETELL_NVIM', 0)
    end
    version = { tonumber(major), tonumber(minor), tonumber(patch) }
  end
  return version
end

--- Whether that Neovim has ghost text of its own for language servers.
function M.has_native_ghost_text()
  local found = M.version()
  return found[1] > 0 or found[2] >= 12
end

--- A new directory for one Neovim, short enough for the names of sockets.
function M.new_directory()
  local directory = assert(vim.uv.fs_mkdtemp(vim.uv.os_tmpdir() .. '/foretell-nvim-XXXXXX'))
  -- Where it is reached by a link, Neovim and the server say where it is.
  return assert(vim.uv.fs_realpath(directory))
end

function M.write(path, text)
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
  return path
end

function M.read(path)
  local file = io.open(path, 'rb')
  if file == nil then
    return nil
  end
  local text = file:read('*a')
  file:close()
  return text
end

return M
