import { describe, expect, it } from 'vitest';
import type { TextDelta } from '../../../protocol/engine-event.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { OPEN_BLOCKS_MAX } from '../../../protocol/text.ts';
import {
  CUT_AT_CHARS,
  mergeDelta,
  OPEN_BLOCK_MAX_CHARS,
  OpenBlocks,
} from '../../../workers/relay/deltas.ts';

const delta = (offset: number, text: string, blockId = 'a'): TextDelta => ({
  sessionId: sessionId.parse('ses_1'),
  turnId: null,
  blockId,
  parentToolId: null,
  kind: 'answer',
  offset,
  text,
});

describe('pending deltas', () => {
  it('of one block that follow on become one', () => {
    const pending = [delta(0, 'ab'), delta(0, 'x', 'b'), delta(2, 'cd')].reduce<TextDelta[]>(
      mergeDelta,
      [],
    );
    expect(pending.map(({ blockId, offset, text }) => [blockId, offset, text])).toEqual([
      ['a', 0, 'abcd'],
      ['b', 0, 'x'],
    ]);
  });

  it('with a gap between them stay apart, so that a viewer sees the gap', () => {
    expect([delta(0, 'ab'), delta(5, 'f')].reduce<TextDelta[]>(mergeDelta, [])).toHaveLength(2);
  });
});

describe('open blocks', () => {
  it('take a repeated part once', () => {
    const open = new OpenBlocks();
    for (const part of [delta(0, 'abc'), delta(1, 'bcd')]) open.add(part);
    expect(open.list()).toEqual([delta(0, 'abcd')]);
  });

  it('begin again where a part is missing', () => {
    const open = new OpenBlocks();
    for (const part of [delta(0, 'abc'), delta(9, 'j')]) open.add(part);
    expect(open.list()).toEqual([delta(9, 'j')]);
  });

  it('keep a bounded tail of an endless block (P3)', () => {
    const open = new OpenBlocks();
    for (let index = 0; index < 100_000; index++) open.add(delta(index * 8, 'eight ch'));
    const [held] = open.list();
    expect(held?.text.length).toBeLessThanOrEqual(OPEN_BLOCK_MAX_CHARS + CUT_AT_CHARS);
    expect((held?.offset ?? 0) + (held?.text.length ?? 0)).toBe(800_000);
  });

  it('hold the last of a thousand that nobody completes, and none that is complete', () => {
    const open = new OpenBlocks();
    const completed = (blockId: string) =>
      ({
        type: 'text/completed',
        turnId: null,
        blockId,
        parentToolId: null,
        kind: 'answer',
        text: { text: '', truncated: null },
      }) as const;
    const write = (complete: boolean) => {
      for (let index = 0; index < 100_000; index++) {
        const blockId = `b${Math.floor(index / 100)}`;
        open.add(delta((index % 100) * 8, 'eight ch', blockId));
        if (complete && index % 100 === 99)
          open.follow([{ position: 1, at: 1, seq: 1, event: completed(blockId) }]);
      }
    };
    write(true);
    expect(open.list()).toEqual([]);
    write(false);
    expect(open.list()).toHaveLength(OPEN_BLOCKS_MAX);
    expect(open.list().at(-1)).toMatchObject({ blockId: 'b999', text: 'eight ch'.repeat(100) });
  });

  it('are forgotten when the turn is over', () => {
    const open = new OpenBlocks();
    open.add(delta(0, 'abc'));
    const event = { type: 'engine/parked', reason: 'idle' } as const;
    open.follow([{ position: 1, at: 1, seq: 1, event }]);
    expect(open.list()).toHaveLength(1);
    const exited = {
      type: 'engine/exited',
      launchId: 'lau_1',
      exitCode: 0,
      signal: null,
      expected: true,
      stderrTail: [],
    } as const;
    open.follow([{ position: 2, at: 1, seq: 2, event: exited as never }]);
    expect(open.list()).toEqual([]);
  });
});
