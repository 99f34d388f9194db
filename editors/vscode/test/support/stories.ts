// Lets the tests of a file share one editor, because starting one takes seconds.
//
// Each story begins with no file open, nothing said, and a server that behaves; what a story did to the
// server's memory of rejections stays, so stories use places of their own. If one fails, what helps to
// find out why is kept and its place printed.
import { after, before, test } from "node:test";
import { Editor, type EditorSetup } from "./editor";
import { codeServer } from "./places";
import { within } from "./until";

/** A story that takes longer hangs. */
const STORY_MS = 150_000;
const START_MS = 120_000;

export interface Stories extends EditorSetup {
  /** Whether the server is waited for before the first story; not where it cannot start. */
  waitForServer?: boolean;
}

export type Story = (name: string, tell: (editor: Editor) => Promise<void>) => void;

/**
 * Makes what declares the stories of a file: `const story = stories({ … })`. A function
 * may start something first, such as a model server, and give the setup.
 */
export function stories(setup: Stories | (() => Promise<Stories>) = {}): Story {
  if (codeServer() === undefined) {
    const skip = "no code-server: put what .ci/code-server prints into TEST_FORETELL_CODE_SERVER";
    return (name) => void test(name, { skip }, () => {});
  }
  let editor: Editor | undefined;
  before(
    async () => {
      const given = typeof setup === "function" ? await setup() : setup;
      const { waitForServer = true, ...rest } = given;
      editor = await Editor.start(rest);
      try {
        if (waitForServer) await editor.messages.until("initialized");
      } catch (error) {
        console.error(`kept in ${await editor.keep("start")}`);
        await editor.stop();
        throw error;
      }
    },
    { timeout: START_MS },
  );
  after(async () => editor?.stop());
  return (name, tell) =>
    void test(name, { timeout: STORY_MS + 60_000 }, async () => {
      if (editor === undefined) throw new Error("the editor was not started");
      const told = editor;
      try {
        await within(
          STORY_MS,
          "the story",
          told.tidy().then(() => tell(told)),
        );
      } catch (error) {
        console.error(`'${name}' failed; see ${await told.keep(name)}`);
        throw error;
      }
    });
}
