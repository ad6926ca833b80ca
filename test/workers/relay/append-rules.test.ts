import { describe, expect, it } from 'vitest';
import type { SequencedEvent } from '../../../protocol/engine-event.ts';
import { decideAppend } from '../../../workers/relay/append-rules.ts';

const events = (...seqs: number[]): SequencedEvent[] =>
  seqs.map((seq) => ({ at: seq * 10, seq, event: { type: 'session/idle' } }) as never);

describe('decideAppend', () => {
  const facts = { seqUpTo: 4, lastPosition: 9 };

  it('gives what is new the next positions of the record', () => {
    const decision = decideAppend(facts, events(5, 6));
    expect(decision).toMatchObject({
      kind: 'accept',
      upTo: 6,
      entries: [
        { position: 10, seq: 5, at: 50 },
        { position: 11, seq: 6, at: 60 },
      ],
    });
  });

  it('leaves out what is there, wherever the batch begins', () => {
    const decision = decideAppend(facts, events(3, 4, 5));
    expect(decision).toMatchObject({ kind: 'accept', entries: [{ position: 10, seq: 5 }] });
  });

  it('acknowledges a batch that is there already, as far as the record goes', () => {
    expect(decideAppend(facts, events(2, 3))).toEqual({ kind: 'stored', upTo: 4 });
    expect(decideAppend(facts, [])).toEqual({ kind: 'stored', upTo: 4 });
  });

  it('asks for what lies between', () => {
    expect(decideAppend(facts, events(6))).toEqual({ kind: 'gap', expected: 5 });
  });
});
