import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActOutcome } from '../../protocol/act.ts';
import {
  type ActEnd,
  addGateRef,
  decideEnd,
  endOf,
  type GateRef,
  NOT_ENDED,
  witnessOfGate,
} from '../../protocol/gated-act.ts';

const end = (outcome: ActOutcome | null, more: Partial<ActEnd> = {}): ActEnd => ({
  outcome,
  decidedBy: null,
  reason: null,
  ...more,
});
const REFUSED = end('not_done', { decidedBy: 'policy', reason: 'main is protected' });
const ref = (what: ActEnd, command = 'git push origin abc:refs/heads/x'): GateRef => ({
  command,
  end: what,
});
const anEnd = fc.record({
  outcome: fc.constantFrom<ActOutcome | null>('done', 'not_done', 'unknown', null),
  decidedBy: fc.constantFrom<ActEnd['decidedBy']>('policy', 'forge', null),
  reason: fc.option(fc.string()),
});

describe('an act that the stream claims', () => {
  it('ends as its own command does where the gate saw nothing of it', () => {
    fc.assert(
      fc.property(anEnd, (own) => {
        expect(decideEnd(own, [])).toEqual(own);
      }),
    );
  });

  it('ends as the gate says, whatever its command line came to', () => {
    const one = anEnd.filter(({ outcome }) => outcome !== null);
    fc.assert(
      fc.property(anEnd, one, (own, gates) => {
        expect(decideEnd(own, [ref(gates)])).toEqual(gates);
      }),
    );
  });

  it('was done when one of its refs moved, and says why another did not', () => {
    const both = [ref(end('done')), ref(REFUSED)];
    const expected = { outcome: 'done', decidedBy: 'policy', reason: 'main is protected' };
    expect(decideEnd(end('not_done'), both)).toEqual(expected);
    expect(decideEnd(end('not_done'), both.toReversed())).toEqual(expected);
  });

  it('is not known while what became of one ref is not, and none is known to have moved', () => {
    expect(decideEnd(end('done'), [ref(end('unknown')), ref(end('not_done'))]).outcome).toBe(
      'unknown',
    );
    expect(decideEnd(end('done'), [ref(end('unknown')), ref(end('done'))]).outcome).toBe('done');
  });

  it('is under way while the gate still judges it', () => {
    expect(decideEnd(NOT_ENDED, [ref(NOT_ENDED)])).toEqual(NOT_ENDED);
  });

  it('never comes out as done when no ref of it moved', () => {
    const unmoved = anEnd.filter(({ outcome }) => outcome === 'not_done' || outcome === 'unknown');
    fc.assert(
      fc.property(anEnd, fc.array(unmoved, { minLength: 1 }), (own, ends) => {
        expect(
          decideEnd(
            own,
            ends.map((each) => ref(each)),
          ).outcome,
        ).not.toBe('done');
      }),
    );
  });

  it('gathers its refs one after the other, each with its word', () => {
    const claim = { ...end('not_done'), gate: [], witnesses: [], name: 'kept' };
    const shown = addGateRef(addGateRef(claim, ref(REFUSED, 'first')), ref(end('done'), 'second'));
    expect(shown).toMatchObject({ name: 'kept', outcome: 'done', reason: 'main is protected' });
    expect(shown.witnesses.map(({ evidence }) => evidence)).toEqual([
      'The gate refused first: main is protected',
      'The gate passed it on: second',
    ]);
  });
});

describe('what the gate says', () => {
  it.each<[ActEnd, string]>([
    [end('done'), 'The gate passed it on: it'],
    [end('not_done'), 'The gate refused it'],
    [end('not_done', { decidedBy: 'forge', reason: 'hook' }), 'The forge refused it: hook'],
    [end('unknown'), 'The gate passed it on, and what became of it is not known: it'],
    [NOT_ENDED, 'The gate judges it: it'],
  ])('of %j is a sentence', (what, sentence) => {
    expect(witnessOfGate(ref(what, 'it'))).toEqual({
      by: 'gate',
      finding: 'judged',
      move: null,
      evidence: sentence,
    });
  });

  it('is read from an event with or without a reason', () => {
    expect(endOf({ outcome: 'done' })).toEqual(end('done'));
    expect(endOf({ outcome: 'not_done', by: 'policy', reason: 'main is protected' })).toEqual(
      REFUSED,
    );
  });
});
