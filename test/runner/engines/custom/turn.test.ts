import { describe, expect, test } from 'vitest';
import { TURN_TEXT_MAX_CHARS } from '../../../../runner/engines/custom/turn.ts';
import { FIRST } from '../harness.ts';
import { aCommandProcess } from './harness.ts';

const ESC = '\u001b';

describe('the turn of a command', () => {
  test('begins with its process, which is never started again for the same instruction', () => {
    const types = aCommandProcess()
      .events()
      .map(({ type }) => type);
    expect(types).toEqual(['engine/ready', 'turn/delivered', 'turn/started']);
  });

  test('ends with the exit alone, whatever was printed', () => {
    const process = aCommandProcess().lines('{"type":"result"}', '$ ', 'Done.');
    expect(process.ended()).toBeUndefined();
    expect(process.exit().ended()).toMatchObject({ turnId: FIRST, outcome: 'ok', error: null });
  });

  test('has a row that says its cost is not known, and is not said to have done nothing', () => {
    const process = aCommandProcess().lines('hello').exit();
    expect(process.of('usage/recorded')).toMatchObject([
      { turnId: FIRST, entries: [{ model: 'my-agent', provenance: 'unmetered', microUsd: null }] },
    ]);
    expect(process.ended()).toMatchObject({ usage: 'unobservable', acts: 'unobservable' });
  });

  test('that fails tells the exit code, its last words without their colours, and what to do', () => {
    const stderrTail = ['', `${ESC}[31mno such key${ESC}[0m`];
    const ended = aCommandProcess().exit({ exitCode: 3, stderrTail }).ended();
    expect(ended).toMatchObject({ outcome: 'failed', usage: 'unobservable' });
    expect(ended?.error?.message).toMatch(/exit code 3\. Its last words: “no such key”\. .*again/);
  });

  test.each([
    [{ exitCode: null, signal: 'SIGKILL' }, 'killed'],
    [{ exitCode: null, signal: null }, 'killed'],
    [{ exitCode: 143, signal: 'SIGTERM', expected: true }, 'killed'],
  ])('that ended with %j is %s, and its cost is still not known', (exit, outcome) => {
    const process = aCommandProcess().exit(exit);
    expect(process.ended()).toMatchObject({ outcome });
    expect(process.of('usage/recorded')).toHaveLength(1);
  });

  test('that is interrupted gets a signal, and is told as interrupted whatever its status', () => {
    const process = aCommandProcess().interrupt();
    expect(process.items.at(-1)).toEqual({ kind: 'signal', signal: 'SIGINT' });
    expect(process.exit({ exitCode: 130 }).ended()).toMatchObject({ outcome: 'interrupted' });
  });

  test('without a word says that it printed nothing', () => {
    expect(aCommandProcess().exit().of('notice/raised')).toMatchObject([{ code: 'output_empty' }]);
  });
});

describe('what a command prints', () => {
  test('is its answer, line by line, live and then whole', () => {
    const process = aCommandProcess().lines('one', '', 'two');
    const deltas = process.items.flatMap((item) => (item.kind === 'delta' ? [item.delta] : []));
    expect(deltas.map(({ offset, text }) => [offset, text])).toEqual([
      [0, 'one\n'],
      [4, '\n'],
      [5, 'two\n'],
    ]);
    expect(process.exit().shown()).toBe('one\n\ntwo\n');
  });

  test('has no colours, no cursor movements, no title and no bell, and keeps its tabs', () => {
    const line = `${ESC}[1;31mred${ESC}[0m\t${ESC}[2K${ESC}]0;title\u0007x\u0007\u0000y`;
    expect(aCommandProcess().lines(line).exit().shown()).toBe('red\txy\n');
  });

  test('is what a progress bar came to last', () => {
    expect(aCommandProcess().lines('10 %\r50 %\r100 %\r').exit().shown()).toBe('100 %\n');
  });

  test('is bounded, and the rest is counted', () => {
    const line = 'x'.repeat(99_999);
    const process = aCommandProcess()
      .lines(...Array.from({ length: 12 }, () => line))
      .exit();
    expect(process.shown().length).toBe(TURN_TEXT_MAX_CHARS);
    expect(process.of('notice/raised')).toMatchObject([
      { code: 'output_cut', message: expect.stringContaining('2 further lines') },
    ]);
  });
});
