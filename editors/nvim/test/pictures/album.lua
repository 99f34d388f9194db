-- A story's pictures and screens for the documentation, compared with those that are there already.
--
-- What the server decided, of which `:Foretell why` tells, is different each time: how long things took, and
-- which of two questions came to it first. Where nothing else is different, what is there is right, and stays: so
-- that the same plugin always gives the same files.
local page = require('pictures.page')
local places = require('support.places')
local svg = require('pictures.svg')

local Album = {}
Album.__index = Album

--- `docs/editors`.
local EDITORS = vim.fs.normalize(places.tests .. '/../../../docs/editors')
Album.PICTURES = EDITORS .. '/nvim'
Album.PAGE = EDITORS .. '/nvim.md'

--- A home in which the server is installed as people install it, for paths that are the same everywhere.
local function new_home()
  local home = places.new_directory()
  vim.fn.mkdir(home .. '/.cargo/bin', 'p')
  assert(vim.uv.fs_symlink(places.server(), home .. '/.cargo/bin/foretell'))
  return home
end

local function environment_in(home)
  return {
    HOME = home,
    PATH = ('%s/.cargo/bin:%s'):format(home, os.getenv('PATH')),
    XDG_CONFIG_HOME = home .. '/.config',
    XDG_DATA_HOME = home .. '/.local/share',
    XDG_STATE_HOME = home .. '/.local/state',
    XDG_CACHE_HOME = home .. '/.cache',
  }
end

--- Whether a story is told in the Neovim under test.
function Album.is_told(story)
  return story.neovim == table.concat(places.version(), '.', 1, 2)
end

--- Tells a story, and gives what it has put together: pictures and blocks, by their names.
function Album.of(story)
  local Editor = require('support.editor')
  local self = setmetatable({ pictures = {}, blocks = {} }, Album)
  local home = new_home()
  local setup = vim.tbl_extend('force', story.setup, { environment = environment_in(home) })
  local opened, editor = pcall(Editor.open, setup)
  local ok, problem = opened, editor
  if opened then
    ok, problem = xpcall(story.tell, debug.traceback, editor, self)
    problem = not ok and ('%s\n%s'):format(problem, editor:describe()) or nil
    editor:close()
  end
  vim.fn.delete(home, 'rf')
  if not ok then
    error(('%s: %s'):format(story.name, problem), 0)
  end
  return self
end

function Album:still(name, picture, words)
  self.pictures[name] = svg.still(words.title, words.description, picture)
end

function Album:moving(name, shots, still, words)
  self.pictures[name] = svg.moving(words.title, words.description, shots, still)
end

function Album:block(name, words)
  self.blocks[name] = words
end

--- A file's text without the server's decisions.
local function without_decisions(text)
  local words = text:gsub('<style>.-</style>', ''):gsub('<[^>]*>', ' '):gsub('%s+', ' ')
  local before, list = words:match('^(.*The latest decisions, newest first:)(.*)$')
  return before and before .. (list:match('foretell://why.*$') or '') or words
end

--- Whether two are the same. Only what was decided may be otherwise.
local function is_same(found, wanted)
  if found == nil or found == wanted then
    return found == wanted
  end
  local has_decisions = wanted:find('The latest decisions', 1, true) ~= nil
  return has_decisions and without_decisions(found) == without_decisions(wanted)
end

--- The words of a file, a line for each run of them.
local function lines_of(text)
  local lines = text:gsub('<style>.-</style>', ''):gsub('<[^>]+>', '\n'):gsub('\n%s+', '\n')
  return lines
end

--- How a file is otherwise than what was found, in words.
---@param change { path: string, text: string }
function Album.difference(change)
  local before = lines_of(places.read(change.path) or '')
  local words = vim.diff(before, lines_of(change.text), { ctxlen = 0 })
  return ('%s\n%s'):format(change.path, words ~= '' and words or 'the words are the same, and look otherwise')
end

--- Everything that is not as it is in the documentation: a list of { path, text }, the whole files.
---@param directory string where pictures are
---@param page_path string where blocks are
function Album:changes(directory, page_path)
  local changes = {}
  for name, picture in vim.spairs(self.pictures) do
    local path = ('%s/%s.svg'):format(directory, name)
    if not is_same(places.read(path), picture) then
      changes[#changes + 1] = { path = path, text = picture }
    end
  end
  local before = places.read(page_path) or ''
  local after = before
  for name, block in vim.spairs(self.blocks) do
    if not is_same(page.block(after, name), block) then
      after = page.with_block(after, name, block)
    end
  end
  if after ~= before then
    changes[#changes + 1] = { path = page_path, text = after }
  end
  return changes
end

return Album
