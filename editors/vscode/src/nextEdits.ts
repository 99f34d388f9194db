// Next edits: what to change next, here or elsewhere. Tab goes there, Tab again does it, Escape rejects.
//
// VS Code's stable API draws suggestions at the cursor only, so these are asked for, drawn and taken
// here. The server is asked after every change and whenever it wants to be; what it answers is drawn
// until it answers something else.
//
// A change of the text puts what is drawn in doubt until the server has answered for the new text, also
// if it is drawn in another file: what follows from half of a name does not follow from the name. It
// stays where it is for a moment, since the answer mostly comes at once, but Tab leaves it alone.
//
// Tab is the person's. It is ours only while the label at the cursor says so, which is never in leading
// white space, where Tab indents, unless it was Tab that brought the cursor there. Key bindings are
// looked up in a state that may be a moment old; so who runs the command without anything to do gets
// the Tab they typed.
import {
  commands,
  Disposable,
  EndOfLine,
  InlineCompletionTriggerKind,
  Position,
  Range,
  Selection,
  type TextDocument,
  type TextDocumentChangeEvent,
  type TextEditor,
  TextEditorRevealType,
  TextEditorSelectionChangeKind,
  window,
  workspace,
} from "vscode";
import { Drawing } from "./drawing";
import { type Following, followedEditor } from "./following";
import type { Pause } from "./pause";
import type { NextEditAnswer, NextEditTold } from "./protocol";
import type { Rejections } from "./rejections";
import type { Server } from "./server";

/** Set while Tab is ours, and while there is something to reject: keys are bound to them. */
const TAB = "foretell.tab";
const DRAWN = "foretell.nextEdit";

/** How long what is drawn may be in doubt before it is taken away, in milliseconds. */
const IN_DOUBT_MS = 120;

/**
 * How long Tab is not the person's yet after the last one was accepted, in milliseconds: hands are faster than
 * eyes. It counts from when it is known that there are no more, which is not waited for longer than that.
 */
const NO_MORE_MS = 1_000;
const LONGEST_WAIT_MS = 3_000;

/** The meaning of Tab: nothing right after the last one was accepted. */
export type TabDoes = "jump" | "accept" | "nothing" | "indent";

/** A next edit, where it is now. */
export interface NextEdit {
  readonly id: string;
  readonly document: TextDocument;
  readonly range: Range;
  readonly oldText: string;
  readonly newText: string;
  /** Where the cursor goes afterwards; at the end of the new text if nothing is said. */
  readonly cursor: Position | undefined;
}

export class NextEdits implements Disposable {
  #edit: NextEdit | undefined;
  /** The edit reported as shown, and its place now, until its end is reported. */
  #shown: { readonly edit: NextEdit; offset: number } | undefined;
  /** Whether the server has said so of the text as it is. */
  #isCertain = false;
  /** Where Tab has brought the cursor, or is about to. */
  #broughtTo: { readonly document: TextDocument; readonly position: Position } | undefined;
  /** Whether it is on the way there. */
  #isOnTheWay = false;
  /** Done when the last Tab has done what it does. */
  #taken: Promise<void> = Promise.resolve();
  /** Counts questions, so that an answer to an older one is known to be one. */
  #asked = 0;
  /** Whether the last question is answered. */
  #isAnswered = true;
  #inDoubt: NodeJS.Timeout | undefined;
  /** Set for a moment after one was accepted: where that has left the cursor. */
  #accepted: { readonly editor: TextEditor; readonly end: NodeJS.Timeout } | undefined;
  readonly #keys = new Map<string, unknown>();
  readonly #drawing = new Drawing();
  readonly #listening: Disposable;

  constructor(
    private readonly server: Server,
    following: Following,
    private readonly pause: Pause,
    private readonly rejections: Rejections,
    /** Whether ghost text is at the cursor, to which Tab belongs then. */
    private readonly hasGhostText: () => boolean,
  ) {
    this.#listening = Disposable.from(
      following.onDidTellChange((event) => this.#textChanged(event)),
      workspace.onDidCloseTextDocument((document) => {
        if (document === this.#edit?.document) this.#answered(undefined);
      }),
      window.onDidChangeTextEditorSelection(({ kind }) => {
        const { Keyboard, Mouse } = TextEditorSelectionChangeKind;
        if (kind === Keyboard || kind === Mouse) this.#endAccepted();
        this.draw();
      }),
      window.onDidChangeVisibleTextEditors(() => this.draw()),
      window.onDidChangeActiveTextEditor(() => this.draw()),
      pause.onDidChange(() => {
        if (this.pause.isPaused(followedEditor()?.document)) this.#answered(undefined);
      }),
      server.onDidChange(({ kind }) => {
        if (kind === "running") return;
        this.#shown = undefined;
        this.#clear();
      }),
      commands.registerCommand("foretell.nextEdit", () => this.#take("person")),
      commands.registerCommand("foretell.internal.tab", () => this.#take("tab")),
      commands.registerCommand("foretell.rejectNextEdit", () => this.#reject()),
      this.#drawing,
    );
  }

  /** Asks what comes next. The cursor is where the last change left it, or where it is. */
  async ask(
    editor: TextEditor,
    position = editor.selection.active,
    triggerKind = InlineCompletionTriggerKind.Automatic,
  ): Promise<void> {
    const mine = ++this.#asked;
    this.#isAnswered = false;
    const { document } = editor;
    if (this.pause.isPaused(document)) return;
    const answer = await this.server.request<NextEditAnswer>("textDocument/copilotInlineEdit", {
      textDocument: { uri: document.uri.toString(), version: document.version },
      position: { line: position.line, character: position.character },
      // The protocol counts from 1.
      context: { triggerKind: triggerKind === InlineCompletionTriggerKind.Invoke ? 1 : 2 },
    });
    if (mine !== this.#asked || answer === undefined) return;
    this.#isAnswered = true;
    this.#answered(this.pause.isPaused(document) ? undefined : answer.edits[0]);
  }

  /** The same because the person asks for all there is. */
  askForPerson(): void {
    const editor = followedEditor();
    if (editor === undefined) return;
    void this.ask(editor, editor.selection.active, InlineCompletionTriggerKind.Invoke);
  }

  /** Draws what there is, for the cursor as it is. */
  draw(): void {
    const editor = followedEditor();
    const does = this.#tabDoes(editor);
    const isHidden = this.#isUnderGhostText(editor) || this.pause.isPaused(editor?.document);
    const edit = isHidden ? undefined : this.#edit;
    if (!this.#isOnTheWay && !this.#isWhereItWasBrought(editor)) this.#broughtTo = undefined;
    this.#key(TAB, does === "indent" ? "" : does);
    // While it is under way what comes next, Tab is kept, and nothing is said yet.
    const isOver = does === "nothing" && this.#isAnswered;
    this.#key(DRAWN, editor !== undefined && edit !== undefined && this.#isCertain);
    // An edit in doubt stays for a moment: a label that comes and goes with every key flickers.
    if (edit !== undefined && !this.#isCertain) return;
    const label = this.hasGhostText() ? undefined : editor;
    this.#drawing.draw(edit, label, does === "nothing" && !isOver ? "indent" : does);
  }

  dispose(): void {
    clearTimeout(this.#inDoubt);
    this.#endAccepted();
    this.#listening.dispose();
  }

  #answered(told: NextEditTold | undefined): void {
    const found = told && placed(told);
    const edit = this.pause.isPaused(found?.document) ? undefined : found;
    this.#show(edit);
    if (edit === undefined) {
      const accepted = this.#accepted;
      if (accepted !== undefined) {
        clearTimeout(accepted.end);
        this.#accepted = { ...accepted, end: this.#endAcceptedIn(NO_MORE_MS) };
      }
      this.#clear();
      return;
    }
    clearTimeout(this.#inDoubt);
    this.#edit = edit;
    this.#isCertain = true;
    this.draw();
  }

  /** Tells what is shown now, and that what was shown is not, unless it is the same by another name. */
  #show(edit: NextEdit | undefined): void {
    const before = this.#shown;
    const offset = edit === undefined ? 0 : edit.document.offsetAt(edit.range.start);
    this.#shown = edit && { edit, offset };
    const isSame =
      before !== undefined &&
      before.edit.document === edit?.document &&
      before.offset === offset &&
      before.edit.newText === edit.newText;
    if (before !== undefined && !isSame) this.#tell("didIgnore", before.edit);
    if (!isSame) this.#broughtTo = undefined;
    if (edit !== undefined && edit.id !== before?.edit.id) this.#tell("didShow", edit);
  }

  #tell(what: "didShow" | "didAccept" | "didReject" | "didIgnore", { id }: NextEdit): void {
    this.server.notify(`foretell/${what}`, { id });
  }

  #textChanged({ document, contentChanges }: TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    const editor = followedEditor();
    if (document === this.#edit?.document || document === editor?.document) this.#doubt();
    const shown = this.#shown;
    if (document === shown?.edit.document) {
      const before = contentChanges.filter((it) => it.rangeOffset + it.rangeLength <= shown.offset);
      for (const it of before) shown.offset += it.text.length - it.rangeLength;
    }
    if (editor?.document !== document) return;
    // The cursor is told of after the change, and it follows what was typed.
    const [only, ...others] = contentChanges;
    const typed = only === undefined || others.length > 0 ? undefined : endOf(document, only);
    void this.ask(editor, typed);
  }

  /** Whether the cursor is where Tab has brought it. */
  #isWhereItWasBrought(editor: TextEditor | undefined): boolean {
    const brought = this.#broughtTo;
    if (brought === undefined || brought.document !== editor?.document) return false;
    return brought.position.isEqual(editor.selection.active);
  }

  /** Whether ghost text is on the very line: two suggestions at one place are none that can be read. */
  #isUnderGhostText(editor: TextEditor | undefined): boolean {
    const edit = this.#edit;
    if (edit === undefined || editor?.document !== edit.document || !this.hasGhostText())
      return false;
    return isAt(edit.range, editor.selection.active);
  }

  /** Leaves what is drawn to the server's next answer, and does not wait for it long. */
  #doubt(): void {
    this.#broughtTo = undefined;
    if (!this.#isCertain) return;
    this.#isCertain = false;
    this.#inDoubt = setTimeout(() => this.#clear(), IN_DOUBT_MS);
    this.draw();
  }

  #endAcceptedIn(millis: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#endAccepted();
      this.draw();
    }, millis);
  }

  #endAccepted(): void {
    clearTimeout(this.#accepted?.end);
    this.#accepted = undefined;
  }

  #tabDoes(editor: TextEditor | undefined): TabDoes {
    const edit = this.#edit;
    const hasJustAccepted = editor !== undefined && this.#accepted?.editor === editor;
    if (hasJustAccepted && (edit === undefined || !this.#isCertain) && !this.hasGhostText())
      return "nothing";
    const [cursor, ...others] = editor?.selections ?? [];
    if (edit === undefined || editor === undefined || !this.#isCertain) return "indent";
    if (cursor?.isEmpty !== true || others.length > 0 || this.hasGhostText()) return "indent";
    const at = cursor.active;
    if (this.pause.isPaused(editor.document)) return "indent";
    if (!this.#isWhereItWasBrought(editor) && isInIndent(editor.document, at)) return "indent";
    const isHere = editor.document === edit.document && isAt(edit.range, at);
    return isHere ? "accept" : "jump";
  }

  /** One after the other: a second Tab means the place to which the first one brings the cursor. */
  #take(by: "tab" | "person"): Promise<void> {
    const taken = this.#taken.then(() => this.#takeNow(by));
    this.#taken = taken.catch(() => undefined);
    return taken;
  }

  /** Does what Tab does. A person who runs the command by name means it, wherever the cursor is. */
  async #takeNow(by: "tab" | "person"): Promise<void> {
    const editor = followedEditor();
    const edit = this.#edit;
    const does = this.#tabDoes(editor);
    if (by === "tab" && does === "nothing") return;
    if (by === "tab" && does === "indent") {
      await commands.executeCommand("tab");
      return;
    }
    if (
      edit === undefined ||
      !this.#isCertain ||
      edit.document.getText(edit.range) !== edit.oldText
    )
      return;
    const at = editor?.selection.active;
    const isHere = editor?.document === edit.document && at !== undefined && isAt(edit.range, at);
    await (isHere ? this.#accept(editor, edit) : this.#jump(edit));
  }

  async #jump({ document, range }: NextEdit): Promise<void> {
    const position = range.start;
    const selection = new Selection(position, position);
    const visible = window.visibleTextEditors.find((it) => it.document === document);
    const column = visible?.viewColumn;
    // We are told of the cursor before we are told that it is there because of us.
    this.#broughtTo = { document, position };
    this.#isOnTheWay = true;
    try {
      const editor = await window.showTextDocument(document, {
        selection,
        ...(column === undefined ? {} : { viewColumn: column }),
      });
      editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    } finally {
      this.#isOnTheWay = false;
      this.draw();
    }
  }

  async #accept(editor: TextEditor, edit: NextEdit): Promise<void> {
    this.#shown = undefined;
    this.#forget();
    const { version } = edit.document;
    const wasDone = await editor.edit((builder) => builder.replace(edit.range, edit.newText));
    this.#tell(wasDone ? "didAccept" : "didIgnore", edit);
    if (!wasDone) {
      this.draw();
      return;
    }
    // If the person has typed on, the cursor is where they want it.
    if (edit.document.version !== version + 1) return;
    this.#endAccepted();
    this.#accepted = { editor, end: this.#endAcceptedIn(LONGEST_WAIT_MS) };
    const start = edit.document.offsetAt(edit.range.start);
    const end = edit.document.positionAt(start + edit.newText.length);
    const cursor = edit.cursor === undefined ? end : edit.document.validatePosition(edit.cursor);
    editor.selection = new Selection(cursor, cursor);
    // A model may lead the person to a line that is not in view.
    if (edit.cursor !== undefined) editor.revealRange(editor.selection);
  }

  async #reject(): Promise<void> {
    const edit = this.#edit;
    // The key was looked up in a state that may be a moment old.
    if (followedEditor() === undefined) return;
    // An answer that is on its way may be the very same.
    this.#asked += 1;
    this.#shown = undefined;
    this.#clear();
    if (edit === undefined) return;
    this.#tell("didReject", edit);
    await this.rejections.refresh();
  }

  /** Takes away what is drawn. */
  #clear(): void {
    this.#forget();
    this.draw();
  }

  #forget(): void {
    clearTimeout(this.#inDoubt);
    this.#edit = undefined;
    this.#isCertain = false;
  }

  #key(name: string, value: unknown): void {
    if (this.#keys.get(name) === value) return;
    this.#keys.set(name, value);
    void commands.executeCommand("setContext", name, value);
  }
}

/** An edit in its document, if that is open and as the server knows it. */
function placed({
  text,
  textDocument,
  range,
  cursor,
  command,
}: NextEditTold): NextEdit | undefined {
  const document = workspace.textDocuments.find((it) => it.uri.toString() === textDocument.uri);
  if (document?.version !== textDocument.version) return undefined;
  const { start, end } = range;
  const there = new Range(start.line, start.character, end.line, end.character);
  const oldText = document.getText(there);
  // New text gets the document's line ends, to be compared with its text.
  const newText = text.replaceAll(/\r\n|\r|\n/g, document.eol === EndOfLine.CRLF ? "\r\n" : "\n");
  return {
    id: command.arguments[0],
    document,
    range: there,
    oldText,
    newText,
    cursor: cursor && new Position(cursor.line, cursor.character),
  };
}

/** Where a change has left the cursor, as a rule. */
function endOf(
  document: TextDocument,
  change: { readonly rangeOffset: number; readonly text: string },
): Position {
  return document.positionAt(change.rangeOffset + change.text.length);
}

/** Whether Tab at a place indents: there is nothing but white space in front of it. */
function isInIndent(document: TextDocument, { line, character }: Position): boolean {
  return document.lineAt(line).text.slice(0, character).trim() === "";
}

/** Whether a place is on a line that an edit touches. */
function isAt({ start, end }: Range, { line }: Position): boolean {
  return start.line <= line && line <= end.line;
}
