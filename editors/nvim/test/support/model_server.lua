-- A model server that says what a script says, for stories in which the server asks a real
-- address.
--
-- It is the example `model_server` of the test kit. It ends when its input is closed, and so with
-- the tests. Most stories do without it: `script` of an editor scripts the lane inside of the
-- server.
local places = require('support.places')
local waiting = require('support.waiting')

local ModelServer = {}
ModelServer.__index = ModelServer

function ModelServer.start(script)
  local directory = places.new_directory()
  local path = places.write(directory .. '/script.json', vim.json.encode(script))
  local self = setmetatable({ heard = '' }, ModelServer)
  self.process = vim.system({ places.model_server(), path }, {
    stdin = true,
    stdout = function(_, chunk)
      self.heard = self.heard .. (chunk or '')
    end,
  })
  self.url = waiting.wait_for('address of the model server', function()
    return self:lines()[1]
  end)
  -- It has read the script before it says its address.
  vim.fn.delete(directory, 'rf')
  return self
end

function ModelServer:lines()
  local lines = vim.split(self.heard, '\n', { plain = true })
  lines[#lines] = nil
  return lines
end

--- A line for each request for a text so far: its path, and the end of the text as JSON.
function ModelServer:requests()
  return vim.tbl_filter(function(line)
    return vim.startswith(line, 'POST')
  end, self:lines())
end

--- Ends it: from now on the model is down.
function ModelServer:stop()
  self.process:write(nil)
  self.process:wait(waiting.patience_ms)
end

return ModelServer
