//! Clients that were written for Copilot's server, each with the messages that it really sends, from
//! `initialize` to `shutdown`.
//!
//! What they send was read in their sources: sidekick.nvim (`nes/init.lua`), copilot-lsp
//! (`nes/init.lua`), copilot.lua (`suggestion/init.lua`, `client/config.lua`), copilot.vim
//! (`autoload/copilot.vim`, `autoload/copilot/client.vim`) and Zed (`crates/copilot`).

mod completions;
mod guest;
mod items;
mod malformed;
mod next_edits;
mod status;
