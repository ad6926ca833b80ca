import { describe, expect, test } from 'vitest';
import { describePilot } from '../../../../runner/cli/pilot/words.ts';
import type { PilotDecisionRow, PilotView } from '../../../../protocol/pilot-view.ts';
import { aUsage } from '../../../support/protocol-builders.ts';
import { aPilotView } from '../../../support/pilot-builders.ts';

const PILOT = aPilotView({ mode: 'co_pilot', policy: null });
const DECISION: PilotDecisionRow = {
  step: 4,
  at: 1,
  next: 'instruct',
  instruction: 'Correct it',
  reason: '0 of 1 checks pass.',
  usage: [],
  evidence: [
    { title: 'Tests', command: 'npm test', passed: false, exitCode: 1, durationMs: 5, tail: 'x' },
  ],
  status: 'instructing',
  outcome: 'The instruction is handed over.',
  anew: false,
};

const say = (over: Partial<PilotView>, decisions: PilotDecisionRow[] = []) =>
  describePilot({ ...PILOT, ...over }, decisions, (_, text) => text);

describe('a Pilot in words', () => {
  test('says where it stands, why, and how far it may go', () => {
    expect(say({}).split('\n').slice(0, 2)).toEqual([
      'The engine works: The engine works.',
      '2 of 30 turns, brain: checklist, mode: co-pilot',
    ]);
    expect(say({})).toContain('Nothing was decided yet.');
    expect(say({ pausing: true })).toContain(', pausing');
    expect(say({ status: 'waiting_until', until: 0 })).toContain('until 1970-01-01T00:00:00.000Z');
  });

  test.each([
    [{ status: 'paused' }, 'pilot resume ses_pilot1'],
    [{ status: 'waiting_person', hold: 'proposal' }, 'pilot confirm ses_pilot1'],
    [{ status: 'waiting_person', hold: 'question' }, '--instruction'],
    [{ status: 'waiting_person', hold: 'gone' }, 'sessions retry ses_pilot1'],
    [{ status: 'waiting_person', hold: 'halted' }, 'sessions show ses_pilot1'],
    [{ status: 'waiting_person', hold: 'takeover' }, 'takeover ses_pilot1 --release'],
  ] as const)('%j names the next command', (over, command) => {
    expect(say(over)).toContain(`Next: `);
    expect(say(over)).toContain(command);
  });

  test('names the model that decides, and what each of its answers took', () => {
    expect(say({ brain: 'api', brainModel: 'some-model' })).toContain('brain: api, some-model');
    const usage = aUsage({ model: 'some-model', inputTokens: 1_000, outputTokens: 40 });
    expect(say({}, [{ ...DECISION, usage: [usage] }])).toContain('read 1 K, wrote 40 tokens: ');
    const lost = { ...usage, provenance: 'unsettled', microUsd: null } as const;
    expect(say({}, [{ ...DECISION, usage: [lost] }])).toContain('never came');
    expect(say({}, [DECISION])).not.toContain('wrote');
  });

  test('asks for nothing while it works, and nothing once it is over', () => {
    expect(say({})).not.toContain('Next:');
    expect(say({ status: 'finished' })).not.toContain('Next:');
    expect(say({ status: 'finished' })).not.toContain('Nothing was decided');
  });

  test('shows what is proposed, word for word', () => {
    const told = say({ status: 'waiting_person', hold: 'proposal', proposal: 'One\nTwo' });
    expect(told).toContain('It proposes:\n  One\n  Two');
  });

  test('says that a conversation is begun anew, where it is and how it is kept', () => {
    const proposed = { status: 'waiting_person', hold: 'proposal', proposal: 'One' } as const;
    expect(say({ beginsAnew: true })).toContain(', a long conversation is begun anew');
    expect(say({ ...proposed, proposesAnew: 'It is long.' })).toContain(
      '  One\nIn a conversation that is begun anew.\n\nNext: pilothouse pilot confirm ses_pilot1 [--instruction "…"] [--keep]',
    );
    expect(say(proposed)).not.toMatch(/anew|--keep/);
  });

  test('shows each decision with its evidence, and what else it led to', () => {
    const told = say({}, [DECISION, { ...DECISION, step: 2, next: null, evidence: [] }]);
    expect(told).toContain('4. instruct: 0 of 1 checks pass. → The instruction is handed over.');
    expect(told).toContain('fail Tests (npm test)');
    expect(told).toContain('2. nothing usable');
  });
});
