// Tells the server about the editor besides the text: where the cursor is, which document has the focus,
// that a change is an undo or comes with saving. Facts only, each as it happens.
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
import type { Pause } from "./pause";
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

/** How long what a formatter does at a save is waited for, in milliseconds: as long as VS Code waits itself. */
const SAVING_MS = 2_000;

export class Following implements Disposable {
  readonly #listening: Disposable;
  /** The documents that are being saved, and since when. */
  readonly #saving = new Map<string, number>();
  readonly #told = new EventEmitter<TextDocumentChangeEvent>();
  /** A change of a followed document that the server has been told of: what is said now comes after it. */
  readonly onDidTellChange = this.#told.event;

  /** The documents that the server was told to be paused. */
  readonly #paused = new Set<string>();

  constructor(
    private readonly server: Server,
    private readonly pause: Pause,
  ) {
    this.#listening = Disposable.from(
      pause.onDidChange(() => this.look()),
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === followedEditor()) this.#select(textEditor);
      }),
      window.onDidChangeActiveTextEditor(() => this.look()),
      workspace.onWillSaveTextDocument(({ document }) => {
        this.#saving.set(document.uri.toString(), Date.now());
      }),
      workspace.onDidSaveTextDocument(({ uri }) => this.#saving.delete(uri.toString())),
      workspace.onDidCloseTextDocument(({ uri }) => this.#saving.delete(uri.toString())),
    );
  }

  /** Says what the person looks at, and where the cursor is there. */
  look(): void {
    const editor = followedEditor();
    if (editor === undefined) return;
    const uri = editor.document.uri.toString();
    this.#tellPause(editor.document, uri);
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

  /** Says of a change that it is an undo or a redo, or that nobody typed it, just before it is told. */
  readonly didChange: NonNullable<Middleware["didChange"]> = (event, next) => {
    const reason = this.#reasonOf(event);
    if (reason !== undefined) {
      const { uri, version } = event.document;
      const textDocument = { uri: uri.toString(), version };
      this.server.notify("foretell/willChange", { textDocument, reason });
    }
    const sent = next(event);
    this.#told.fire(event);
    return sent;
  };

  /** Says whether a document is paused: a model on this machine would read it ahead of time. */
  #tellPause(document: TextDocument, uri: string): void {
    const paused = this.pause.isPaused(document);
    if (!paused && !this.#paused.delete(uri)) return;
    if (paused) this.#paused.add(uri);
    this.server.notify("foretell/didPause", { textDocument: { uri }, paused });
  }

  #reasonOf(event: TextDocumentChangeEvent): "undo" | "redo" | "other" | undefined {
    if (event.reason === TextDocumentChangeReason.Undo) return "undo";
    if (event.reason === TextDocumentChangeReason.Redo) return "redo";
    const since = this.#saving.get(event.document.uri.toString());
    return since !== undefined && Date.now() - since < SAVING_MS ? "other" : undefined;
  }

  #select({ document, selections }: TextEditor): void {
    const textDocument = { uri: document.uri.toString(), version: document.version };
    this.server.notify("foretell/didChangeSelection", {
      textDocument,
      selections: selections.map(({ start, end }) => ({ start, end })),
    });
  }
}
