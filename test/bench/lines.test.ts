import { describe, expect, it } from 'vitest';
import { type Content, LineWriter, PER_MESSAGE, readMarks } from './lines.ts';

/** Every line of a run of `count` marks. */
function play(content: Content, count: number): string[] {
  const writer = new LineWriter('run', content);
  return Array.from({ length: count }, (_, index) => [
    ...writer.before(index),
    writer.line({ index, sentAt: index + 0.5 }),
    ...writer.after(index, index === count - 1),
  ]).flat();
}

const typesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const { type, event } = JSON.parse(line) as { type: string; event?: { type: string } };
    return event?.type ?? type;
  });

describe('the lines of a run', () => {
  it('carry their number and the time at which they left', () => {
    expect(play('events', 2).flatMap(readMarks)).toEqual([
      { index: 0, sentAt: 0.5 },
      { index: 1, sentAt: 1.5 },
    ]);
  });

  it('of events are one completed block each', () => {
    expect(typesOf(play('events', 3))).toEqual(['assistant', 'assistant', 'assistant']);
  });

  it('of deltas begin a block and complete it with its whole text', () => {
    const lines = play('deltas', 2);
    expect(typesOf(lines)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'assistant',
      'content_block_stop',
    ]);
    expect(readMarks(lines[4] ?? '').map(({ index }) => index)).toEqual([0, 1]);
  });

  it('of deltas begin the next block when one is full', () => {
    const types = typesOf(play('deltas', PER_MESSAGE + 1));
    expect(types.filter((type) => type === 'message_start')).toHaveLength(2);
    expect(types.filter((type) => type === 'assistant')).toHaveLength(2);
  });
});
