import { describe, expect, it } from 'vitest';
import { requestId, turnId } from '../../../protocol/ids.ts';
import { judge, type Law, LAWS, type Seen, type UsageRow } from '../support/pilot-faults/oracle.ts';

const turn = (name: string, text = name) => ({ turnId: turnId.parse(`trn_${name}`), text });
const charge = (source: 'engine' | 'brain', microUsd: number, beyond = 0) => ({
  source,
  microUsd,
  beyond,
});
const row = (over: Partial<UsageRow>): UsageRow => ({
  engine_id: 'claude',
  turn_id: 'trn_a',
  provenance: 'reported',
  input_tokens: 1,
  micro_usd: 700,
  ...over,
});
const brainRow = (over: Partial<UsageRow> = {}) => row({ engine_id: 'brain', ...over });
const told = (decision: string) => ({ requestId: requestId.parse('apr_1'), decision });

/** Nothing is wrong with it. */
const GOOD: Seen = {
  begun: [turn('a'), turn('b')],
  charged: [charge('engine', 700), charge('brain', 30)],
  served: [],
  answered: [told('allow'), told('allow')],
  anew: [1],
  decided: [{ request_id: 'apr_1', decision: 'allow' }],
  usage: [row({}), brainRow({ micro_usd: 30 })],
  steps: [1, 2, 3],
  pilot: {
    status: 'finished',
    reason: 'Its check passes.',
    hold: null,
    proposal: null,
    until: null,
    finishedAt: 5,
  },
  nowMs: 10,
  asks: false,
  passing: true,
  maxTurns: 2,
  limit: 730,
  wishes: [['b', 'c']],
};
const pilot = (over: Partial<Seen['pilot']>) => ({ pilot: { ...GOOD.pilot, ...over } });
const lost = brainRow({ provenance: 'unsettled', micro_usd: null });

const BROKEN: readonly (readonly [string, Partial<Seen>, Law])[] = [
  ['one turn is begun twice', { begun: [turn('a'), turn('a', 'b')] }, 'turnOnce'],
  [
    'the same words are carried out twice',
    { begun: [turn('a', 'x'), turn('b', 'x')] },
    'wordsOnce',
  ],
  ['there are more turns than it was given', { maxTurns: 1 }, 'turnsBounded'],
  ['both words of a person are carried out', { wishes: [['a', 'b']] }, 'wishOnce'],
  ['an engine is told two answers', { answered: [told('allow'), told('deny')] }, 'answerOnce'],
  ['two decisions are kept', { decided: [...GOOD.decided, ...GOOD.decided] }, 'decisionOnce'],
  ['a conversation is begun anew twice', { anew: [1, 1] }, 'anewOnce'],
  ['a turn is not in the ledger', { usage: [brainRow({ micro_usd: 30 })] }, 'engineSum'],
  ['a turn is there twice', { usage: [...GOOD.usage, row({})] }, 'engineSum'],
  ['a question is booked as work', { usage: [row({}), row({ micro_usd: 30 })] }, 'brainSum'],
  ['an answer of a model is not there', { served: [900] }, 'brainSum'],
  ['it is there twice', { served: [900], usage: [row({}), ...twice(900)] }, 'brainSum'],
  ['more is charged than is left', { limit: 729 }, 'budgetHeld'],
  ['it finishes on a check that fails', { passing: false }, 'proven'],
  ['it decides for ever', pilot({ status: 'deciding' }), 'stands'],
  ['it says no reason', pilot({ reason: '' }), 'stands'],
  ['it waits for a time that is past', pilot({ status: 'waiting_until', until: 9 }), 'stands'],
  ['it waits for a turn that nobody runs', pilot({ status: 'waiting_turn' }), 'stands'],
  ['it wants a yes to nothing', pilot({ status: 'waiting_person', hold: 'proposal' }), 'stands'],
  ['a step is not on record', { steps: [1, 3] }, 'gapless'],
];

function twice(tokens: number): UsageRow[] {
  return [brainRow({ input_tokens: tokens }), brainRow({ input_tokens: tokens })];
}

describe('the oracle of a Pilot', () => {
  it('lets a good run pass', () => {
    expect(judge(GOOD)).toEqual([]);
  });

  it.each(BROKEN)('finds it out when %s', (_, over, law) => {
    expect(judge({ ...GOOD, ...over })).toContain(law);
  });

  it('has a case for every law', () => {
    expect(new Set(BROKEN.map(([, , law]) => law))).toEqual(new Set(Object.keys(LAWS)));
  });

  it('lets what was under way pass a grant, and no more', () => {
    const charged = [charge('engine', 700, 20), charge('brain', 30)];
    expect(judge({ ...GOOD, charged, limit: 710 })).toEqual([]);
    expect(judge({ ...GOOD, charged, limit: 709 })).toEqual(['budgetHeld']);
  });

  it('takes a figure that is lost for on record where a row says that it is', () => {
    expect(judge({ ...GOOD, served: [900], usage: [row({}), lost] })).toEqual([]);
  });

  it.each([
    ['a person who is asked', pilot({ status: 'waiting_person', hold: 'question' })],
    ['a time that comes', pilot({ status: 'waiting_until', until: 11 })],
    ['an answer to its engine', { ...pilot({ status: 'waiting_turn' }), asks: true }],
  ])('takes waiting for %s for a stated wait', (_, over) => {
    expect(judge({ ...GOOD, ...over })).toEqual([]);
  });
});
