"""A whole session with a client that nobody here wrote, as several editors would have it."""

import asyncio

import pytest
from editor import PATIENCE, error_of
from lsprotocol import types

INVOKED = types.InlineCompletionTriggerKind.Invoked
FUNCTION = "// 😀\nfn main() {\n    \n}\n"

# How each counts columns, the first of its list or as the standard has it, and how lines end.
EDITORS = [
    ("visual-studio-code@v1.65.2", "utf-16", "\r\n"),
    ("neovim@v0.11.0", "utf-8", "\n"),
    ("emacs@v29.1", "utf-32", "\n"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("like", "encoding", "ends"), EDITORS)
async def test_typed_into_typed_over_and_accepted(new_editor, folder, like, encoding, ends):
    editor = new_editor(like)
    able = await editor.start(folder)
    assert able.capabilities.position_encoding == encoding
    editor.open(folder / "main.rs", FUNCTION.replace("\n", ends))
    editor.to_end_of(2)
    editor.type("let x")
    assert await editor.sees() == [" = 1;"]
    editor.type(" =")
    assert await editor.sees() == [" 1;"], "the rest of it"
    editor.delete(2)
    assert await editor.sees() == [" = 1;"], "all of it"
    editor.type("y")
    assert await editor.sees() == [], "it was typed over"
    editor.delete(1)
    [item] = await editor.ask()
    assert await editor.accept(item) is None
    assert editor.line == "    let x = 1;"
    assert await editor.sees(INVOKED) == []

    # Text that no two ways of counting agree about.
    editor.type("let größe 😀")
    [item] = await editor.ask()
    await editor.accept(item)
    assert editor.document.lines[2] == "    let x = 1;let größe 😀 = 2;\n"
    editor.type(" // let x")
    assert editor.line == "    let tiefe = 3; // let x"
    assert await editor.sees() == [" = 1;"], "never out of step"
    assert await editor.leave() == 0


@pytest.mark.asyncio
async def test_what_was_rejected_is_never_seen_again(new_editor, folder):
    editor = new_editor("visual-studio-code")
    await editor.start(folder)
    editor.open(folder / "main.rs", FUNCTION)
    editor.to_end_of(2)
    editor.type("let x")
    [item] = await editor.ask()
    editor.reject(item)
    assert await editor.sees(INVOKED) == []
    editor.to_end_of(0)
    editor.type(" let x")
    assert await editor.sees(INVOKED) == [" = 1;"], "elsewhere"
    editor.to_end_of(1)
    editor.type("\n")
    editor.to_end_of(3)
    assert await editor.sees(INVOKED) == [], "its place has moved"
    editor.type(" = 1")
    assert await editor.sees(INVOKED) == [], "nor the rest of it"
    editor.delete(4)
    assert await editor.sees(INVOKED) == []

    # Another server, which is given what the editor has kept.
    kept = await editor.request("foretell/rejections")
    text = editor.document.source
    await editor.is_killed()
    await editor.start(folder)
    assert await editor.request("foretell/restore", kept) == {"taken": 1, "refused": 0}
    editor.open(folder / "main.rs", text)
    editor.to_end_of(3)
    assert await editor.sees(INVOKED) == []
    editor.to_end_of(0)
    assert await editor.sees(INVOKED) == [" = 1;"]
    assert await editor.leave() == 0


@pytest.mark.asyncio
async def test_a_server_that_is_killed_is_started_anew(new_editor, folder):
    editor = new_editor("neovim")
    for _ in range(2):
        await editor.start(folder)
        editor.open(folder / "main.rs", FUNCTION)
        editor.to_end_of(2)
        editor.type("never")
        waits = editor.asking(INVOKED)
        await editor.is_killed()
        with pytest.raises(RuntimeError, match="exited"):
            await asyncio.wait_for(waits, PATIENCE)
    await editor.start(folder)
    editor.open(folder / "main.rs", FUNCTION)
    editor.to_end_of(2)
    editor.type("let x")
    [item] = await editor.ask()
    await editor.accept(item)
    assert editor.line == "    let x = 1;"
    assert await editor.leave() == 0


@pytest.mark.asyncio
async def test_superseded_and_taken_back(new_editor, folder):
    editor = new_editor("emacs")
    await editor.start(folder)
    editor.open(folder / "main.rs", FUNCTION)
    editor.to_end_of(2)
    editor.type("never")
    older = editor.asking(INVOKED)
    editor.to_end_of(1)
    newer = editor.asking(INVOKED)
    assert await error_of(older) == types.LSPErrorCodes.RequestCancelled
    assert not (await asyncio.wait_for(newer, PATIENCE)).items

    editor.to_end_of(2)
    waits = editor.asking(INVOKED)
    [number] = editor.protocol._request_futures
    editor.client.cancel_request(types.CancelParams(id=number))
    assert await error_of(waits) == types.LSPErrorCodes.RequestCancelled
    assert await editor.leave() == 0


@pytest.mark.asyncio
async def test_typed_over_three_times_and_not_offered_again(new_editor, folder):
    editor = new_editor("visual-studio-code")
    await editor.start(folder)
    editor.open(folder / "main.rs", FUNCTION)
    editor.to_end_of(2)
    editor.type("let x")
    for key in "yz_":
        assert await editor.sees() == [" = 1;"]
        editor.type(key)
        assert await editor.sees() == []
        editor.delete(1)
    assert await editor.sees() == []
    assert await editor.sees(INVOKED) == []
    editor.type(" =")
    assert await editor.sees() == [], "nor the rest of it"
    editor.delete(2)
    editor.to_end_of(0)
    editor.type(" let x")
    assert await editor.sees() == [" = 1;"], "elsewhere"
    editor.to_end_of(2)
    assert await editor.sees() == []
    assert await editor.leave() == 0
