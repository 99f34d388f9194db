// Reads the page: the lines as they are drawn, ghost text, decorations, messages.
//
// `installEyes` is the one function that runs in the browser. It is handed over as text, so it refers to
// nothing outside itself. It only looks, and knows no API of VS Code, so that what it sees is what a
// person sees.

/** A decoration of the text: a part of a line, or what lies under it. */
export interface Decoration {
  /** From 1; absent if the line has no number on the screen. */
  line?: number;
  /** The part of the text that it covers; empty for what lies under the text. */
  text: string;
  /** Its texts before and behind its part. */
  before: string;
  after: string;
  background: string;
  textDecoration: string;
  opacity: string;
  classes: string;
}

export interface StatusItem {
  /** The extension's id, a dot, and the item's. */
  id: string;
  text: string;
  /** Its words for a screen reader: the names of icons, the text and the tip. */
  label: string;
  /** Whether it is drawn as an error or a warning. */
  kind: "plain" | "warning" | "error";
}

export interface Eyes {
  /** The part of the page that is the editor in which one types. */
  editor(): Element | null;
  /** The path of the document that it shows, at the end of a URI. */
  document(): string | undefined;
  /** The lines of the text on the screen, without ghost text. */
  lines(): string[];
  /** The line in which the cursor is, without ghost text. */
  cursorLine(): string | undefined;
  /** The ghost text with its line ends; empty if there is none. */
  ghost(): string;
  decorations(): Decoration[];
  /** The messages that are on the screen. */
  notifications(): string[];
  /** Every message that was on the screen since the page was opened or this was emptied. */
  seen: string[];
  statusItems(): StatusItem[];
  /** Calls for every frame when all of it is drawn and before it is painted, until it is stopped. */
  everyPaint(look: () => void): () => void;
}

declare global {
  interface Window {
    foretellEyes: Eyes;
  }
}

export function installEyes(): void {
  // Monaco draws blanks as no-break spaces, and marks what a line has of other scripts with
  // characters of no width.
  const plain = (text: string | null) =>
    (text ?? "").replaceAll("\u00a0", " ").replaceAll("\u200b", "").replaceAll("\u200c", "");
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  const inOrder = (elements: Iterable<Element>) =>
    [...elements].sort((one, other) => topOf(one) - topOf(other));
  const isGhost = (element: Element) => /ghost-text/.test(element.className);

  const editor = () =>
    document.querySelector(".editor-instance .monaco-editor.focused") ??
    document.querySelector(".editor-group-container.active .editor-instance .monaco-editor");
  const drawnLines = () =>
    inOrder(editor()?.querySelectorAll(":scope .view-lines > .view-line") ?? []);

  const textOf = (line: Element) => {
    let text = "";
    for (const part of line.querySelectorAll(":scope > span > span")) {
      if (!isGhost(part)) text += plain(part.textContent);
    }
    return text;
  };

  const ghost = () => {
    const lines: string[] = [];
    for (const line of drawnLines()) {
      const parts = [...line.querySelectorAll(":scope > span > span")].filter(isGhost);
      if (parts.length > 0) lines.push(parts.map((part) => plain(part.textContent)).join(""));
    }
    // All lines but the first of a suggestion are in a zone of their own between the lines.
    const zone = editor()?.querySelectorAll(".suggest-preview-text > .view-line") ?? [];
    const further = inOrder(zone).map((line) => plain(line.textContent));
    if (lines.length === 0 && further.length > 0) lines.push("");
    return [...lines, ...further].join("\n");
  };

  const cursorLine = () => {
    const cursor = editor()?.querySelector(".cursors-layer > .cursor");
    if (!cursor) return undefined;
    const middle = topOf(cursor) + cursor.getBoundingClientRect().height / 2;
    const line = drawnLines().find((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top <= middle && middle < bottom;
    });
    return line === undefined ? undefined : textOf(line);
  };

  const numberAt = (element: Element) => {
    const top = topOf(element);
    const numbers = editor()?.querySelectorAll(".margin-view-overlays .line-numbers") ?? [];
    const number = [...numbers].find((number) => Math.abs(topOf(number) - top) < 3);
    return number === undefined ? {} : { line: Number(number.textContent) };
  };

  const decorations = () => {
    const made: Decoration[] = [];
    const quoted = (content: string) => (/^"/.test(content) ? plain(JSON.parse(content)) : "");
    // `ced-` begins the classes of what extensions decorate.
    for (const element of editor()?.querySelectorAll("[class*='ced-']") ?? []) {
      if (element.closest(".margin, .minimap, .decorationsOverviewRuler")) continue;
      const style = getComputedStyle(element);
      made.push({
        ...numberAt(element.closest(".view-line, .view-overlays > div") ?? element),
        text: plain(element.textContent),
        before: quoted(getComputedStyle(element, "::before").content),
        after: quoted(getComputedStyle(element, "::after").content),
        background: style.backgroundColor,
        textDecoration: style.textDecorationLine,
        opacity: style.opacity,
        classes: element.className,
      });
    }
    return made;
  };

  const toasts = () => [...document.querySelectorAll(".notification-toast")];
  const saidBy = (toast: Element) =>
    plain(toast.querySelector(".notification-list-item-message")?.textContent ?? "");

  // Monaco draws in animation frames, and one that looks in an animation frame of its own may look
  // before that. A `ResizeObserver` is called after all of them, when the layout is done. So there is an
  // invisible element whose size changes in every frame.
  const everyPaint = (look: () => void) => {
    const ticker = document.createElement("div");
    ticker.style.cssText =
      "position:fixed;top:0;left:0;height:1px;width:1px;visibility:hidden;contain:strict";
    document.body.append(ticker);
    const painted = new ResizeObserver(look);
    painted.observe(ticker);
    const tick = () => {
      if (!ticker.isConnected) return;
      ticker.style.width = ticker.style.width === "1px" ? "2px" : "1px";
      requestAnimationFrame(tick);
    };
    tick();
    return () => {
      painted.disconnect();
      ticker.remove();
    };
  };

  const eyes: Eyes = {
    editor,
    document: () => {
      const uri = editor()?.getAttribute("data-uri");
      return uri ? decodeURIComponent(uri) : undefined;
    },
    lines: () => drawnLines().map(textOf),
    cursorLine,
    ghost,
    decorations,
    notifications: () => toasts().map(saidBy),
    seen: [],
    statusItems: () =>
      [...document.querySelectorAll(".statusbar-item")].map((item) => ({
        id: item.id,
        text: plain(item.textContent).trim(),
        label: item.getAttribute("aria-label") ?? "",
        kind: item.classList.contains("error-kind")
          ? "error"
          : item.classList.contains("warning-kind")
            ? "warning"
            : "plain",
      })),
    everyPaint,
  };
  window.foretellEyes = eyes;

  const known = new WeakSet<Element>();
  new MutationObserver(() => {
    for (const toast of toasts()) {
      const said = saidBy(toast);
      if (said === "" || known.has(toast)) continue;
      known.add(toast);
      eyes.seen.push(said);
    }
  }).observe(document, { childList: true, subtree: true });
}
