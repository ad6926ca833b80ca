import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../protocol/errors.ts';
import { PILOT_STATUSES, type PilotAsk } from '../../../../protocol/pilot.ts';
import { decideAsk, isStanding, refusalOf } from '../../../../workers/pilot/core/asks.ts';
import type { PilotState } from '../../../../workers/pilot/core/state.ts';
import { after, aRun, ended, failing, judged } from '../../../support/pilot-builders.ts';

const RESUME: PilotAsk = { action: 'resume' };
const confirm = (state: PilotState, instruction?: string): PilotAsk => ({
  action: 'confirm',
  step: state.step,
  ...(instruction !== undefined && { instruction }),
});
const waiting = (over: Partial<PilotState> = {}): PilotState => ({
  ...aRun(),
  status: 'waiting_person',
  hold: 'question',
  open: null,
  effect: { do: 'await', until: null },
  ...over,
});

describe('a wish that a run refuses', () => {
  it.each(['finished', 'stopped', 'failed'] as const)('is every one once it is %s', (status) => {
    const state = { ...aRun(), status };
    const wishes: PilotAsk[] = [
      RESUME,
      { action: 'pause' },
      { action: 'stop' },
      { action: 'objective', objective: 'B' },
      confirm(state, 'Do'),
    ];
    expect(wishes.map((ask) => refusalOf(state, ask))).toEqual(wishes.map(() => 'pilot_over'));
  });

  it.each<[string, Partial<PilotState>, ErrorCode | null]>([
    ['a question', {}, null],
    ['a pause', { status: 'paused', hold: null }, null],
    ['a pause that is to come', { status: 'instructing', hold: null, pauseNext: true }, null],
    ['a proposal', { hold: 'proposal', proposal: 'Do' }, 'pilot_proposes'],
    ['a takeover', { hold: 'takeover' }, 'taken_over'],
    ['work', { status: 'waiting_turn', hold: null }, 'pilot_not_waiting'],
    ['a time', { status: 'waiting_until', hold: null }, 'pilot_not_waiting'],
  ])('is resuming, for %s: %o leads to %s', (_what, over, refusal) => {
    expect(refusalOf(waiting(over), RESUME)).toBe(refusal);
  });

  it('is a yes without words to go by, to another step, or where nothing waits', () => {
    const state = waiting();
    expect(refusalOf(state, confirm(state))).toBe('pilot_needs_words');
    expect(refusalOf(state, confirm(state, 'Do'))).toBeNull();
    expect(refusalOf(waiting({ proposal: 'Do' }), confirm(state))).toBeNull();
    expect(refusalOf(state, { ...confirm(state, 'Do'), step: state.step + 1 } as PilotAsk)).toBe(
      'pilot_moved_on',
    );
    expect(refusalOf(aRun(), confirm(aRun(), 'Do'))).toBe('pilot_not_waiting');
  });
});

describe('waiting for a person', () => {
  it('is a pause or a question, and no other status', () => {
    expect(PILOT_STATUSES.filter((status) => isStanding({ status }))).toEqual([
      'waiting_person',
      'paused',
    ]);
  });
});

describe('a wish that is met', () => {
  it('to pause twice is to pause once', () => {
    const paused = decideAsk(aRun(), { action: 'pause' });
    expect(decideAsk(paused, { action: 'pause' })).toBe(paused);
    const sending = after(aRun(), ended, judged(), failing());
    const soon = decideAsk(sending, { action: 'pause' });
    expect(soon).toEqual({ ...sending, pauseNext: true });
    expect(decideAsk(soon, { action: 'pause' })).toBe(soon);
    expect(decideAsk(soon, RESUME)).toEqual(sending);
  });

  it('to resume looks anew: what went in circles before is forgotten', () => {
    const mark = { instruction: 'a', failing: 'b', changes: null, acts: 0 };
    const state = decideAsk(waiting({ marks: [mark, mark], attempt: 2 }), RESUME);
    expect(state).toMatchObject({ status: 'deciding', marks: [], attempt: 0, hold: null });
  });

  it('to resume goes on with the turn that is open', () => {
    expect(decideAsk({ ...aRun(), status: 'paused' }, RESUME).status).toBe('waiting_turn');
  });

  it('to confirm sends the person’s words rather than those that were proposed', () => {
    const state = waiting({ hold: 'proposal', proposal: 'Theirs' });
    expect(decideAsk(state, confirm(state)).instruction).toBe('Theirs');
    expect(decideAsk(state, confirm(state, 'Mine'))).toMatchObject({
      instruction: 'Mine',
      status: 'instructing',
      proposal: null,
      turns: state.turns + 1,
    });
  });

  it('to stop interrupts a turn that may run, and none where none is', () => {
    expect(decideAsk(aRun(), { action: 'stop' }).effect).toEqual({ do: 'interrupt' });
    expect(decideAsk(waiting(), { action: 'stop' })).toMatchObject({
      status: 'stopped',
      reason: 'Stopped by a person.',
      effect: null,
    });
  });

  it.each<[string, Partial<PilotState>, PilotState['status']]>([
    ['a question', {}, 'deciding'],
    ['a proposal', { hold: 'proposal', proposal: 'Do' }, 'deciding'],
    ['a takeover', { hold: 'takeover' }, 'waiting_person'],
    ['a pause', { status: 'paused', hold: null }, 'paused'],
    ['a turn', { status: 'waiting_turn', hold: null }, 'waiting_turn'],
  ])('for another objective during %s changes it, and leads to %3$s', (_what, over, status) => {
    const next = decideAsk(waiting(over), { action: 'objective', objective: 'B' });
    expect(next).toMatchObject({ objective: 'B', status, marks: [] });
    expect(next.spec).toEqual(aRun().spec);
  });
});
