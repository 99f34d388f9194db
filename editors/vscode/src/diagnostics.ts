// Diagnostics of the document the person is in, and the quick fixes that other extensions have for it.
//
// Diagnostics are told at once; fixes have to be asked for, which takes other extensions a while, so
// they follow. The server knows by the version whether they are still about its text.
//
// Only the document with the focus is told of: nothing is suggested elsewhere on account of a
// diagnostic. Fixes are asked for near the cursor, and by one question at a time: other extensions do
// the work, and the person types meanwhile.
import {
  type CodeAction,
  CodeActionKind,
  commands,
  type Diagnostic,
  Disposable,
  languages,
  Range,
  type TextDocument,
  type TextEditor,
  type Uri,
  window,
} from "vscode";
import { followedEditor } from "./following";
import type { Fix } from "./protocol";
import type { Server } from "./server";

/** How many diagnostics are told: the server takes no more. */
const MOST = 500;
/** How far from the cursor and for how many diagnostics fixes are asked for, the gravest first. */
const LINES_AROUND = 20;
const MOST_ASKED = 10;
/** How many fixes of each other extensions are asked to spell out. */
const MOST_FIXES = 4;

/** A fix that some extension has for a diagnostic. */
interface Found {
  readonly diagnostic: Diagnostic;
  readonly action: CodeAction;
}

export class Diagnostics implements Disposable {
  readonly #listening: Disposable;
  /** The document for which other extensions think about fixes, and whether something new came up there. */
  #asking: TextDocument | undefined;
  #isStale = false;
  /** What stood where each diagnostic was found: VS Code keeps one for a while that is about an older text. */
  readonly #foundIn = new WeakMap<Diagnostic, string>();
  /** The last report: VS Code says that diagnostics changed more often than they do. */
  #last = "";

  constructor(private readonly server: Server) {
    this.#listening = Disposable.from(
      languages.onDidChangeDiagnostics(({ uris }) => {
        const document = followedEditor()?.document;
        if (document === undefined || !uris.some((it) => isSame(it, document.uri))) return;
        if (this.#last !== allOf(document)) this.tell();
      }),
      window.onDidChangeActiveTextEditor(() => this.tell()),
    );
  }

  /** Tells those of the document that the person is in. */
  tell(): void {
    const editor = followedEditor();
    if (editor === undefined) return;
    const all = languages.getDiagnostics(editor.document.uri).slice(0, MOST);
    const diagnostics = all.filter((it) => this.#isOfNow(editor.document, it));
    this.#last = allOf(editor.document);
    this.#send(editor.document, diagnostics, []);
    // Somebody who never answers is waited for in one document only.
    this.#isStale = this.#asking === editor.document;
    if (!this.#isStale) void this.#tellFixes(editor, diagnostics);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Whether a diagnostic is about the text as it is: what leads to its end is what it was when it came. */
  #isOfNow(document: TextDocument, diagnostic: Diagnostic): boolean {
    const { end } = diagnostic.range;
    const text = document.getText(new Range(end.line, 0, end.line, end.character));
    const before = this.#foundIn.get(diagnostic);
    if (before === undefined) this.#foundIn.set(diagnostic, text);
    return before === undefined || before === text;
  }

  async #tellFixes(editor: TextEditor, diagnostics: readonly Diagnostic[]): Promise<void> {
    const { document, selection } = editor;
    const { version } = document;
    const { line } = selection.active;
    const isNear = ({ range }: Diagnostic) => Math.abs(range.start.line - line) <= LINES_AROUND;
    const near = diagnostics.filter(isNear);
    if (near.length === 0) return;
    this.#asking = document;
    const found = await quickFixes(document.uri, near);
    // Meanwhile the person has gone to another document, and others are asked about that.
    if (this.#asking !== document) return;
    this.#asking = undefined;
    if (followedEditor()?.document !== document) return;
    if (this.#isStale) this.tell();
    else if (document.version === version && found.length > 0)
      this.#send(document, diagnostics, found);
  }

  #send(document: TextDocument, diagnostics: readonly Diagnostic[], found: readonly Found[]): void {
    const client = this.server.client;
    if (client === undefined) return;
    const converter = client.code2ProtocolConverter;
    const fixes = found.flatMap(({ diagnostic, action }): Fix[] => {
      // One that only runs a command is no fix that could be shown; one of several files is a choice.
      if (action.edit === undefined) return [];
      const edits = editsIn(action, document.uri) ?? [];
      return [
        {
          diagnostic: converter.asDiagnostic(diagnostic),
          title: action.title,
          isPreferred: action.isPreferred === true,
          edits: edits.map((it) => converter.asTextEdit(it)),
        },
      ];
    });
    this.server.notify("foretell/didChangeDiagnostics", {
      uri: document.uri.toString(),
      version: document.version,
      diagnostics: diagnostics.map((it) => converter.asDiagnostic(it)),
      fixes,
    });
  }
}

/**
 * Asks for each diagnostic by itself: not every fix says what it fixes. One that does not, and is offered
 * at the place of two, is told of both.
 */
async function quickFixes(uri: Uri, diagnostics: readonly Diagnostic[]): Promise<Found[]> {
  const gravest = [...diagnostics].sort((one, other) => one.severity - other.severity);
  const found = gravest.slice(0, MOST_ASKED).map(async (diagnostic) => {
    const actions = await actionsAt(uri, diagnostic.range);
    const its = actions.filter((action) => isFor(action, diagnostic));
    return its.map((action) => ({ diagnostic, action }));
  });
  return (await Promise.all(found)).flat();
}

/** Whether a fix is for a diagnostic, as far as it says. */
function isFor({ diagnostics = [] }: CodeAction, { range, message }: Diagnostic): boolean {
  const isIt = (it: Diagnostic) => it.message === message && it.range.isEqual(range);
  return diagnostics.length === 0 || diagnostics.some(isIt);
}

async function actionsAt(uri: Uri, range: Range): Promise<CodeAction[]> {
  try {
    const actions = await commands.executeCommand<CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri,
      range,
      CodeActionKind.QuickFix.value,
      MOST_FIXES,
    );
    return actions.slice(0, MOST_FIXES);
  } catch {
    // Some other extension failed, and that is between it and the person.
    return [];
  }
}

/** The edits of a fix, if it changes this document only. */
function editsIn(action: CodeAction, uri: Uri) {
  const entries = action.edit?.entries() ?? [];
  const [only] = entries;
  return entries.length === 1 && only !== undefined && isSame(only[0], uri) ? only[1] : undefined;
}

/** All that is said of a document, and of which text. */
function allOf({ uri, version }: TextDocument): string {
  return JSON.stringify([uri, version, languages.getDiagnostics(uri)]);
}

function isSame(one: Uri, other: Uri): boolean {
  return one.toString() === other.toString();
}
