-- How people install it and set it: by `runtimepath`, by a plugin manager that loads it late, by `setup`,
-- in a status line of their own; and what it does by itself.
local expect = require('support.expect')
local places = require('support.places')
local story = require('support.stories').story
local telling = require('support.telling')
local waiting = require('support.waiting')

local function with(more)
  return telling.with_line('file.ts', more)
end

local offered = telling.offered

story('a plugin manager that loads it when a file is there already, and calls setup', with({
  ready = false,
  init = ([[
    -- As before it was loaded: the managers put it there later.
    local set = vim.g.foretell
    vim.g.foretell = nil
    vim.opt.runtimepath:remove(%q)
    vim.api.nvim_create_user_command('LoadIt', function()
      vim.opt.runtimepath:prepend(%q)
      vim.cmd('runtime plugin/foretell.lua')
      set.keys = { accept = '<C-l>' }
      require('foretell').setup(set)
    end, {})
  ]]):format(places.plugin, places.plugin),
}), function(editor)
  expect.equal(editor:ask('return vim.fn.exists(":Foretell")'), 0)
  editor:command('LoadIt')
  editor:until_said('textDocument/didOpen')
  offered(editor)
  editor:press('C-l')
  editor:until_text('\nconst sum = price;')
  expect.equal(editor:messages(), {})
end)

story('setup once more, with something else, is followed', with(), function(editor)
  local set = editor:ask('return vim.g.foretell')
  set.settings = { trigger = { rejectionCooldownMs = 100 } }
  set.keys = { accept = '<C-l>' }
  editor:ask('require("foretell").setup(...)', set)
  offered(editor)
  editor:press('C-l')
  editor:until_text('\nconst sum = price;')
  expect.equal(editor:messages(), {})
  expect.equal(#editor:servers(), 1)
end)

story('a status line of their own says how it is', with({
  -- As the help has it.
  init = [[
    vim.o.statusline = "[%{v:lua.require'foretell'.status()}]"
    vim.api.nvim_create_autocmd('User', { pattern = 'ForetellStatus', command = 'redrawstatus' })
  ]],
}), function(editor)
  editor:until_shows('[foretell]')
  editor:command('Foretell pause')
  editor:until_shows('[foretell: paused]')
  editor:command('Foretell resume')
  editor:until_shows('[foretell]')
end)

story('Neovim that has nothing to do with it starts no server', with({
  files = {},
  open = false,
  ready = false,
}), function(editor)
  editor:until_shows('~')
  editor:never_shows('Foretell', function() end)
  expect.equal(editor:servers(), {})
  expect.equal(editor:messages(), {})
end)

story('with the embedded lanes and nothing set, it suggests', {
  files = {
    ['box.ts'] = [[
export class Box {
    constructor(width: number, depth: number, color: string, height: number) {
        this.width = width;
        this.depth = depth;
        this.color = color;
        this.height =
    }
}
]],
  },
}, function(editor)
  editor:type('5jA ')
  editor:until_ghost('height;')
  editor:screenshot('install-first-suggestion')
  editor:press('Tab')
  editor:until_shows('this.height = height;')
end)

story('what follows a trigger of the server is automatic', with({
  files = { ['trigger.ts'] = 'const price = 1;\nconst count = 2;\n\n\n' },
}), function(editor)
  editor:type('jjix')
  -- A superseded request gets no answer: the last one counts.
  waiting.wait_for('answer to the last question', function()
    local asked = editor:said('textDocument/inlineCompletion')
    return vim.iter(editor:all_said()):any(function(it)
      return #asked > 0 and it.answers == asked[#asked].method and it.id == asked[#asked].id
    end)
  end)
  editor:forget()
  editor:press('Up')
  local trigger = editor:until_said('foretell/trigger')
  for _, method in ipairs({ 'textDocument/inlineCompletion', 'textDocument/copilotInlineEdit' }) do
    local request = editor:until_said(method, function(it)
      return vim.deep_equal(it.params.position, trigger.params.position)
    end)
    expect.truthy(request.at >= trigger.at, method .. ' follows it')
    expect.equal(request.params.context.triggerKind, 2)
  end
end)
