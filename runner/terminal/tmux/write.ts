import { randomBytes } from 'node:crypto';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { PaneAgent, TerminalReceipt, TerminalSent } from '../../../protocol/terminal.ts';
import { describeBytes } from '../keys.ts';
import { holdsOnly } from '../look/agent-box.ts';
import type { CursorLine } from '../look/prompt-line.ts';
import type { ControlClients } from './clients.ts';
import { type Closer, dialogOf } from './look.ts';
import { listPanes, type PaneFacts } from './panes.ts';
import { readAgentBox, readCursorLine } from './screen.ts';
import type { TmuxServer } from './server.ts';
import { takeBack } from './take-back.ts';

/** Most bytes in one command of control mode; what is longer goes through a buffer of tmux's. */
const KEYS_BYTES = 500;
const PASTE_BYTES = 2_000;
/** How long a program gets to show what it took, and how often it is looked at, in ms. */
const ECHO_MS = 1_000;
const ECHO_EVERY_MS = 20;
/** Of text that a program echoes, so much of its end is looked for, in characters. */
const NEEDLE_CHARS = 30;

/** Ctrl-U. */
const CLEAR = Buffer.from('\u0015');

export type Pane = { server: TmuxServer; clients: ControlClients; facts: PaneFacts };

/** Writes bytes to a pane as if they were typed. Throws `terminal_gone` where there is no pane. */
export async function writeBytes({ server, clients, facts }: Pane, bytes: Buffer): Promise<void> {
  const use = await clients.command(facts);
  try {
    for (let at = 0; at < bytes.length; at += KEYS_BYTES) {
      const part = bytes.subarray(at, at + KEYS_BYTES);
      const hex = [...part].map((byte) => byte.toString(16).padStart(2, '0'));
      const words = ['send-keys', '-t', facts.pane, '-H', ...hex];
      await (use ? use.client.run(words) : server.demand(words));
    }
  } catch (error) {
    throw await whyNot(server, facts, error);
  } finally {
    use?.done();
  }
}

/** Pastes text: programs that ask for it are told where it begins and ends. */
async function paste({ server, facts }: Pane, text: Buffer): Promise<void> {
  const name = `pilothouse-${randomBytes(6).toString('hex')}`;
  const put = ['paste-buffer', '-d', '-r', '-p', '-b', name, '-t', facts.pane];
  const { ok, problem } = await server.call([['load-buffer', '-b', name, '-'], put], text);
  if (ok) return;
  await server.call(['delete-buffer', '-b', name]);
  const error = new PilothouseError('terminal_failed', { detail: `tmux: ${problem}` });
  throw await whyNot(server, facts, error);
}

/** A pane that is gone meanwhile is told as gone. */
async function whyNot(server: TmuxServer, facts: PaneFacts, error: unknown): Promise<unknown> {
  const panes = await listPanes(server).catch(() => null);
  const there = panes?.some((pane) => pane.server === facts.server && pane.pane === facts.pane);
  return there === false ? new PilothouseError('terminal_gone') : error;
}

export type Typed = TerminalSent & {
  /** The line as it stands now, when it holds our words and nobody has sent them. */
  pending: CursorLine | null;
};

/**
 * Types text, and Enter after it only once the line is seen to hold exactly what was there before
 * and the text: whatever somebody types in that moment is not sent along.
 */
export async function typeText(
  pane: Pane,
  look: Closer,
  text: string,
  enter: boolean,
): Promise<Typed> {
  const bytes = Buffer.from(text);
  const count = look.state === 'shell' ? null : await echoCounter(pane, text);
  // What a coding agent asks is answered by single letters, which a paste is none of.
  const whole = look.agent !== null || bytes.length > PASTE_BYTES || text.includes('\n');
  await (whole ? paste(pane, bytes) : writeBytes(pane, bytes));
  if (look.agent && enter) return instructAgent(pane, look.agent, text);
  if (look.state === 'shell' && look.cursorLine) {
    const expected = look.cursorLine.before + text;
    const line = await awaitLine(pane, expected);
    if (!line) return { ...describeBytes(bytes), receipt: 'not_confirmed', pending: null };
    if (!enter) return { ...describeBytes(bytes), receipt: 'delivered', pending: line };
  }
  const sent = enter ? Buffer.concat([bytes, Buffer.from('\r')]) : bytes;
  if (enter) await writeBytes(pane, Buffer.from('\r'));
  const receipt = look.state === 'shell' ? 'delivered' : await awaitEcho(look, count);
  return { ...describeBytes(sent), receipt, pending: null };
}

/**
 * Presses Enter after a paste to a coding agent only once its box holds exactly that, and it still
 * asks nothing. What it then says of itself tells whether it took it. A paste that is not sent is
 * taken out again.
 */
async function instructAgent(pane: Pane, agent: PaneAgent, text: string): Promise<Typed> {
  const bytes = Buffer.from(text);
  const read = async () => {
    const facts = await factsOf(pane);
    return facts ? readAgentBox(pane.server, facts) : null;
  };
  const holds = await within(async () => (holdsOnly(await read(), text) ? true : null));
  if (!holds || (await dialogOf(agent)) !== 'none') {
    await takeBack(text, { read, clear: () => writeBytes(pane, CLEAR), wait: soon });
    return { ...describeBytes(bytes), receipt: 'not_confirmed', pending: null };
  }
  await writeBytes(pane, Buffer.from('\r'));
  const sent = describeBytes(Buffer.concat([bytes, Buffer.from('\r')]));
  const begun = await within(async () => ((await dialogOf(agent)) === 'maybe' ? true : null));
  return { ...sent, receipt: begun ? 'delivered' : 'queued', pending: null };
}

async function awaitLine(pane: Pane, expected: string): Promise<CursorLine | null> {
  return within(async () => {
    const line = await readLine(pane);
    return line?.before === expected ? line : null;
  });
}

async function readLine(pane: Pane): Promise<CursorLine | null> {
  const now = await factsOf(pane);
  return now ? readCursorLine(pane.server, now) : null;
}

const factsOf = async ({ server, facts }: Pane): Promise<PaneFacts | undefined> =>
  (await listPanes(server)).find(
    (each) => each.server === facts.server && each.pane === facts.pane,
  );

/**
 * A terminal that echoes by itself shows text that nobody has read; only where it does not is what
 * is seen the program's doing.
 */
async function awaitEcho(
  { mode }: Closer,
  count: (() => Promise<boolean>) | null,
): Promise<TerminalReceipt> {
  if (!count || !mode || mode.canonical || mode.echo) return 'queued';
  return (await within(async () => ((await count()) ? true : null))) ? 'delivered' : 'queued';
}

/** Tells later whether the end of a text stands on the screen once more than it does now. */
async function echoCounter(
  { server, facts }: Pane,
  text: string,
): Promise<(() => Promise<boolean>) | null> {
  const needle = (text.trimEnd().split('\n').at(-1) ?? '').slice(-NEEDLE_CHARS);
  if (needle.length < 2) return null;
  const count = async () => {
    const screen = await server.demand(['capture-pane', '-p', '-J', '-t', facts.pane]);
    return screen.toString().split(needle).length;
  };
  const before = await count();
  return async () => (await count()) > before;
}

async function within<T>(look: () => Promise<T | null>): Promise<T | null> {
  const end = Date.now() + ECHO_MS;
  for (;;) {
    const found = await look();
    if (found !== null || Date.now() > end) return found;
    await soon();
  }
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ECHO_EVERY_MS));
