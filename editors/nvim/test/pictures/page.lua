-- The blocks of the page that are not written by hand, each between two marks:
--
--     <!-- screen: NAME -->
--     ```text
--     …
--     ```
--     <!-- end of screen -->
local M = {}

local FORM = '<!-- screen: %s -->\n```text\n%s\n```\n<!-- end of screen -->'

--- From where to where a block is, with its marks, and what is in it.
local function find(page, name)
  local first = page:find(('<!-- screen: %s -->'):format(name), 1, true)
  if first == nil then
    return nil
  end
  local from, to = page:find('<!-- end of screen -->', first, true)
  if from == nil then
    return nil
  end
  return first, to, page:sub(first, to):match('```text\n(.*)\n```')
end

--- The text of a block, if there is one.
---@return string?
function M.block(page, name)
  local _, _, words = find(page, name)
  return words
end

--- The page with other words in a block, which must be there.
function M.with_block(page, name, words)
  local first, to = find(page, name)
  if first == nil then
    error(('the page has no place for the screen %q: %s'):format(name, FORM:format(name, '')), 0)
  end
  return page:sub(1, first - 1) .. FORM:format(name, words) .. page:sub(to + 1)
end

return M
