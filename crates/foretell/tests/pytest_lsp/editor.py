"""An editor made of pytest-lsp's client: it types, asks and accepts, and reads every word strictly.

The types, the framing, the position arithmetic and the text are pytest-lsp's, pygls' and lsprotocol's.
What is here is a cursor, and a stricter reader: whatever the server says must become lsprotocol's type
for it and, made into JSON again, be what was said, so that no field is unknown, missing or of another
type. Everything that is said is written down.
"""

import asyncio
import copy
import json
import os
import signal
import time

import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import JsonRPCResponseMessage
from pygls.workspace import PositionCodec, ServerTextPosition, TextDocument
from pytest_lsp.client import register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

# How long something that must come is waited for.
PATIENCE = 60

# What is ours in what is said, and in no standard: where the number of our own protocol is.
OURS = {"result.serverInfo.protocol"}


def differences(said, understood, where=""):
    """What of `said` is not in `understood`, which was made of it. Null is the same as absent."""
    if isinstance(said, dict) and isinstance(understood, dict):
        for key, value in said.items():
            place = f"{where}.{key}".lstrip(".")
            if place not in OURS and value is not None:
                yield from differences(value, understood.get(key), place)
    elif isinstance(said, list) and isinstance(understood, list) and len(said) == len(understood):
        for number, (one, other) in enumerate(zip(said, understood)):
            yield from differences(one, other, f"{where}[{number}]")
    elif type(said) is not type(understood) or said != understood:
        yield f"{where}: {said!r} was understood as {understood!r}"


class StrictProtocol(LanguageClientProtocol):
    """Reads what the server says, and writes down what both say."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.faults = []
        self.heard = []
        self.answered = []

    def structure_message(self, data):
        if not (isinstance(data, dict) and "jsonrpc" in data):
            return super().structure_message(data)
        self.write_down("<--", data)
        # What it makes of it, it makes in place.
        said = copy.deepcopy(data)
        self.heard.append(said)
        message = super().structure_message(data)
        method = said.get("method")
        if method is None:
            self.answered.append(said["id"])
        elif self.get_message_type(method) is None:
            self.faults.append(f"{method} is in no standard")
        # For answers to what is ours there are no types.
        if not isinstance(message, JsonRPCResponseMessage):
            again = self._converter.unstructure(message)
            self.faults.extend(f"{fault} in {said}" for fault in differences(said, again))
        return message

    def _send_data(self, data):
        self.write_down("-->", json.loads(json.dumps(data, default=self._serialize_message)))
        super()._send_data(data)

    def write_down(self, arrow, message):
        with open("said", "a", encoding="utf-8") as said:
            said.write(f"{arrow} {json.dumps(message, ensure_ascii=False)}\n")


class Editor:
    """A client, its server, and one document with a cursor, which counts characters."""

    def __init__(self, command, capabilities, configuration=None):
        self.command = command
        self.capabilities = capabilities
        self.configuration = configuration
        self.registrations = []

    async def start(self, folder):
        """Starts a server for a folder, and says who it is."""
        self.client = pytest_lsp.LanguageClient(
            protocol_cls=StrictProtocol,
            converter_factory=default_converter,
            configuration=self.configuration,
        )
        register_lsp_features(self.client)
        # What it does not do by itself.
        registrations = self.registrations

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams):
            registrations.extend(params.registrations)

        await self.client.start_io(*self.command)
        folder = types.WorkspaceFolder(uri=folder.as_uri(), name=folder.name)
        params = types.InitializeParams(
            capabilities=self.capabilities,
            root_uri=folder.uri,
            workspace_folders=[folder],
            client_info=types.ClientInfo(name="pytest-lsp", version=pytest_lsp.__version__),
        )
        self.able = await self.client.initialize_session(params)
        return self.able

    @property
    def protocol(self):
        return self.client.protocol

    def open(self, file, text):
        """Opens a file with a text that may be another than is in it."""
        codec = PositionCodec(encoding=self.able.capabilities.position_encoding)
        self.document = TextDocument(
            file.as_uri(), text, version=1, language_id="rust", position_codec=codec
        )
        self.cursor = ServerTextPosition(0, 0)
        item = types.TextDocumentItem(
            uri=self.document.uri, language_id="rust", version=1, text=text
        )
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    @property
    def line(self):
        """The line that the cursor is on."""
        return self.document.lines[self.cursor.line].rstrip("\r\n")

    def to_end_of(self, line):
        self.cursor = ServerTextPosition(line, len(self.document.lines[line].rstrip("\r\n")))

    def position(self):
        return self.document.position_to_client_units(self.cursor)

    def replace(self, span, text):
        """Changes the document at a range as the protocol counts, with the cursor behind it."""
        self.document.version += 1
        begin = self.document.offset_at_position(span.start)
        change = types.TextDocumentContentChangePartial(range=span, text=text)
        self.document.apply_change(change)
        self.cursor = self.document.server_position_at_offset(begin + len(text))
        identifier = types.VersionedTextDocumentIdentifier(
            uri=self.document.uri, version=self.document.version
        )
        params = types.DidChangeTextDocumentParams(
            text_document=identifier, content_changes=[change]
        )
        self.client.text_document_did_change(params)

    def type(self, text):
        """Types key by key."""
        for key in text:
            self.replace(types.Range(self.position(), self.position()), key)

    def delete(self, count):
        """Deletes what is before the cursor, key by key."""
        for _ in range(count):
            end = self.position()
            self.cursor = ServerTextPosition(self.cursor.line, self.cursor.character - 1)
            self.replace(types.Range(self.position(), end), "")

    def asking(self, kind=types.InlineCompletionTriggerKind.Automatic):
        """A question at the cursor that is on its way."""
        params = types.InlineCompletionParams(
            text_document=types.TextDocumentIdentifier(uri=self.document.uri),
            position=self.position(),
            context=types.InlineCompletionContext(trigger_kind=kind),
        )
        return asyncio.wrap_future(self.client.text_document_inline_completion(params))

    async def ask(self, kind=types.InlineCompletionTriggerKind.Automatic):
        """What is suggested at the cursor."""
        answer = await asyncio.wait_for(self.asking(kind), PATIENCE)
        assert isinstance(answer, types.InlineCompletionList), answer
        return answer.items

    async def sees(self, kind=types.InlineCompletionTriggerKind.Automatic):
        return [item.insert_text for item in await self.ask(kind)]

    async def accept(self, item):
        """Takes a suggestion: its text, and then its command, if the server has listed that."""
        self.replace(item.range, item.insert_text)
        assert item.command.command in self.able.capabilities.execute_command_provider.commands
        return await self.execute(item.command.command, item.command.arguments)

    async def execute(self, command, arguments=None):
        params = types.ExecuteCommandParams(command=command, arguments=arguments)
        return await self.client.workspace_execute_command_async(params)

    async def request(self, method, params=None):
        """Asks something of ours, for which there are no types: what was said is the answer."""
        await self.protocol.send_request_async(method, params)
        return next(said["result"] for said in reversed(self.protocol.heard) if "result" in said)

    def reject(self, item):
        self.protocol.notify("foretell/didReject", {"id": item.command.arguments[0]})

    async def until(self, is_so, what):
        """Reads what the server says until something is so."""
        begun = time.monotonic()
        while not is_so():
            assert time.monotonic() - begun < PATIENCE, f"it never became so: {what}"
            await asyncio.sleep(0.01)

    async def is_killed(self):
        """The server dies, and the client notices."""
        os.kill(self.client._server.pid, signal.SIGKILL)
        await asyncio.wait_for(self.client._server.wait(), PATIENCE)
        await self.until(lambda: self.client.stopped, "the client notices")
        self.has_understood()

    async def leave(self):
        """Ends the session as a client should, and says with what status the server ended."""
        await asyncio.wait_for(self.client.shutdown_session(), PATIENCE)
        status = self.client._server.returncode
        await self.client.stop()
        self.has_understood()
        return status

    def has_understood(self):
        """That every word was as the standard has it, and every answer the only one."""
        assert not self.protocol.faults, self.protocol.faults
        assert len(set(self.protocol.answered)) == len(self.protocol.answered)


async def error_of(question):
    """The code of the error that a question is answered with."""
    try:
        answer = await asyncio.wait_for(question, PATIENCE)
    except JsonRpcException as error:
        return error.code
    raise AssertionError(f"an error was to come, not {answer}")
