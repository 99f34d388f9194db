// Tells the server about the editor besides the text: where the cursor is, which document has the focus,
// that a change is an undo. Facts only, each as it happens.
//
// The text itself is told by the language client. Documents of other kinds than files and new ones
// (the old side of a diff, output, notebook cells) are none of the server's.
import {
  Disposable,
  EventEmitter,
  languages,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  type TextEditor,
  window,
  workspace,
} from "vscode";
import { DidChangeTextDocumentNotification, type Middleware } from "vscode-languageclient/node";
import type { Resync } from "./protocol";
import type { Server } from "./server";

export const FOLLOWED = [{ scheme: "file" }, { scheme: "untitled" }];

export function isFollowed(document: TextDocument): boolean {
  return languages.match(FOLLOWED, document) > 0;
}

/** The editor that has the focus, if its document is followed. */
export function followedEditor(): TextEditor | undefined {
  const editor = window.activeTextEditor;
  return editor !== undefined && isFollowed(editor.document) ? editor : undefined;
}

export class Following implements Disposable {
  readonly #listening: Disposable;
  readonly #told = new EventEmitter<TextDocumentChangeEvent>();
  /** A change of a followed document that the server has been told of: what is said now comes after it. */
  readonly onDidTellChange = this.#told.event;

  constructor(private readonly server: Server) {
    this.#listening = Disposable.from(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === followedEditor()) this.#select(textEditor);
      }),
      window.onDidChangeActiveTextEditor(() => this.look()),
    );
  }

  /** Says what the person looks at, and where the cursor is there. */
  look(): void {
    const editor = followedEditor();
    if (editor === undefined) return;
    const uri = editor.document.uri.toString();
    this.server.notify("foretell/didFocus", { textDocument: { uri } });
    this.#select(editor);
  }

  /** Sends the whole text of a document again. */
  resync({ uri }: Resync): void {
    const document = workspace.textDocuments.find((it) => it.uri.toString() === uri);
    const client = this.server.client;
    if (document === undefined || client === undefined || !isFollowed(document)) return;
    const textDocument = { uri, version: document.version };
    const contentChanges = [{ text: document.getText() }];
    this.server.notify(DidChangeTextDocumentNotification.method, { textDocument, contentChanges });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#told.dispose();
  }

  /** Says of a change that it is an undo or a redo, just before it is told. */
  readonly didChange: NonNullable<Middleware["didChange"]> = (event, next) => {
    if (event.reason !== undefined) {
      const reason = event.reason === TextDocumentChangeReason.Undo ? "undo" : "redo";
      const { uri, version } = event.document;
      const textDocument = { uri: uri.toString(), version };
      this.server.notify("foretell/willChange", { textDocument, reason });
    }
    const sent = next(event);
    this.#told.fire(event);
    return sent;
  };

  #select({ document, selections }: TextEditor): void {
    const textDocument = { uri: document.uri.toString(), version: document.version };
    this.server.notify("foretell/didChangeSelection", {
      textDocument,
      selections: selections.map(({ start, end }) => ({ start, end })),
    });
  }
}
