import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../protocol/engine-event.ts';
import { actId } from '../../protocol/ids.ts';
import { ActCollector } from '../../protocol/run-acts.ts';
import { actSeen } from '../support/feed-events.ts';
import { TURN } from '../support/protocol-builders.ts';

type Told = EventOf<'act/seen' | 'act/ended' | 'act/witnessed'>;

const PUSH = actId.parse('act_push');
const REF = actId.parse('act_ref1');
const OTHER_REF = actId.parse('act_ref2');

const claim = actSeen(TURN, { actId: PUSH });
const ref = (id = REF, name = 'main') =>
  actSeen(TURN, { actId: id, witness: 'gate', command: `push ${name}`, claimId: PUSH });
const ended = (
  id: typeof PUSH,
  outcome: EventOf<'act/ended'>['outcome'],
  over: Partial<EventOf<'act/ended'>> = {},
): EventOf<'act/ended'> => ({ type: 'act/ended', actId: id, outcome, ...over });
const found = (
  id: typeof PUSH,
  over: Partial<EventOf<'act/witnessed'>> = {},
): EventOf<'act/witnessed'> => ({
  type: 'act/witnessed',
  actId: id,
  by: 'git',
  finding: 'confirmed',
  move: { place: 'origin', ref: 'refs/heads/main', before: 'a'.repeat(40), after: 'b'.repeat(40) },
  evidence: 'Its objects came from here.',
  ...over,
});

function collect(...events: Told[]) {
  const collector = new ActCollector();
  events.forEach((event, at) => collector.hear(event, at));
  return collector.list();
}

describe('the acts of a record', () => {
  it('are under way until they end', () => {
    expect(collect(claim)).toMatchObject([{ outcome: null, decidedBy: null, at: 0 }]);
    expect(collect(claim, ended(PUSH, 'done'))).toMatchObject([{ outcome: 'done' }]);
  });

  it('end last as they ended last', () => {
    const acts = collect(claim, ended(PUSH, 'unknown'), ended(PUSH, 'not_done'));
    expect(acts).toMatchObject([{ outcome: 'not_done' }]);
  });

  it('are one with what the gate saw of them, and end as the gate says', () => {
    const acts = collect(
      claim,
      ref(),
      ended(PUSH, 'done'),
      ended(REF, 'not_done', { by: 'policy', reason: 'main is protected.' }),
    );
    expect(acts).toMatchObject([
      {
        actId: PUSH,
        outcome: 'not_done',
        decidedBy: 'policy',
        reason: 'main is protected.',
        seenBy: ['stream', 'gate'],
      },
    ]);
    expect(acts[0]?.evidence).toEqual(['The gate refused push main: main is protected.']);
  });

  it('are about what the gate says, where the claim does not say it', () => {
    const url = 'https://forge.example/octo/site/pull/1';
    const asks = actSeen(TURN, { actId: PUSH, kind: 'pull_request', target: null });
    const gate = actSeen(TURN, { actId: REF, witness: 'gate', target: url, claimId: PUSH });
    expect(collect(asks, gate)).toMatchObject([{ actId: PUSH, target: url }]);
    const named = actSeen(TURN, { actId: PUSH, target: 'origin main' });
    expect(collect(named, gate)).toMatchObject([{ target: 'origin main' }]);
  });

  it('are done when one ref moved, with why another one did not', () => {
    const acts = collect(
      claim,
      ref(),
      ref(OTHER_REF, 'v1'),
      ended(REF, 'done'),
      ended(OTHER_REF, 'not_done', { by: 'forge', reason: 'no tags' }),
    );
    expect(acts).toMatchObject([{ outcome: 'done', decidedBy: 'forge', reason: 'no tags' }]);
    expect(acts[0]?.evidence).toHaveLength(2);
  });

  it('stand for themselves where nobody claimed them in this record', () => {
    expect(collect(ref(), ended(REF, 'done'))).toMatchObject([
      { actId: REF, seenBy: ['gate'], outcome: 'done' },
    ]);
  });

  it('tell which refs moved, and whose word that is', () => {
    const acts = collect(claim, ended(PUSH, 'done'), found(PUSH));
    expect(acts).toMatchObject([{ seenBy: ['stream', 'git'], difference: null }]);
    expect(acts[0]?.evidence).toEqual([
      'main on origin: aaaaaaaaa → bbbbbbbbb. Its objects came from here.',
    ]);
  });

  it.each<[EventOf<'act/witnessed'>['finding'], string | null]>([
    ['confirmed', null],
    ['only', null],
    ['unclaimed', 'not in the stream'],
    ['unmoved', 'no ref moved'],
  ])('name the difference of claim and witness: %s', (finding, difference) => {
    const move = finding === 'unmoved' ? null : found(PUSH).move;
    expect(collect(claim, found(PUSH, { finding, move }))).toMatchObject([{ difference }]);
  });

  it('give what a witness said of the gate’s act to the claim', () => {
    const acts = collect(claim, ref(), found(REF));
    expect(acts).toHaveLength(1);
    expect(acts[0]?.seenBy).toEqual(['stream', 'git']);
  });

  it('are told once, however often the record repeats them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(claim, ref(), ended(PUSH, 'done')), { maxLength: 12 }),
        (more) => {
          const acts = collect(claim, ...more);
          expect(acts.filter(({ actId: id }) => id === PUSH)).toHaveLength(1);
          expect(acts).toHaveLength(1);
        },
      ),
    );
  });

  it('pass over an end and a finding of an act that is not there', () => {
    expect(collect(ended(PUSH, 'done'), found(PUSH))).toEqual([]);
  });
});
