-- Programs that are named as the server and are none, or a bad one.
--
-- Each of them is a shell script in the folder of the story. Those that do not end by themselves
-- end when their input is closed, as a server does, so that none outlives the story.
local places = require('support.places')
local waiting = require('support.waiting')

local M = {}

--- The script of each.
M.ENDS_AT_ONCE = 'exit 3'
M.SAYS_NOTHING_AND_ENDS = 'exit 0'
M.GIVES_BACK_WHAT_IT_GETS = 'exec cat'
M.SAYS_SOMETHING_ELSE_AND_WAITS = 'echo hello; exec cat > /dev/null'
M.NEVER_ANSWERS = 'exec cat > /dev/null'

local PROTOCOL_7 = vim.json.encode({
  jsonrpc = '2.0',
  id = 1,
  result = {
    capabilities = vim.empty_dict(),
    serverInfo = { name = 'foretell', version = '9.0.0', protocol = 7 },
  },
})

--- Answers the first question as a server of another protocol would, and hears the rest.
M.OF_ANOTHER_PROTOCOL = ([[
head -c 20 > /dev/null
printf 'Content-Length: %d\r\n\r\n%%s' '%s'
exec cat > /dev/null
]]):format(#PROTOCOL_7, PROTOCOL_7)

--- What is in front of it: it is asked for its version, too, and notes only what it is started as
--- a server.
local BEGINNING = [[
#!/bin/sh
[ "$1" = lsp ] || exec echo foretell 9.0.0
echo $$ >> "$0.pids"
]]

--- Writes one into the folder of an editor, and has it note its process; gives its path.
function M.write(editor, does)
  local path = editor:write('foretell-bad', BEGINNING .. does .. '\n')
  vim.uv.fs_chmod(path, tonumber('755', 8))
  return path
end

--- The processes of all its starts.
function M.pids(editor)
  local text = places.read(editor.workspace .. '/foretell-bad.pids') or ''
  return vim.tbl_map(tonumber, vim.split(text, '\n', { trimempty = true }))
end

--- Waits until it was started.
function M.until_started(editor)
  return waiting.wait_for('start of the program', function()
    local pids = M.pids(editor)
    return #pids > 0 and pids
  end)
end

--- Waits until nothing of it runs any more.
function M.until_ended(editor)
  waiting.wait_for('end of the program', function()
    return vim.iter(M.pids(editor)):all(function(pid)
      return vim.uv.kill(pid, 0) ~= 0
    end)
  end)
end

return M
