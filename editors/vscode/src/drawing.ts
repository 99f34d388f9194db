// How a next edit is drawn: what goes is struck out where it is, what comes stands behind it, and a
// label at the end of the cursor's line says where it is and what Tab does.
//
// Only drawing: nothing here knows the server, and nothing is decided here.
import { diffWordsWithSpace } from "diff";
import {
  type DecorationOptions,
  type Disposable,
  MarkdownString,
  OverviewRulerLane,
  Position,
  Range,
  type TextEditor,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import type { NextEdit, TabDoes } from "./nextEdits";

/** More than this is cut off with an ellipsis; pointing at it shows the whole. */
const LONGEST_DRAWN = 160;
const LONGEST_LABEL = 60;
/** What is said to one Tab too many. */
const NO_MORE = "no more next edits";
/** Behind the end of every line. */
const FURTHEST = 2 ** 30 - 1;
/** How many columns a window shows at least, beside a side bar: VS Code does not tell. */
const COLUMNS = 100;
/** How many columns are between a line and its label. */
const GAP = 4;
/** How far from the cursor's line a label may stand. */
const LABEL_LINES = 2;
/** Texts that differ in more words than this are drawn as wholly different. */
const MOST_DIFFERENCES = 400;

export class Drawing implements Disposable {
  readonly #goes = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor("diffEditor.removedTextBackground"),
    textDecoration: "line-through",
    overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: OverviewRulerLane.Right,
  });
  readonly #comes = window.createTextEditorDecorationType({
    overviewRulerColor: new ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: OverviewRulerLane.Right,
  });
  readonly #label = window.createTextEditorDecorationType({});
  /** The last drawing, so that it is not drawn again at every move of the cursor. */
  #drawn: { edit: NextEdit | undefined; editors: readonly TextEditor[] } = {
    edit: undefined,
    editors: [],
  };
  /** How it was put in short for the label: the cursor moves, and that stays. */
  #short: { readonly edit: NextEdit; readonly words: string } | undefined;
  #labelled: { editor: TextEditor; line: number; words: string } | undefined;

  /** Draws an edit, or nothing, and the label at the cursor of an editor. */
  draw(edit: NextEdit | undefined, editor: TextEditor | undefined, does: TabDoes): void {
    this.#drawEdit(edit);
    this.#drawLabel(edit, editor, does);
  }

  dispose(): void {
    for (const type of [this.#goes, this.#comes, this.#label]) type.dispose();
  }

  #drawEdit(edit: NextEdit | undefined): void {
    const editors = window.visibleTextEditors.filter((it) => it.document === edit?.document);
    const { edit: before, editors: drawnIn } = this.#drawn;
    const isThere =
      editors.length === drawnIn.length && editors.every((it) => drawnIn.includes(it));
    if (edit === before && isThere) return;
    const marks = edit && marksOf(edit);
    for (const editor of new Set([...drawnIn, ...editors])) {
      const isHere = editors.includes(editor);
      editor.setDecorations(this.#goes, isHere ? (marks?.goes ?? []) : []);
      editor.setDecorations(this.#comes, isHere ? (marks?.comes ?? []) : []);
    }
    this.#drawn = { edit, editors };
  }

  #drawLabel(edit: NextEdit | undefined, editor: TextEditor | undefined, does: TabDoes): void {
    const before = this.#labelled;
    const at = editor?.selection.active;
    if (edit !== undefined && edit !== this.#short?.edit) {
      this.#short = { edit, words: inShort(edit) };
    }
    const told = edit && editor && formsOf(edit, editor, does, this.#short?.words ?? "");
    const forms = does === "nothing" ? [NO_MORE] : (told ?? []);
    const place = editor && at && placeOf(forms, editor, at.line);
    if (editor === undefined || place === undefined) {
      before?.editor.setDecorations(this.#label, []);
      this.#labelled = undefined;
      return;
    }
    const { line, words: drawn } = place;
    if (before?.editor === editor && before.line === line && before.words === drawn) return;
    if (before !== undefined && before.editor !== editor)
      before.editor.setDecorations(this.#label, []);
    editor.setDecorations(this.#label, [labelAt(line, drawn)]);
    this.#labelled = { editor, line, words: drawn };
  }
}

/** Where a label is in sight: behind the cursor's line, in as many words as fit, or behind one near it. */
function placeOf(
  forms: readonly string[],
  { document, options, visibleRanges }: TextEditor,
  cursorLine: number,
): { line: number; words: string } | undefined {
  const tab = " ".repeat(Number(options.tabSize) || 4);
  const fits = (line: number, words: string) => {
    const { text } = document.lineAt(line);
    return text.replaceAll("\t", tab).length + words.length + GAP <= COLUMNS;
  };
  const here = forms.find((words) => fits(cursorLine, words));
  if (here !== undefined) return { line: cursorLine, words: here };
  const isInSight = (line: number) =>
    visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
  for (let distance = 1; distance <= LABEL_LINES; distance += 1) {
    for (const line of [cursorLine + distance, cursorLine - distance]) {
      if (line < 0 || line >= document.lineCount || !isInSight(line)) continue;
      const arrow = line < cursorLine ? "↓" : "↑";
      const words = forms.map((it) => `${arrow} ${it}`).find((it) => fits(line, it));
      if (words !== undefined) return { line, words };
    }
  }
  return undefined;
}

/**
 * A label behind a line. VS Code draws what was said of an older text: where the line ends is found
 * when it is drawn, so that a label never stands inside of what was typed meanwhile.
 */
function labelAt(line: number, words: string): DecorationOptions {
  const end = new Position(line, FURTHEST);
  const after = {
    contentText: words,
    color: new ThemeColor("editorCodeLens.foreground"),
    margin: "0 0 0 2em",
  };
  return { range: new Range(end, end), renderOptions: { after } };
}

/** What a label says, in ever fewer words. */
function formsOf(edit: NextEdit, editor: TextEditor, does: TabDoes, short: string): string[] {
  const key = does === "indent" ? "" : "⇥ Tab: ";
  if (does === "accept") return [`${key}accept`];
  const [first, last] = [edit.range.start.line + 1, edit.range.end.line + 1];
  const lines = first === last ? `line ${first}` : `lines ${first}–${last}`;
  const isHere = edit.document === editor.document;
  const place = isHere ? lines : `${workspace.asRelativePath(edit.document.uri)}:${first}`;
  return [`${key}next edit, ${place}: ${short}`, `${key}next edit, ${place}`, `${key}${place}`];
}

/** Describes an edit in a few words of the code itself. */
function inShort(edit: NextEdit): string {
  const { oldText, newText } = inWholeWords(edit);
  const parts = compare(oldText, newText);
  const gone = parts.find((it) => it.removed)?.value ?? "";
  const come = parts.find((it) => it.added)?.value ?? "";
  const words = [gone, come].map((it) => onOneLine(it.trim(), LONGEST_LABEL / 2));
  return gone === "" ? `+ ${words[1]}` : come === "" ? `- ${words[0]}` : words.join(" → ");
}

function marksOf(edit: NextEdit): { goes: DecorationOptions[]; comes: DecorationOptions[] } {
  const { document, range, oldText, newText } = inWholeWords(edit);
  const hoverMessage = new MarkdownString().appendCodeblock(newText, document.languageId);
  const goes: DecorationOptions[] = [];
  const comes: DecorationOptions[] = [];
  let offset = document.offsetAt(range.start);
  let hasGone = false;
  for (const part of compare(oldText, newText)) {
    const start = document.positionAt(offset);
    if (part.added) {
      const after = {
        contentText: onOneLine(part.value, LONGEST_DRAWN),
        // Themes of high contrast have no colour of their own for ghost text.
        color: new ThemeColor("editor.foreground"),
        fontStyle: "italic",
        backgroundColor: new ThemeColor("diffEditor.insertedTextBackground"),
        // So that the old and the new are two words.
        ...(hasGone ? { margin: "0 0 0 0.4ch" } : {}),
      };
      comes.push({ range: new Range(start, start), hoverMessage, renderOptions: { after } });
      hasGone = false;
      continue;
    }
    hasGone = part.removed;
    offset += part.value.length;
    if (part.removed)
      goes.push({ range: new Range(start, document.positionAt(offset)), hoverMessage });
  }
  return { goes, comes };
}

/** The same edit, with the rest of the words at its ends: people read words. */
function inWholeWords(edit: NextEdit): NextEdit {
  const { document, range, oldText, newText } = edit;
  const before = document.lineAt(range.start.line).text.slice(0, range.start.character);
  const behind = document.lineAt(range.end.line).text.slice(range.end.character);
  const head = /[\p{L}\p{N}_$]*$/u.exec(before)?.[0] ?? "";
  const tail = /^[\p{L}\p{N}_$]*/u.exec(behind)?.[0] ?? "";
  return {
    ...edit,
    range: new Range(range.start.translate(0, -head.length), range.end.translate(0, tail.length)),
    oldText: head + oldText + tail,
    newText: head + newText + tail,
  };
}

interface Part {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

/** Kept, removed and added parts, in order; a removed part stands before the one that replaces it. */
function compare(oldText: string, newText: string): readonly Part[] {
  const parts = diffWordsWithSpace(oldText, newText, { maxEditLength: MOST_DIFFERENCES });
  return (
    parts ?? [
      { value: oldText, added: false, removed: true },
      { value: newText, added: true, removed: false },
    ]
  );
}

/** A text as far as it fits on one line, with signs for what does not show there. */
function onOneLine(text: string, longest: number): string {
  const shown = text
    .replaceAll(/\r\n|\r|\n/g, "⏎")
    .replaceAll(" ", "\u00a0")
    .replaceAll("\t", "\u00a0\u00a0");
  const characters = [...shown];
  return characters.length <= longest ? shown : `${characters.slice(0, longest).join("")}…`;
}
