// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PING } from '../../../protocol/runner-frames.ts';
import type { TerminalFrame } from '../../../protocol/terminal-frames.ts';
import {
  openTerminalSocket,
  type TerminalSocket,
} from '../../../console/takeover/terminal-socket.ts';
import {
  reduceTerminal,
  type TerminalState,
  UNOPENED,
  wordsBeside,
  wordsOver,
} from '../../../console/takeover/terminal-state.ts';
import { ScriptedSocket } from '../support/scripted-socket.ts';

const sockets: ScriptedSocket[] = [];
const pending: (() => void)[] = [];
let state: TerminalState;
let window: TerminalSocket;

const last = (): ScriptedSocket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error('nothing was opened');
  return socket;
};
const SIZE = { columns: 80, rows: 24 };
const screen = { type: 'screen', ...SIZE, data: 'hello' } as const;
const said = () => last().sent.map((text) => JSON.parse(text) as { type: string });

beforeEach(() => {
  vi.useFakeTimers();
  sockets.length = pending.length = 0;
  state = UNOPENED;
  window = openTerminalSocket(
    {
      open: () => {
        sockets.push(new ScriptedSocket());
        return last() as unknown as WebSocket;
      },
      now: Date.now,
      random: () => 0,
      pingEveryMs: 4_000,
    },
    {
      key: 'k'.repeat(24),
      size: () => SIZE,
      frame: (frame: TerminalFrame) => (state = reduceTerminal(state, frame)),
      output: (_, shown) => pending.push(shown),
      connection: (connection) => (state = { ...state, connection }),
    },
  );
});
afterEach(() => {
  window.close();
  vi.useRealTimers();
});

const attach = (driving = true) => {
  last().accept();
  last().say({ type: 'attached', driving, connected: true });
  last().say(screen);
};

describe('a window on a terminal', () => {
  it('attaches with its key and size, and says what is under way until a screen is there', () => {
    expect(wordsOver(state)).toContain('Opening');
    attach();
    expect(said()).toEqual([{ type: 'attach', key: 'k'.repeat(24), size: SIZE }]);
    expect(wordsOver(state)).toBeNull();
  });

  it('lets more come only when what came is shown', () => {
    attach();
    last().say(new Uint8Array(10).buffer);
    expect(said()).toHaveLength(1);
    for (const shown of pending) shown();
    expect(said().at(-1)).toEqual({ type: 'ack', bytes: 10 });
  });

  it('attaches again after a drop, and counts nothing of the lost connection', () => {
    attach();
    last().say(new Uint8Array(10).buffer);
    last().end();
    expect(wordsOver(state)).toContain('connection is lost');
    window.type(new Uint8Array([1]));
    expect(state.dropped).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
    attach();
    for (const shown of pending) shown();
    expect(said().map(({ type }) => type)).toEqual(['attach']);
    expect(wordsOver(state)).toBeNull();
    expect(wordsBeside(state)).toContain('did not reach');
  });

  it('asks soon where nothing is heard, and is lost where nothing answers', () => {
    attach();
    vi.advanceTimersByTime(4_000);
    expect(last().sent.at(-1)).toBe(PING);
    last().say(new Uint8Array(0).buffer);
    vi.advanceTimersByTime(4_000);
    expect(wordsOver(state)).toBeNull();
    vi.advanceTimersByTime(4_000);
    expect(wordsOver(state)).toContain('connection is lost');
    vi.advanceTimersByTime(1_000);
    attach();
    expect(wordsOver(state)).toBeNull();
  });

  it('waits for a terminal that went away with its runner', () => {
    attach();
    last().say({ type: 'machine', connected: false });
    expect(wordsOver(state)).toContain('Waiting for the terminal');
    last().say(screen);
    expect(wordsOver(state)).toBeNull();
  });

  it('watches from when somebody else took over, and tells a refusal in the server’s words', () => {
    attach();
    last().say({ type: 'demoted' });
    expect([state.driving, wordsBeside(state)]).toEqual([false, expect.stringContaining('watch')]);
    last().say({ type: 'failed', code: 'unauthenticated', message: 'Sign in again.' });
    last().end(4003);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(wordsOver(state)).toBe('Sign in again.');
  });
});
