// Watches what the page paints, frame by frame, so that a test can say that something never blinked.
//
// It records painted frames. Between frames, mutations are noted as well: they tell what was drawn for a
// moment, unseen.

/** The state from a moment on, until the next. */
export interface State {
  /** Milliseconds since the recorder was started. */
  at: number;
  /** Whether a frame was painted so, or it was gone before the next. */
  painted: boolean;
  /** The line with the cursor, without ghost text. */
  line: string;
  ghost: string;
}

interface Recorder {
  states: State[];
  frames: number;
  stop(): void;
}

declare global {
  interface Window {
    foretellRecorder?: Recorder;
  }
}

/** Runs in the page, and refers to nothing outside itself but the eyes. */
export function startRecorder(): void {
  window.foretellRecorder?.stop();
  const states: State[] = [];
  const began = performance.now();

  const look = (painted: boolean) => {
    const line = window.foretellEyes.cursorLine() ?? "";
    const ghost = window.foretellEyes.ghost();
    const last = states.at(-1);
    if (last?.line === line && last.ghost === ghost) {
      last.painted ||= painted;
    } else {
      states.push({ at: performance.now() - began, painted, line, ghost });
    }
  };

  const stopPainted = window.foretellEyes.everyPaint(() => {
    recorder.frames += 1;
    look(true);
  });
  const mutated = new MutationObserver(() => look(false));
  const workbench = document.querySelector(".monaco-workbench") ?? document.body;
  mutated.observe(workbench, { childList: true, subtree: true, characterData: true });

  const recorder: Recorder = {
    states,
    frames: 0,
    stop: () => {
      stopPainted();
      mutated.disconnect();
    },
  };
  window.foretellRecorder = recorder;
}

/** Runs in the page. */
export function stopRecorder(): { states: State[]; frames: number } {
  const recorder = window.foretellRecorder;
  if (recorder === undefined) throw new Error("nothing is recorded");
  recorder.stop();
  delete window.foretellRecorder;
  return { states: recorder.states, frames: recorder.frames };
}

/**
 * The painted states in which ghost text is missing, although something of it remained: states without
 * any that come behind one with it, where the line does not yet have the whole of `line`.
 *
 * `line` is the line as it is when the suggestion is typed to its end.
 */
export function blanks(states: State[], line: string): State[] {
  const first = states.findIndex(({ ghost }) => ghost !== "");
  if (first < 0) throw new Error(`there was no ghost text at all: ${JSON.stringify(states)}`);
  return states.slice(first).filter((state) => {
    const remains = state.line.length < line.length;
    return state.painted && remains && state.ghost === "";
  });
}

/**
 * The painted states that do not fit: what is typed and the first line of what is suggested must be
 * `line` at any time, because the text and the ghost text change in one frame.
 *
 * It is for suggestions at the end of a line.
 */
export function misfits(states: State[], line: string): State[] {
  const first = states.findIndex(({ ghost }) => ghost !== "");
  return states.slice(Math.max(first, 0)).filter((state) => {
    const together = state.line + state.ghost.split("\n")[0];
    return state.painted && together !== line;
  });
}
