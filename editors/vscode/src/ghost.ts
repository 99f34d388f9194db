// Ghost text: what is drawn at the cursor. VS Code asks and draws; here is what it does not do.
//
// - A request that the server asked for (`foretell/trigger`) is told as automatic, whatever VS Code
//   calls it: the person asked nothing.
// - Escape while a suggestion is visible rejects it, for good. VS Code's stable API has no event for
//   that, nor for being shown, ignored, or taken in part, so these are seen from outside: shown is what
//   VS Code was handed to draw and did not take back; ignored is what stopped fitting the place of the
//   cursor; part of one is taken by commands of our own around VS Code's.
//
// Absent on purpose: any opinion of what is worth showing. VS Code gets exactly the server's answer.
import {
  commands,
  Disposable,
  type InlineCompletionItem,
  InlineCompletionTriggerKind,
  type Position,
  Range,
  type SnippetString,
  type TextDocument,
  type TextEditor,
  window,
} from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { type Following, followedEditor } from "./following";
import type { Pause } from "./pause";
import type { Rejections } from "./rejections";
import type { Server } from "./server";

/** Set while something of ours may be visible: keys are bound to it. */
const OFFERED = "foretell.offered";

/** VS Code runs it when the person accepts a suggestion. */
const ACCEPTED = "foretell.internal.accepted";

/** The suggestion that VS Code was given to draw. */
interface Offered {
  readonly document: TextDocument;
  readonly range: Range;
  readonly text: string;
  /** The names of all that it may be: more than one only if the person asked for all there is. */
  readonly ids: readonly [string, ...string[]];
}

export class GhostText implements Disposable {
  #offered: Offered | undefined;
  /** A document that the server wants to be asked about, until VS Code asks. */
  #triggered: { readonly document: TextDocument; readonly isLate: boolean } | undefined;
  /** Whether this VS Code is known to ask as it is told to. */
  #asksQuietly = false;
  /** Counts questions, so that the latest is known to be that. */
  #asked = 0;
  /** Counts what was rejected, so that an answer that was under way is known to be older. */
  #rejected = 0;
  readonly #listening: Disposable;

  constructor(
    private readonly server: Server,
    following: Following,
    private readonly pause: Pause,
    private readonly rejections: Rejections,
    private readonly extensionId: string,
    /** Told when something of ours comes or goes. */
    private readonly changed: () => void,
    /** Told when the person asks: what cannot be ghost text may be a next edit. */
    private readonly personAsked: () => void,
  ) {
    this.#listening = Disposable.from(
      window.onDidChangeTextEditorSelection(() => this.#endUnlessItStands()),
      following.onDidTellChange(() => this.#endUnlessItStands()),
      window.onDidChangeActiveTextEditor(() => this.#endUnlessItStands()),
      // VS Code hides it when another window comes to the front.
      window.onDidChangeWindowState(({ focused }) => {
        if (!focused) this.#ignore();
      }),
      pause.onDidChange(() => this.#hideIfPaused()),
      server.onDidChange(({ kind }) => {
        if (kind === "running" || this.#end() === undefined) return;
        void commands.executeCommand("editor.action.inlineSuggest.hide");
      }),
      commands.registerCommand(ACCEPTED, (id: string, life: number) => this.#accepted(id, life)),
      commands.registerCommand("foretell.reject", () => this.#reject()),
      commands.registerCommand("foretell.acceptWord", () =>
        this.#acceptPart("editor.action.inlineSuggest.acceptNextWord"),
      ),
      commands.registerCommand("foretell.acceptLine", () =>
        this.#acceptPart("editor.action.inlineSuggest.acceptNextLine"),
      ),
    );
  }

  /** Whether something of ours may be visible. */
  get isOffered(): boolean {
    return this.#offered !== undefined;
  }

  /** Has VS Code ask, because the server wants it to. */
  async trigger({ document }: TextEditor, { isLate }: { isLate: boolean }): Promise<void> {
    const mine = { document, isLate };
    this.#triggered = mine;
    // This asks us, and not as the person would: a VS Code that is told to snooze goes on to. Older
    // ones know neither argument, and ask as the person would, so what comes is looked at as well.
    // But where VS Code has been answered already it does not ask again by itself, so that what comes
    // late is asked for as the person would.
    const quietly = { explicit: isLate, providerId: `${this.extensionId}:*` };
    try {
      await commands.executeCommand("editor.action.inlineSuggest.trigger", quietly);
    } finally {
      if (this.#triggered === mine) this.#triggered = undefined;
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Passes a question of VS Code's on, and the answer back. */
  readonly provide: NonNullable<Middleware["provideInlineCompletionItems"]> = async (
    document,
    position,
    context,
    token,
    next,
  ) => {
    const isLate = this.#triggered?.document === document && this.#triggered.isLate;
    const triggerKind = this.#kindOf(document, context.triggerKind);
    if (this.pause.isPaused(document)) return [];
    if (triggerKind === InlineCompletionTriggerKind.Invoke) this.personAsked();
    const { life } = this.server;
    const rejected = this.#rejected;
    const mine = ++this.#asked;
    let answer: Awaited<ReturnType<typeof next>>;
    try {
      answer = await next(document, position, { ...context, triggerKind }, token);
    } catch (fault) {
      // VS Code has nothing to draw then, unless it has asked again.
      if (mine === this.#asked) this.#ignore();
      throw fault;
    }
    if (token.isCancellationRequested) return answer;
    // Meanwhile it may have been rejected, or its server has ended.
    const isOver = rejected !== this.#rejected || life !== this.server.life;
    if (isOver || this.pause.isPaused(document) || hasLeft(document, position)) return [];
    const all = Array.isArray(answer) ? answer : (answer?.items ?? []);
    // VS Code draws nothing of what takes something away: that is shown as a next edit.
    const items = all.filter(({ range, insertText }) => {
      return range === undefined || isPutIn(document.getText(range), textOf(insertText));
    });
    const isExplicit = triggerKind === InlineCompletionTriggerKind.Invoke;
    // While a popup is open VS Code draws only what goes on from the item that is chosen there.
    const chosen = context.selectedCompletionInfo?.text ?? "";
    const before = this.#offered;
    this.#offer(document, position, items, { isExplicit, chosen });
    if (isLate && contradicts(before, this.#offered, position)) void this.#drawAnew(document);
    return items;
  };

  /**
   * Has VS Code draw what came late in place of what is drawn, which it keeps for as long as that fits. It asks
   * once more for it, which costs no call: the answer is known.
   */
  async #drawAnew(document: TextDocument): Promise<void> {
    await commands.executeCommand("editor.action.inlineSuggest.hide");
    const editor = followedEditor();
    if (this.#offered === undefined || editor?.document !== document) return;
    await this.trigger(editor, { isLate: true });
  }

  /** Whether the person asks, or the editor by itself or for the server's trigger. */
  #kindOf(document: TextDocument, told: InlineCompletionTriggerKind): InlineCompletionTriggerKind {
    if (this.#triggered?.document !== document) return told;
    const { isLate } = this.#triggered;
    this.#triggered = undefined;
    if (isLate) return InlineCompletionTriggerKind.Automatic;
    // One that has once asked quietly does so always: what it says of the person is true.
    this.#asksQuietly ||= told === InlineCompletionTriggerKind.Automatic;
    return this.#asksQuietly ? told : InlineCompletionTriggerKind.Automatic;
  }

  #offer(
    document: TextDocument,
    position: Position,
    items: InlineCompletionItem[],
    { isExplicit, chosen }: { isExplicit: boolean; chosen: string },
  ): void {
    // The next server gives the same names to others.
    const { life } = this.server;
    const ids = items.flatMap((item) => {
      const id: unknown = item.command?.arguments?.[0];
      if (typeof id !== "string") return [];
      item.command = { command: ACCEPTED, title: "Accept", arguments: [id, life] };
      return [id];
    });
    const [first] = items;
    const [id, ...others] = ids;
    const range = first?.range;
    const text = textOf(first?.insertText);
    const isDrawn =
      range !== undefined &&
      text.startsWith(chosen) &&
      isPutIn(document.getText(range), text) &&
      typedOf({ document, range, text }, position) !== undefined;
    if (!isDrawn || id === undefined) {
      this.#end();
      return;
    }
    // The person may cycle through all suggestions, and VS Code does not tell which one they see.
    const all = isExplicit ? others : [];
    this.#begin({ document, range, text, ids: [id, ...all] });
    this.server.notify("foretell/didShow", { id });
  }

  /** Rejects what is visible, for good. */
  async #reject(): Promise<void> {
    const offered = this.#end();
    this.#rejected += 1;
    for (const id of offered?.ids ?? []) this.server.notify("foretell/didReject", { id });
    await commands.executeCommand("editor.action.inlineSuggest.hide");
    if (offered !== undefined) await this.rejections.refresh();
  }

  #accepted(id: string, life: number): void {
    this.#end();
    if (life === this.server.life) this.server.notify("foretell/didAccept", { id });
  }

  async #acceptPart(command: string): Promise<void> {
    const offered = this.#offered;
    await commands.executeCommand(command);
    const editor = followedEditor();
    // A suggestion accepted whole has been reported already.
    if (offered === undefined || offered !== this.#offered || editor === undefined) return;
    const taken = standingOf(offered, editor);
    if (taken === undefined || taken.length === 0) return;
    const [id] = offered.ids;
    this.server.notify("foretell/didAccept", { id, acceptedLength: taken.length });
  }

  #endUnlessItStands(): void {
    const editor = followedEditor();
    if (this.#offered === undefined) return;
    if (editor !== undefined && standingOf(this.#offered, editor) !== undefined) return;
    this.#ignore();
  }

  #hideIfPaused(): void {
    const offered = this.#offered;
    if (offered === undefined || !this.pause.isPaused(offered.document)) return;
    this.#ignore();
    void commands.executeCommand("editor.action.inlineSuggest.hide");
  }

  /** It is gone, neither accepted nor rejected. */
  #ignore(): void {
    const offered = this.#end();
    if (offered !== undefined) this.server.notify("foretell/didIgnore", { id: offered.ids[0] });
  }

  #begin(offered: Offered): void {
    const isFirst = this.#offered === undefined;
    this.#offered = offered;
    if (isFirst) void commands.executeCommand("setContext", OFFERED, true);
    this.changed();
  }

  #end(): Offered | undefined {
    const offered = this.#offered;
    this.#offered = undefined;
    if (offered !== undefined) {
      void commands.executeCommand("setContext", OFFERED, false);
      this.changed();
    }
    return offered;
  }
}

/** Whether a suggestion says something else than the one before, so that neither goes on from the other. */
function contradicts(before: Offered | undefined, now: Offered | undefined, at: Position): boolean {
  if (before === undefined || before.document !== now?.document) return false;
  const [typed, typedNow] = [typedOf(before, at), typedOf(now, at)];
  if (typed === undefined || typedNow === undefined) return false;
  const rest = before.text.slice(typed.length);
  const restNow = now.text.slice(typedNow.length);
  return !rest.startsWith(restNow) && !restNow.startsWith(rest);
}

/** The typed part of a suggestion at an editor's cursor, or nothing if it is not drawn there. */
function standingOf(offered: Offered, { document, selections }: TextEditor): string | undefined {
  const [cursor, ...others] = selections;
  const isOne = document === offered.document && others.length === 0 && cursor?.isEmpty === true;
  return isOne ? typedOf(offered, cursor.active) : undefined;
}

/**
 * The typed part of a suggestion before a place, or nothing if VS Code does not draw it there.
 *
 * It draws what goes on from what is there: a suggestion that changes something in front of the cursor
 * is no ghost text. One behind the cursor is, where only brackets and the like are in between.
 */
function typedOf(
  { document, range, text }: Omit<Offered, "ids">,
  at: Position,
): string | undefined {
  if (at.isBefore(range.start)) {
    const between = document.getText(new Range(at, range.start));
    return /^[^\p{L}\p{N}\s]*$/u.test(between) ? "" : undefined;
  }
  const typed = document.getText(new Range(range.start, at));
  // Suggestions have line ends of their own.
  const same = text.includes("\r") ? typed : typed.replaceAll("\r\n", "\n");
  return text.startsWith(same) ? same : undefined;
}

/** Whether a text becomes another by putting something in, and nothing else. VS Code draws only that. */
function isPutIn(text: string, into: string): boolean {
  let at = 0;
  for (const character of text) {
    const found = into.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}

function textOf(text: string | SnippetString | undefined): string {
  return typeof text === "string" ? text : (text?.value ?? "");
}

/** Whether the cursor has gone back from a place: VS Code may not have taken its question back by then. */
function hasLeft(document: TextDocument, place: Position): boolean {
  const editor = followedEditor();
  if (editor?.document !== document) return false;
  const cursor = editor.selection.active;
  return cursor.line !== place.line || cursor.isBefore(place);
}
