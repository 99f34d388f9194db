-- Ghost text from a model server at an address, as people have it: how often it is asked, and
-- that it is left alone when it is down.
local expect = require('support.expect')
local ModelServer = require('support.model_server')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local SCRIPT = { { after = 'const sum = ', insert = 'price * count;', delayMs = 30 } }

--- A story with a model server of its own.
local function told(name, text, tell, script, init)
  local model
  story(name, function()
    model = ModelServer.start(script or SCRIPT)
    local settings = {
      -- How often it is asked ahead of time is not what these stories are about.
      lanes = { fim = { kind = 'llama-cpp', url = model.url, ahead = 'never' } },
      trigger = { rejectionCooldownMs = 0 },
      race = script and { capMs = 1000 } or nil,
    }
    return telling.setup({
      files = { ['model.ts'] = text },
      config = { settings = settings },
      init = init,
    })
  end, function(editor)
    local ok, problem = pcall(tell, editor, model)
    model:stop()
    if not ok then
      error(problem, 0)
    end
  end)
end

--- The server takes no shorter silence for a pause.
local SHORTEST_PAUSE_MS = 100

--- How often there was a pause between two keys: a busy machine may pause where the person did not.
local function pauses(editor)
  local found, last = 0, nil
  for _, it in ipairs(editor:said('textDocument/didChange')) do
    found = found + (last and it.at - last > SHORTEST_PAUSE_MS and 1 or 0)
    last = it.at
  end
  return found
end

told('the model is asked at a pause, and not at every key', '', function(editor, model)
  editor:type('iconst sum = ')
  editor:until_ghost('price * count;')
  editor:screenshot('model-offered')
  local during = model:requests()
  -- It is asked at once in a text that one has come to, and then at the end of each pause.
  local allowed = 2 + pauses(editor)
  local words = 'there are %d requests at most: %s'
  expect.truthy(#during <= allowed, words:format(allowed, table.concat(during, '\n')))
  expect.truthy(during[#during]:find('const sum = ', 1, true), 'it was asked about what is there')
  editor:press('Tab')
  editor:until_no_ghost()
  expect.equal(editor:saved(), 'const sum = price * count;\n')
end)

told('typing into what is suggested asks nobody', '', function(editor, model)
  editor:type('iconst sum = ')
  editor:until_ghost('price * count;')
  local before = model:requests()
  editor:type('price * ')
  editor:until_ghost('count;')
  editor:type('coun')
  editor:until_ghost('t;')
  expect.equal(model:requests(), before)
end)

told('after Escape the model may say it again, and nobody sees it', '', function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price * count;')
  editor:press('Escape')
  editor:until_no_ghost()
  editor:until_said('foretell/didReject')
  editor:until_mode('n')
  editor:never_shows('price', function()
    editor:type('A')
    expect.equal(telling.insisted(editor), {})
  end)
  expect.equal(editor:messages(), {})
end)

local NEAT = 'const neat = 1;\nlog(neat);\n'

told('a model that is down is left alone, and next edits go on', NEAT, function(editor, model)
  -- The model server is down from now on.
  model:stop()
  editor:type('Go')
  waiting.wait_for('rest', function()
    editor:type('const sum = ')
    expect.equal(telling.insisted(editor), {})
    editor:type('\n')
    return editor:ask('return require("foretell").status()'):find('resting', 1, true)
  end)
  editor:press('C-c')
  editor:until_mode('n')
  editor:type('gg0wcwrounded')
  editor:until_shows('next edit, line 2')
  editor:screenshot('model-resting-next-edit')
  expect.truthy(#editor:messages() <= 1, 'there is one message at most')
end)

told('a person who waits sees what a model says that needs three seconds', '', function(editor)
  editor:type('iconst sum = ')
  editor:until_ghost('price * count;')
  local late = editor:until_said('foretell/trigger', function(it)
    return it.params.cause == 'late'
  end)
  expect.equal(late.params.position.character, #'const sum = ')
  editor:screenshot('model-late')
  editor:press('Tab')
  editor:until_no_ghost()
  expect.equal(editor:saved(), 'const sum = price * count;\n')
end, { { after = 'const sum = ', insert = 'price * count;', delayMs = 3000 } })

-- A laptop reads 150 tokens a second.
local LAPTOP = {
  { after = 'const brief = ', insert = 'known;', readTokens = 150, delayMs = 1000 },
  { after = 'const large = ', insert = 'worth + reading;', readTokens = 900, delayMs = 6000 },
}

--- What a person has who wants to see in the status line how Foretell is.
local STATUS_LINE = [[
  vim.o.laststatus = 2
  vim.o.statusline = '%f %{v:lua.require("foretell").status()}'
]]

told('a person who waits for a long prompt sees how much of it is to be read', '', function(editor)
  -- From now on it is known how fast the model reads.
  editor:type('iconst brief = ')
  editor:until_ghost('known;')
  editor:press('Tab')
  editor:forget()
  editor:type('\nconst large = ')
  local screen = editor:until_shows('foretell: reading ')
  expect.truthy(screen:text():find('model%.ts foretell: reading %d00 tokens, about %d s\n'), screen:text())
  editor:screenshot('model-reading')
  editor:until_ghost('worth + reading;')
  editor:until_hides('foretell: reading')
  local before = math.huge
  for _, it in ipairs(editor:said('foretell/didChangeStatus')) do
    local left = tonumber((it.params.message:match('^reading (%d+) ')))
    expect.truthy((left or 0) <= before, 'what is left only shrinks')
    before = left or before
  end
  editor:screenshot('model-has-read')
  editor:press('Tab')
  editor:until_no_ghost()
  expect.equal(editor:saved(), 'const brief = known;\nconst large = worth + reading;\n')
end, LAPTOP, STATUS_LINE)
