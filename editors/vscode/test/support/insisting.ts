// Asks for a suggestion as a person who insists, and hears what the server answers to that.
//
// It is apart because it needs both sides: a key of the editor, and what was said upon it.
import { KEYS } from "./code-server";
import type { Editor } from "./editor";
import type { Said } from "./messages";
import { until } from "./until";

/** The `triggerKind` of a request: 1 the person, 2 the editor by itself. */
export function kindOf({ message }: Said): unknown {
  return (message.params?.context as { triggerKind?: number } | undefined)?.triggerKind;
}

/** The server's answer to a person who insists. */
export async function insisted(editor: Editor): Promise<unknown[]> {
  return until("answer to who insists", async () => {
    const since = editor.messages.now();
    await editor.press(KEYS.askForSuggestion);
    const isTheirs = (it: Said) => kindOf(it) === 1;
    const asked = await editor.messages.until("textDocument/inlineCompletion", isTheirs, { since });
    await editor.messages.answer(asked);
    // A question of the editor's own may overtake it. That is answered by an error, and asked again.
    return itemsFor(editor, asked);
  });
}

/** The same in a window that was just opened since, and may not have all its keys yet. */
export async function insistedInNewWindow(editor: Editor, since: number): Promise<unknown[]> {
  return until("answer to who insists", async () => {
    await editor.press(KEYS.askForSuggestion);
    await editor.frame();
    // While it is asked, VS Code does not ask again, so that it is the first of several keys that counts.
    const asked = editor.messages.of("textDocument/inlineCompletion", since);
    const items = asked.filter((it) => kindOf(it) === 1).map((it) => itemsFor(editor, it));
    return items.find((it) => it !== undefined);
  });
}

function itemsFor(editor: Editor, asked: Said): unknown[] | undefined {
  const result = editor.messages.answered(asked)?.message.result;
  return (result as { items: unknown[] } | undefined)?.items;
}
