// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_TRANSCRIPT,
  reduceTranscript,
  type Transcript,
} from '../../../console/feed/transcript.ts';
import { type Arranged, arrangeItems } from '../../../console/transcript/arrange.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { wholeText } from '../../../protocol/text.ts';
import { feedEventArbitrary } from '../../support/feed-arbitraries.ts';
import { entriesOf } from '../../support/protocol-builders.ts';
import { toolEnded, toolStarted } from '../../support/transcript-events.ts';

/** Few names, so that calls are often below one another, ended, and heard of before they began. */
const name = fc.constantFrom('a', 'b', 'c', 'd');
const aCall = fc.record({ toolId: name, parentToolId: fc.option(name, { nil: null }) });
const anEvent: fc.Arbitrary<FeedEvent> = fc.oneof(
  aCall.map(toolStarted),
  name.map((toolId) => toolEnded({ toolId, output: wholeText('done') })),
  feedEventArbitrary,
);

/** Applies batch after batch, and arranges after each from how it was before. */
function arrangeInSteps(batches: readonly (readonly FeedEvent[])[]): {
  transcript: Transcript;
  arranged: Arranged;
} {
  const entries = entriesOf(batches.flat());
  let transcript = EMPTY_TRANSCRIPT;
  let arranged = arrangeItems(transcript);
  let from = 0;
  for (const { length } of batches) {
    transcript = reduceTranscript(transcript, entries.slice(from, from + length));
    arranged = arrangeItems(transcript, arranged);
    from += length;
  }
  return { transcript, arranged };
}

describe('an arrangement that grows with its record', () => {
  it('is that of the whole record, in whatever pieces it came', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anEvent, { maxLength: 4 }), { maxLength: 12 }), (batches) => {
        const { transcript, arranged } = arrangeInSteps(batches);
        const whole = arrangeItems(transcript);
        expect(arranged.top).toEqual(whole.top);
        expect(arranged.nested).toEqual(whole.nested);
      }),
    );
  });

  it('keeps every row that nothing happened to', () => {
    const call = (toolId: string, parentToolId: string | null = null) =>
      toolStarted({ toolId, parentToolId });
    const first = [call('x'), call('agent'), call('one', 'agent')];
    const entries = entriesOf([...first, call('two', 'agent'), toolEnded({ toolId: 'one' })]);
    const early = reduceTranscript(EMPTY_TRANSCRIPT, entries.slice(0, first.length));
    const before = arrangeItems(early);
    const after = arrangeItems(reduceTranscript(early, entries.slice(first.length)), before);
    expect(after.top[0]).toBe(before.top[0]);
    expect(after.top[1]).toMatchObject({ key: 'tool:agent', children: 2 });
    expect(after.nested.get('tool:agent')).toMatchObject([
      { key: 'tool:one', depth: 1, item: { ended: { outcome: 'ok' } } },
      { key: 'tool:two', depth: 1 },
    ]);
    expect(before.nested.get('tool:agent')).toHaveLength(1);
  });
});
