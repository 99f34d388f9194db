-- Next edits of a model that knows what the person does next, as people have it: at an address, in its own format.
local expect = require('support.expect')
local ModelServer = require('support.model_server')
local story = require('support.stories').story
local telling = require('support.telling')

--- A function, and a call of it.
local LOAD = [[
function load(path: string) {
  return read(path);
}

const config = load("config");
]]

--- Who gives the function a mode wants it used, and then to say which mode.
local SCRIPT = {
  { after = ', mode: string', replace = 'read(path)', insert = 'read(path, mode)' },
  { after = ', mode: string', replace = 'load("config")', insert = 'load("config", "<|user_cursor|>")' },
}

local model
story('a parameter is used, and the cursor goes where its value is missing', function()
  model = ModelServer.start(SCRIPT)
  local settings = {
    lanes = {
      nextEdit = { kind = 'llama-cpp', url = model.url, model = 'zeta-2' },
      fim = { enabled = false },
      fix = { enabled = false },
    },
    trigger = { rejectionCooldownMs = 0 },
    recall = { mode = 'off' },
  }
  return telling.setup({ files = { ['load.ts'] = LOAD }, config = { settings = settings } })
end, function(editor)
  local ok, problem = pcall(function()
    editor:type('f)i, mode: string', 60)
    editor:until_shows('line 2')
    editor:screenshot('next-model-1-offered')
    editor:press('Tab')
    editor:until_shows('Tab: accept')
    editor:press('Tab')
    editor:until_shows('line 5')
    editor:screenshot('next-model-2-and-on')
    editor:press('Tab')
    editor:until_shows('Tab: accept')
    editor:press('Tab')
    -- Between the quotes, where the model says that it goes on.
    editor:until_shows('load("config", "")')
    expect.equal(editor:cursor(), { 5, 32 })
    editor:screenshot('next-model-3-led-there')
    editor:type('fast')
    local accepted = LOAD:gsub('string%)', 'string, mode: string)')
      :gsub('read%(path%)', 'read(path, mode)')
      :gsub('"config"%)', '"config", "fast")')
    expect.equal(editor:saved(), accepted)
  end)
  model:stop()
  if not ok then
    error(problem, 0)
  end
end)
