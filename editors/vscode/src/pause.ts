// The person's pauses: a file, a language, or everything for an hour.
//
// While something is paused the server is not asked about it, and nothing is drawn there. The server still
// hears what happens, so that it is up to date when the person goes on.
import { type Disposable, EventEmitter, type Memento, type TextDocument } from "vscode";

const KEY = "paused";
const HOUR_MS = 60 * 60 * 1000;

interface Paused {
  readonly files: readonly string[];
  readonly languages: readonly string[];
  /** In milliseconds since 1970. */
  readonly until: number;
}

const NOTHING: Paused = { files: [], languages: [], until: 0 };

export class Pause implements Disposable {
  #paused: Paused;
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Draws the end of an hour. */
  #hour: NodeJS.Timeout | undefined;

  constructor(private readonly memento: Memento) {
    this.#paused = memento.get(KEY, NOTHING);
    this.#drawEnd();
  }

  /** Why nothing is asked about a document, in words that follow "paused"; nothing if it is not. */
  reason(document: TextDocument | undefined): string | undefined {
    const { files, languages, until } = this.#paused;
    if (until > Date.now())
      return `until ${new Date(until).toLocaleTimeString([], { timeStyle: "short" })}`;
    if (document === undefined) return undefined;
    if (languages.includes(document.languageId)) return `for ${document.languageId}`;
    if (files.includes(document.uri.toString())) return "for this file";
    return undefined;
  }

  /** Whether a document is paused: the server is not asked about it, and nothing is drawn there. */
  isPaused(document: TextDocument | undefined): boolean {
    return document !== undefined && this.reason(document) !== undefined;
  }

  pauseFile(document: TextDocument): void {
    const files = [...new Set([...this.#paused.files, document.uri.toString()])];
    this.#set({ ...this.#paused, files });
  }

  pauseLanguage(document: TextDocument): void {
    const languages = [...new Set([...this.#paused.languages, document.languageId])];
    this.#set({ ...this.#paused, languages });
  }

  pauseHour(): void {
    this.#set({ ...this.#paused, until: Date.now() + HOUR_MS });
  }

  /** Ends whatever pauses a document. */
  resume(document: TextDocument | undefined): void {
    const { files, languages } = this.#paused;
    this.#set({
      files: files.filter((it) => it !== document?.uri.toString()),
      languages: languages.filter((it) => it !== document?.languageId),
      until: 0,
    });
  }

  dispose(): void {
    clearTimeout(this.#hour);
    this.#changed.dispose();
  }

  #set(paused: Paused): void {
    this.#paused = paused;
    void this.memento.update(KEY, paused);
    this.#drawEnd();
    this.#changed.fire();
  }

  #drawEnd(): void {
    clearTimeout(this.#hour);
    const left = this.#paused.until - Date.now();
    if (left > 0) this.#hour = setTimeout(() => this.#changed.fire(), left + 1);
  }
}
