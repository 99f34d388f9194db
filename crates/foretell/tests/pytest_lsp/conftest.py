"""What the stories begin with: a folder, and an editor for it whose server does not outlive them."""

import asyncio
import json
import os
import pathlib

import pytest
import pytest_asyncio
import pytest_lsp
from editor import PATIENCE, Editor

SCRIPT = [
    {"after": "let x = 1", "insert": ";"},
    {"after": "let x", "insert": " = 1;", "delayMs": 30},
    {"after": "let größe 😀", "insert": " = 2;\n    let tiefe = 3;"},
    {"after": "never", "insert": "!", "delayMs": 3_600_000},
]


@pytest.fixture
def folder():
    """The workspace: the directory `work` in the one that the test runs in."""
    folder = pathlib.Path.cwd() / "work"
    folder.mkdir(exist_ok=True)
    return folder


@pytest_asyncio.fixture
async def new_editor():
    """Makes editors that say they are one of those whose capabilities pytest-lsp knows."""
    editors = []
    script = pathlib.Path.cwd() / "script.json"
    script.write_text(json.dumps(SCRIPT))
    command = [os.environ["TEST_FORETELL_SERVER"], "lsp", "--script", str(script)]

    def make(like, configuration=None):
        capabilities = pytest_lsp.client_capabilities(like)
        editors.append(Editor(command, capabilities, configuration))
        return editors[-1]

    yield make
    for editor in editors:
        server = editor.client._server
        if server is not None and server.returncode is None:
            server.kill()
            await asyncio.wait_for(server.wait(), PATIENCE)
        await editor.client.stop()
