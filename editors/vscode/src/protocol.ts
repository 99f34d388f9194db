// The messages between client and server beyond LSP: docs/lsp.md, "Our own methods".
//
// Types only: nothing here does anything. Positions are LSP's, and count UTF-16 units as VS Code does.
import type { Diagnostic, Position, Range, TextEdit } from "vscode-languageclient/node";

/** The number of the protocol that this extension was written for. */
export const PROTOCOL = 1;

export interface DocumentAt {
  readonly uri: string;
  readonly version: number;
}

/** `foretell/trigger`: ask now, as an automatic request. */
export interface Trigger {
  readonly textDocument: DocumentAt;
  readonly position: Position;
  readonly cause: string;
}

/** `foretell/resync`: send the whole text again. */
export interface Resync {
  readonly uri: string;
}

/** `foretell/didChangeStatus`: how the server is doing. */
export interface ServerStatus {
  readonly kind: "quiet" | "working" | "resting" | "error";
  readonly message: string;
  /** How far a model server is with a long prompt; the message says it in words. */
  readonly reading?: { readonly tokens: number; readonly seconds?: number };
}

/** The answer to `textDocument/copilotInlineEdit`. */
export interface NextEditAnswer {
  readonly edits: readonly NextEditTold[];
}

export interface NextEditTold {
  readonly text: string;
  readonly textDocument: DocumentAt;
  readonly range: Range;
  /** Where the cursor goes afterwards, in the text with the edit, if a model has said so. */
  readonly cursor?: Position;
  readonly command: { readonly arguments: readonly [string] };
}

/** An edit that some other extension has for a diagnostic. */
export interface Fix {
  readonly diagnostic: Diagnostic;
  readonly title: string;
  /** Whether it is the one to take, as the tool that found the fault says. */
  readonly isPreferred: boolean;
  /** Nothing if it changes more than this document. */
  readonly edits: readonly TextEdit[];
}

/** The answer to `foretell/why`, `foretell/status` and `foretell/sent`: words for people. */
export interface Told {
  readonly text: string;
}

/** The answer to `foretell/rejections` and `foretell/forget`. */
export interface RejectionsTold {
  readonly rejections: readonly Rejection[];
}

/** A rejection. All but these fields is the server's business, and is given back as it came. */
export interface Rejection {
  readonly id: number;
  readonly uri: string;
  readonly awake: boolean;
  readonly text: string;
}
