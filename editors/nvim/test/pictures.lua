-- Makes the pictures of the documentation: `nvim -l editors/nvim/test/pictures.lua [--check] [DIRECTORY]`.
--
-- They are taken of a real Neovim in a terminal, with the real server and no model, and written to
-- docs/editors/nvim; words that commands say are put into docs/editors/nvim.md. With DIRECTORY both go there.
-- The Neovim is TEST_FORETELL_NVIM's, or the one on PATH: stories are told in the version they are of. With
-- --check nothing is written, and the exit status is 1 if anything would be.
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
package.path = here .. '/?.lua;' .. package.path

local Album = require('pictures.album')
local places = require('support.places')
local stories = require('pictures.stories')

local function say(text)
  io.stdout:write(text, '\n')
  io.stdout:flush()
end

local function main(arguments)
  local is_check, directory, page = false, Album.PICTURES, Album.PAGE
  for _, argument in ipairs(arguments) do
    if argument == '--check' then
      is_check = true
    else
      directory = vim.fs.normalize(argument)
      page = directory .. '/nvim.md'
      vim.fn.mkdir(directory, 'p')
      places.write(page, assert(places.read(Album.PAGE)))
    end
  end
  local told, changed = 0, 0
  for _, story in ipairs(stories.list) do
    if Album.is_told(story) then
      told = told + 1
      for _, change in ipairs(Album.of(story):changes(directory, page)) do
        changed = changed + 1
        if is_check then
          say('differs: ' .. Album.difference(change))
        else
          places.write(change.path, change.text)
          say(('written: %s (%d bytes)'):format(change.path, #change.text))
        end
      end
    end
  end
  say(('%d stories told in Neovim %s, %d files %s'):format(
    told,
    table.concat(places.version(), '.'),
    changed,
    is_check and 'differ' or 'written'
  ))
  return told > 0 and (changed == 0 or not is_check) and 0 or 1
end

os.exit(main(arg))
