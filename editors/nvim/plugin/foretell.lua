-- Starts Foretell, and defines `:Foretell`. At startup only this file is read; the rest is
-- loaded with the first file that is opened.
if vim.g.loaded_foretell then
  return
end
vim.g.loaded_foretell = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('Foretell needs Neovim 0.10 or newer.', vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command('Foretell', function(command)
  require('foretell.commands').run(command.fargs)
end, {
  nargs = '*',
  desc = 'Ask Foretell why, what was sent, how it is; pause it',
  complete = function(typed, line)
    return require('foretell.commands').complete(typed, line)
  end,
})

-- Plugin managers call `setup` after this file, and some people set `vim.g.foretell` after it, so that
-- nothing begins before the first event loop.
vim.schedule(function()
  require('foretell').start()
end)
