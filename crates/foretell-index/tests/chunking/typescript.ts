import { Client } from "./client";
import type { Options } from "./options";

export const LIMIT = 20;
export type Name = string;

/** How a request went. */
export interface Outcome<T> {
  readonly status: number;
  body?: T;
}

export enum Method {
  Get = "GET",
  Post = "POST",
}

// Tries again.
export async function apiRequest<T>(path: string, options: Options): Promise<Outcome<T>> {
  const client = new Client(options);
  return client.send<T>(path);
}

export const withRetry = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let at = 0; at < LIMIT; at++) {
    try {
      return await run();
    } catch {}
  }
  throw new Error("too often");
};

@injectable()
export class Session extends Base implements Disposable {
  private readonly names = new Map<string, Name>();
  static count = 0;

  constructor(private readonly client: Client) {
    super();
    Session.count += 1;
  }

  /** Opens one. */
  @traced("open")
  async open(name: Name): Promise<void> {
    if (this.names.has(name)) {
      return;
    }
    const outcome = await apiRequest<Name>(name, { timeout: 10 });
    if (outcome.body) {
      this.names.set(name, outcome.body);
    }
  }

  handle = (event: Event): void => {
    switch (event.type) {
      case "open":
        this.opened(event);
        break;
      case "close":
        this.closed(event);
        break;
      default:
        break;
    }
  };

  get size(): number {
    return this.names.size;
  }

  private opened(event: Event) {
    const target = event.target as HTMLElement | null;
    const name = target?.dataset.name;
    if (name) {
      void this.open(name);
    }
  }

  private closed(event: Event) {
    const target = event.target as HTMLElement | null;
    const name = target?.dataset.name;
    if (name) {
      this.names.delete(name);
    }
  }

  async reopen(names: Name[]): Promise<void> {
    for (const name of names) {
      await this.open(name);
    }
  }

  dispose() {
    this.names.clear();
  }
}

declare module "window" {
  export function focus(): void;
}

namespace Inner {
  export function helper(value: number): number {
    return value + 1;
  }
}
