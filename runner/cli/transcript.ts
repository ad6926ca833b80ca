import type { FeedFrame } from '../../protocol/console-frames.ts';
import type { FeedEvent, TextDelta } from '../../protocol/engine-event.ts';
import { decideEnd, endOf, type GateRef, NOT_ENDED } from '../../protocol/gated-act.ts';
import { addUsage, type SpendTotals } from '../../protocol/usage.ts';
import { formatSpend, plainText } from './format.ts';
import type { Paint } from './output.ts';
import {
  actLine,
  actOutcome,
  approvalLines,
  briefedLine,
  checkoutLine,
  indent,
  launchFailure,
  readyLine,
  sessionLines,
  toolEnd,
  toolStart,
  turnFooter,
  undelivered,
  witnessRemark,
} from './transcript-lines.ts';

/** What the text on the terminal depends on besides the frame at hand. */
export type TranscriptState = {
  /** Numbers of the turns, by id, in the order in which they were accepted. */
  turns: ReadonlyMap<string, number>;
  spend: ReadonlyMap<string, SpendTotals>;
  acts: ReadonlyMap<string, number>;
  /** Lines of the acts that are under way: told when it is known what became of them. */
  actLines: ReadonlyMap<string, string>;
  /** What the gate saw of acts that the stream claims, by its own ids. */
  gateActs: ReadonlyMap<string, { claimId: string; ref: GateRef }>;
  tools: ReadonlyMap<string, { name: string; summary: string }>;
  /** The tool call that the last line began; its end needs no name then. */
  lastTool: string | null;
  /** Where the engine works; paths below it are shown without it. */
  directory: string | null;
  /** The launch whose engine was said to be ready; it says so again with each turn. */
  readyLaunch: string | null;
  /** The last failure that was told; what it led to does not repeat its reason. */
  failure: string | null;
  /** The block that is being streamed, and how many characters of it are on the terminal. */
  block: { id: string; printed: number } | null;
};

export type TranscriptOptions = {
  sessionId: string;
  paint: Paint;
  /** Show text while it is being written; otherwise each block once, when it is complete. */
  live: boolean;
};

export const EMPTY_TRANSCRIPT: TranscriptState = {
  turns: new Map(),
  spend: new Map(),
  acts: new Map(),
  actLines: new Map(),
  gateActs: new Map(),
  tools: new Map(),
  lastTool: null,
  directory: null,
  readyLaunch: null,
  failure: null,
  block: null,
};

type Step = { state: TranscriptState; text: string };

/** Turns one frame of the feed into what is to be written next. Pure. */
export function renderFrame(
  state: TranscriptState,
  frame: FeedFrame,
  options: TranscriptOptions,
): Step {
  switch (frame.type) {
    case 'snapshot': {
      const turns = new Map(frame.view.turns.map((turn, index) => [turn.turnId, index + 1]));
      return { state: { ...state, turns: new Map([...turns, ...state.turns]) }, text: '' };
    }
    case 'entries':
      return frame.entries.reduce<Step>(
        (step, entry) => {
          const next = renderEvent(step.state, entry.event, options);
          return { state: next.state, text: step.text + next.text };
        },
        { state, text: '' },
      );
    case 'deltas':
      if (!options.live) return { state, text: '' };
      return frame.deltas.reduce<Step>(
        (step, delta) => {
          const next = renderDelta(step.state, delta);
          return { state: next.state, text: step.text + next.text };
        },
        { state, text: '' },
      );
    case 'presence':
      if (frame.presence === 'online') return { state, text: '' };
      return onNewLine(
        state,
        options.paint('yellow', `The machine is ${frame.presence}; what you send waits for it.\n`),
      );
    case 'failed':
      return onNewLine(state, options.paint('red', `${frame.message}\n`));
    default:
      return frame satisfies never;
  }
}

/** Text on its way. After a gap nothing more of the block is shown until it is complete. */
function renderDelta(state: TranscriptState, delta: TextDelta): Step {
  if (delta.parentToolId !== null || delta.kind !== 'answer') return { state, text: '' };
  if (state.block?.id !== delta.blockId) {
    if (delta.offset > 0) return { state, text: '' };
    const opened = onNewLine(state, '');
    const block = { id: delta.blockId, printed: delta.text.length };
    return { state: { ...opened.state, block }, text: opened.text + plainText(delta.text) };
  }
  const { printed } = state.block;
  if (delta.offset > printed) return { state, text: '' };
  const fresh = delta.text.slice(printed - delta.offset);
  return {
    state: { ...state, block: { id: delta.blockId, printed: printed + fresh.length } },
    text: plainText(fresh),
  };
}

/** Writes whole lines: ends a block that is being streamed first. */
function onNewLine(state: TranscriptState, lines: string): Step {
  return {
    state: { ...state, block: null, lastTool: null },
    text: (state.block ? '\n' : '') + lines,
  };
}

const sayImages = ({ images = [] }: { images?: readonly unknown[] | undefined }): string =>
  images.length === 0
    ? ''
    : `\n  with ${images.length === 1 ? 'an image' : `${images.length} images`}`;

function renderEvent(state: TranscriptState, event: FeedEvent, options: TranscriptOptions): Step {
  const { paint } = options;
  switch (event.type) {
    case 'turn/accepted': {
      const number = state.turns.get(event.turnId) ?? state.turns.size + 1;
      const turns = new Map(state.turns).set(event.turnId, number);
      return onNewLine(
        { ...state, turns },
        `${paint('bold', `› ${plainText(event.text)}`)}${sayImages(event)}\n`,
      );
    }
    case 'turn/started': {
      if (state.turns.has(event.turnId)) return { state, text: '' };
      const turns = new Map(state.turns).set(event.turnId, state.turns.size + 1);
      return onNewLine(
        { ...state, turns },
        `${paint('dim', 'The engine began a turn by itself.')}\n`,
      );
    }
    case 'text/completed':
      return renderText(state, event, paint);
    case 'tool/started': {
      const shown = { ...event, summary: belowDirectory(event.summary, state.directory) };
      const tools = new Map(state.tools).set(event.toolId, shown);
      const next = onNewLine({ ...state, tools }, `${toolStart(shown, paint)}\n`);
      return { ...next, state: { ...next.state, lastTool: event.toolId } };
    }
    case 'tool/ended': {
      const name = state.lastTool === event.toolId ? null : (state.tools.get(event.toolId) ?? null);
      const files = event.files.map((file) => ({
        ...file,
        path: belowDirectory(file.path, state.directory),
      }));
      return onNewLine(state, `${toolEnd({ ...event, files }, name, paint)}\n`);
    }
    case 'usage/recorded': {
      const id = event.turnId ?? '';
      const spend = event.entries.reduce(addUsage, state.spend.get(id) ?? {});
      return { state: { ...state, spend: new Map(state.spend).set(id, spend) }, text: '' };
    }
    case 'act/seen': {
      const { actId, claimId, command } = event.act;
      if (claimId) {
        const gateActs = new Map(state.gateActs);
        gateActs.set(actId, { claimId, ref: { command, end: NOT_ENDED } });
        return { state: { ...state, gateActs }, text: '' };
      }
      const id = event.act.turnId ?? '';
      const acts = new Map(state.acts).set(id, (state.acts.get(id) ?? 0) + 1);
      const actLines = new Map(state.actLines).set(event.act.actId, actLine(event.act, paint));
      return { state: { ...state, acts, actLines }, text: '' };
    }
    case 'act/ended': {
      const judged = state.gateActs.get(event.actId);
      if (judged) {
        const ref = { ...judged.ref, end: endOf(event) };
        const gateActs = new Map(state.gateActs).set(event.actId, { ...judged, ref });
        return { state: { ...state, gateActs }, text: '' };
      }
      const line = state.actLines.get(event.actId);
      if (line === undefined) return { state, text: '' };
      const refs = [...state.gateActs.values()].filter(({ claimId }) => claimId === event.actId);
      const end = decideEnd(
        endOf(event),
        refs.map(({ ref }) => ref),
      );
      const whole = end.outcome === 'done' && end.reason === null;
      const outcome = whole ? '' : paint('yellow', `  ${actOutcome(end)}`);
      return onNewLine(state, `${line}${outcome}\n`);
    }
    case 'act/witnessed': {
      const line = state.actLines.get(event.actId);
      const odd = line === undefined ? null : witnessRemark(event, paint);
      if (odd === null) return { state, text: '' };
      // Told with the outcome that follows, unless that is told already.
      if (event.finding === 'unmoved') return onNewLine(state, `${line}${odd}\n`);
      const actLines = new Map(state.actLines).set(event.actId, `${line}${odd}`);
      return { state: { ...state, actLines }, text: '' };
    }
    case 'turn/ended': {
      const footer = turnFooter(event, {
        number: state.turns.get(event.turnId) ?? null,
        spend: formatSpend(state.spend.get(event.turnId) ?? {}),
        acts: state.acts.get(event.turnId) ?? 0,
      });
      return onNewLine(state, `${paint(event.outcome === 'ok' ? 'dim' : 'yellow', footer)}\n\n`);
    }
    case 'approval/requested':
      return onNewLine(state, `${approvalLines(event.request, options.sessionId, paint)}\n`);
    case 'checkout/prepared':
      return onNewLine({ ...state, directory: event.directory }, `${checkoutLine(event, paint)}\n`);
    case 'engine/ready':
      if (event.launchId === state.readyLaunch) return { state, text: '' };
      return onNewLine({ ...state, readyLaunch: event.launchId }, `${readyLine(event, paint)}\n`);
    case 'launch/failed': {
      const failed = { ...state, failure: event.error.message };
      return onNewLine(failed, `${launchFailure(event, paint)}\n`);
    }
    case 'turn/briefed':
      return onNewLine(state, `${briefedLine(event, paint)}\n`);
    case 'turn/delivered': {
      const line = undelivered(event, state.failure, paint);
      return line === null ? { state, text: '' } : onNewLine(state, `${line}\n`);
    }
    default: {
      const lines = sessionLines(event, paint);
      return lines === null ? { state, text: '' } : onNewLine(state, `${lines}\n`);
    }
  }
}

function renderText(
  state: TranscriptState,
  event: Extract<FeedEvent, { type: 'text/completed' }>,
  paint: Paint,
): Step {
  // What was thought is for the page; a terminal shows what was said.
  if (event.kind === 'thinking') return { state, text: '' };
  const cut = event.text.truncated
    ? paint('dim', `\n[cut; ${event.text.truncated.bytes} bytes in all]`)
    : '';
  if (state.block?.id === event.blockId) {
    const rest = plainText(event.text.text.slice(state.block.printed));
    return { state: { ...state, block: null, lastTool: null }, text: `${rest}${cut}\n` };
  }
  const text = plainText(event.text.text);
  const shown = event.parentToolId === null ? text : indent(text);
  return onNewLine(
    state,
    `${event.kind === 'narration' || event.parentToolId !== null ? paint('dim', shown) : shown}${cut}\n`,
  );
}

/** A text without the path of the directory that the engine works in: what is below it is known. */
function belowDirectory(text: string, directory: string | null): string {
  return directory === null ? text : text.replaceAll(`${directory}/`, '');
}
