"""Everything that the server says by itself, and to every command, is as the standard has it.

That each word is understood is asserted when a session ends; here is what must have been said.
"""

import pytest
from lsprotocol import types

INVOKED = types.InlineCompletionTriggerKind.Invoked


def fill(folder):
    """Makes a workspace that takes a while to index."""
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("")
    for number in range(3000):
        (folder / f"{number}.rs").write_text(f"pub fn door_{number}() {{}}\n" * 20)


@pytest.mark.asyncio
async def test_settings_watched_files_and_progress(new_editor, folder):
    fill(folder)
    wrong = {"foretell": {"pace": {"baseMs": "slow"}}}
    editor = new_editor("visual-studio-code", {"": wrong})
    able = await editor.start(folder)
    assert able.server_info.name == "foretell"
    client = editor.client

    # What is wrong with a setting is shown, and is in the log, which are two messages.
    def is_logged():
        return any("pace.baseMs" in message.message for message in client.log_messages)

    await editor.until(lambda: client.messages, "a fault is shown")
    assert client.messages[0].type in (types.MessageType.Warning, types.MessageType.Error)
    await editor.until(is_logged, "the fault is in the log")

    # Files are watched by dynamic registration.
    await editor.until(lambda: editor.registrations, "files are watched")
    methods = {registration.method for registration in editor.registrations}
    assert types.WORKSPACE_DID_CHANGE_WATCHED_FILES in methods

    # The index is shown from begin to end.
    def has_ended():
        bars = client.progress_reports.values()
        return any(isinstance(it, types.WorkDoneProgressEnd) for bar in bars for it in bar)

    await editor.until(has_ended, "the index is made")
    bar = next(iter(client.progress_reports.values()))
    assert isinstance(bar[0], types.WorkDoneProgressBegin)

    # Settings are asked for again when they change, and hold.
    editor.open(folder / "main.rs", "let x\n\n")
    editor.to_end_of(0)
    assert await editor.sees(INVOKED) == [" = 1;"]
    off = {"foretell": {"lanes": {"fim": {"enabled": False}, "nextEdit": {"enabled": False}}}}
    client.set_configuration(off)
    asked = count(editor, types.WORKSPACE_CONFIGURATION)
    change = types.DidChangeConfigurationParams(settings=None)
    client.workspace_did_change_configuration(change)
    await editor.until(lambda: count(editor, types.WORKSPACE_CONFIGURATION) > asked, "it asks")
    editor.to_end_of(1)
    editor.type("let x")
    assert await editor.sees(INVOKED) == []

    # So is a file of settings.
    shown = len(client.messages)
    (folder / ".foretell.toml").write_text("[nonsense]\nx = 1\n")
    uri = (folder / ".foretell.toml").as_uri()
    created = types.FileEvent(uri=uri, type=types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([created]))
    await editor.until(lambda: len(client.messages) > shown, "the other fault is shown")
    assert await editor.leave() == 0


def count(editor, method):
    return sum(said.get("method") == method for said in editor.protocol.heard)


@pytest.mark.asyncio
async def test_every_command_and_what_is_traced(new_editor, folder):
    editor = new_editor("emacs")
    able = await editor.start(folder)
    editor.open(folder / "main.rs", "let x\n")
    editor.to_end_of(0)
    editor.client.set_trace(types.SetTraceParams(value=types.TraceValue.Verbose))
    [item] = await editor.ask(INVOKED)
    assert count(editor, types.LOG_TRACE) > 0
    for command in able.capabilities.execute_command_provider.commands:
        arguments = item.command.arguments if command == "foretell.accept" else None
        await editor.execute(command, arguments)
    assert len(editor.client.messages) > 0
    assert await editor.leave() == 0


@pytest.mark.asyncio
async def test_nothing_that_the_client_cannot_do(new_editor, folder):
    """pytest-lsp fails what is asked of a client that has not said it can; this one can nothing."""
    fill(folder)
    editor = new_editor("emacs")
    editor.capabilities = types.ClientCapabilities()
    able = await editor.start(folder)
    assert able.capabilities.position_encoding == types.PositionEncodingKind.Utf16
    editor.open(folder / "main.rs", "let x\n")
    editor.to_end_of(0)
    assert await editor.sees(INVOKED) == [" = 1;"]
    asked = [said for said in editor.protocol.heard if "method" in said and "id" in said]
    assert asked == []
    assert await editor.leave() == 0
