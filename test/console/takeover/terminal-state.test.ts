import { describe, expect, it } from 'vitest';
import { actorId } from '../../../protocol/ids.ts';
import type { TerminalFrame } from '../../../protocol/terminal-frames.ts';
import {
  reduceTerminal,
  type TerminalState,
  UNOPENED,
  wordsBeside,
  wordsOver,
} from '../../../console/takeover/terminal-state.ts';

const SCREEN = { type: 'screen', columns: 80, rows: 24, data: '' } as const;
const after = (...frames: TerminalFrame[]): TerminalState =>
  frames.reduce(reduceTerminal, {
    ...UNOPENED,
    connection: { kind: 'live' },
  });

describe('what is said over a terminal', () => {
  it('is nothing once it is shown, and what is waited for before', () => {
    expect(wordsOver(after(), 'machine')).toBe('Opening the terminal …');
    expect(wordsOver(after())).toBe('Opening the engine’s terminal …');
    const waiting = after({ type: 'attached', driving: false, connected: false });
    expect(wordsOver(waiting, 'machine')).toMatch(/^Waiting for the machine/);
    expect(wordsOver(waiting)).toMatch(/engine’s process/);
    expect(wordsOver(after(SCREEN), 'machine')).toBeNull();
  });

  it('comes back when the machine is gone, and goes with the next screen', () => {
    const gone = after(SCREEN, { type: 'machine', connected: false });
    expect(wordsOver(gone, 'machine')).toMatch(/^Waiting/);
    expect(wordsOver(reduceTerminal(gone, SCREEN), 'machine')).toBeNull();
  });

  it('comes back where the window is open again before the machine is: no key reaches it yet', () => {
    const back = after(SCREEN, { type: 'attached', driving: true, connected: false });
    expect(wordsOver(back)).toMatch(/^Waiting for the terminal on the machine/);
    expect(wordsOver(reduceTerminal(back, SCREEN))).toBeNull();
    const both = after(SCREEN, { type: 'attached', driving: true, connected: true });
    expect(wordsOver(both)).toBeNull();
  });

  it('is the server’s own word where that closed the window', () => {
    const failed = after({ type: 'failed', code: 'terminal_gone', message: 'It is gone.' });
    const ended = { ...failed, connection: { kind: 'ended' } as TerminalState['connection'] };
    expect(wordsOver(ended, 'machine')).toBe('It is gone.');
  });
});

describe('what is said beside it', () => {
  it('fits whose terminal it is', () => {
    const demoted = after(SCREEN, { type: 'demoted' });
    expect(wordsBeside(demoted)).toMatch(/took the session over/);
    expect(wordsBeside(demoted, 'machine')).toMatch(/You type here no more/);
    const dropped = after(SCREEN, { type: 'dropped', bytes: 3 });
    expect(wordsBeside(dropped)).toMatch(/did not reach the engine/);
    expect(wordsBeside(dropped, 'machine')).toMatch(/did not reach the terminal/);
    expect(wordsBeside(after(SCREEN), 'machine')).toBeNull();
  });
});

describe('who types', () => {
  it('is known from each word about it', () => {
    const driver = { actorId: actorId.parse('usr_1'), channel: 'cli', at: 5 };
    const driven = after({ type: 'lease', driver });
    expect(driven.driver).toEqual(driver);
    expect(reduceTerminal(driven, { type: 'lease', driver: null }).driver).toBeNull();
  });
});
