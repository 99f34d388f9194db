-- Several workspaces in one Neovim: the server knows them all, and what was rejected in one is found again, from
-- wherever its file is opened.
local expect = require('support.expect')
local story = require('support.stories').story
local telling = require('support.telling')

local function with(files, open)
  return telling.setup({
    files = files,
    open = open,
    script = { { after = 'const sum = ', insert = 'price;', delayMs = 30 } },
    init = 'vim.o.hidden = true',
  })
end

--- A repository with a file in it.
local function repository(name, files)
  files[name .. '/.git/HEAD'] = 'ref: refs/heads/main\n'
  files[name .. '/shop.ts'] = 'first\n'
  return files
end

--- Rejects what is offered behind the last line, and saves the file.
local function reject(editor)
  editor:type('Goconst sum = ')
  editor:until_ghost('price;')
  editor:forget()
  editor:press('Escape')
  editor:until_no_ghost()
  editor:until_answered(editor:until_said('foretell/rejections'))
  editor:command('write')
end

--- Insists there, and gets nothing.
local function is_rejected(editor)
  editor:until_text('first\nconst sum = ')
  editor:never_shows('price;', function()
    editor:type('GA')
    expect.equal(telling.insisted(editor), {})
  end, 300)
end

story('a rejection outlives Neovim, whichever file was opened first', with(
  repository('shop', repository('other', { ['notes.md'] = 'notes\n' })),
  'notes.md'
), function(editor)
  editor:command('edit shop/shop.ts')
  editor:until_text('first')
  reject(editor)
  editor:reopen('shop/shop.ts')
  is_rejected(editor)
  editor:reopen('other/shop.ts')
  editor:command('edit shop/shop.ts')
  is_rejected(editor)
end)

story('and wherever Neovim was started', with({ ['plain/shop.ts'] = 'first\n' }), function(editor)
  reject(editor)
  editor:reopen({ '--cmd', 'cd plain', editor.workspace .. '/plain/shop.ts' })
  is_rejected(editor)
end)

story('a second repository gets its rejections back while the first is at work', with(
  repository('shop', repository('other', {})),
  'shop/shop.ts'
), function(editor)
  reject(editor)
  editor:reopen('other/shop.ts')
  reject(editor)
  editor:command('edit shop/shop.ts')
  is_rejected(editor)
  editor:press('Escape')
  editor:until_mode('n')
  editor:command('buffer other/shop.ts')
  is_rejected(editor)
end)

story('the server is told of each repository that a file is opened of', with(
  repository('shop', repository('other', {})),
  'shop/shop.ts'
), function(editor)
  local function address(name)
    return vim.uri_from_fname(editor.workspace .. '/' .. name)
  end

  local function addresses(folders)
    return vim.tbl_map(function(it)
      return it.uri
    end, folders)
  end

  local first = editor:until_said('initialize').params
  expect.equal(addresses(first.workspaceFolders), { address('shop') })
  editor:command('edit other/shop.ts')
  local told = editor:until_said('workspace/didChangeWorkspaceFolders').params
  expect.equal(addresses(told.event.added), { address('other') })
  editor:command('buffer shop/shop.ts')
  editor:command('Foretell restart')
  local second = editor:until_said('initialize', function(it)
    return it.run == 2
  end).params
  expect.equal(addresses(second.workspaceFolders), { address('shop'), address('other') })
  editor:until_said('initialized', function(it)
    return it.run == 2
  end)
  expect.equal(#editor:said('workspace/didChangeWorkspaceFolders'), 1)
end)
