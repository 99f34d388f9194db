-- The pictures and screens of the documentation are what the plugin draws. Those that are of another version of
-- Neovim are compared when that one is under test.
local Album = require('pictures.album')
local expect = require('support.expect')
local pictures = require('pictures.stories')
local places = require('support.places')
local story = require('support.stories').story

local ANEW = '`nvim -l editors/nvim/test/pictures.lua` makes it anew'

for _, it in ipairs(pictures.list) do
  if Album.is_told(it) then
    story(it.name .. ' is as the documentation shows it', function()
      local changes = Album.of(it):changes(Album.PICTURES, Album.PAGE)
      local differences = table.concat(vim.tbl_map(Album.difference, changes), '\n')
      expect.truthy(#changes == 0, ('the same is drawn; %s:\n%s'):format(ANEW, differences))
    end)
  end
end

story('the page shows every picture that there is, and no other', function()
  local shown, there = {}, {}
  for name in assert(places.read(Album.PAGE)):gmatch('%]%(nvim/([%w-]+%.svg)%)') do
    shown[#shown + 1] = name
  end
  for name in vim.fs.dir(Album.PICTURES) do
    there[#there + 1] = name
  end
  table.sort(shown)
  table.sort(there)
  expect.equal(shown, there)
end)
