-- Declares stories, and tells them: `story('what a person sees', { … }, function(editor) … end)`.
--
-- Each story has a Neovim of its own, so that nothing of one is left for the next. A story
-- without an editor gives no setup: `story('…', function() … end)`. A setup that has to start
-- something first is a function that gives it.
local Editor = require('support.editor')

local M = { declared = {} }

--- The file whose stories are being declared.
local file = ''

function M.begin(name)
  file = name
end

function M.story(name, setup, tell)
  if tell == nil then
    setup, tell = nil, setup
  end
  M.declared[#M.declared + 1] = { file = file, name = name, setup = setup, tell = tell }
end

--- Tells one; gives nothing if it went well, and what went wrong otherwise.
function M.tell(story)
  local editor
  local ok, problem = xpcall(function()
    if story.setup ~= nil then
      local setup = type(story.setup) == 'function' and story.setup() or story.setup
      editor = Editor.open(setup)
    end
    story.tell(editor)
  end, function(problem)
    return debug.traceback(tostring(problem), 2)
  end)
  local told
  if not ok then
    told = problem .. (editor and '\n' .. editor:describe() or '')
  end
  if editor ~= nil then
    editor:close()
  end
  return told
end

return M
