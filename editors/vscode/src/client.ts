// The language client: vscode-languageclient, but quiet, and saying what it can do beyond LSP.
//
// A client lives once: it is started, and ended in whatever state it is then.
//
// The library shows its own troubles to the person, in its own words and as often as they come. Here
// they go to the log, and `server.ts` says the one thing a person can do something about.
import {
  type Executable,
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
  State,
  type StaticFeature,
} from "vscode-languageclient/node";

export class QuietClient extends LanguageClient {
  #started: Promise<void> | undefined;
  #isUnwanted = false;

  constructor(program: Executable, options: LanguageClientOptions) {
    super("foretell", "Foretell", program, options);
    this.registerFeature(ABILITIES);
  }

  override start(): Promise<void> {
    this.#started ??= super.start();
    return this.#started;
  }

  /**
   * Ends the server, and is done when nothing of this client is left in VS Code.
   *
   * The library stops only what has come up. Whoever has not answered yet has nothing to lose, and is
   * killed, because it might never answer.
   */
  async end(): Promise<void> {
    this.#isUnwanted = true;
    if (this.state !== State.Running) this.#kill();
    // How it failed to start is known already, and what was killed cannot be stopped.
    await this.#started?.catch(() => undefined);
    await this.dispose().catch(() => undefined);
  }

  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    if (this.#isUnwanted) this.#kill();
    return transports;
  }

  #kill(): void {
    this.serverProcess?.kill("SIGKILL");
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }

  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

const ABILITIES: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      foretell: { reportsRejections: true, followsStatus: true, asksWhenTold: true },
    };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};
