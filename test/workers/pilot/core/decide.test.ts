import { describe, expect, it } from 'vitest';
import { LOCAL_ACTOR } from '../../../../protocol/ids.ts';
import type { PilotAsk } from '../../../../protocol/pilot.ts';
import { refusalOf } from '../../../../workers/pilot/core/asks.ts';
import { decide } from '../../../../workers/pilot/core/decide.ts';
import {
  after,
  anEvidence,
  anObservation,
  aRun,
  aSpec,
  ended,
  type EventWithoutTime,
  failing,
  judged,
  passing,
  sent,
} from '../../../support/pilot-builders.ts';

const asked = (ask: PilotAsk): EventWithoutTime => ({ type: 'asked', actorId: LOCAL_ACTOR, ask });
const observed = (over: Parameters<typeof anObservation>[0]): EventWithoutTime => ({
  type: 'observed',
  seen: anObservation(over),
});
const deciding = () => after(aRun(), ended, judged());

describe('a run', () => {
  it('waits for the first turn, judges it, decides, instructs, and waits for the next', () => {
    const state = after(deciding(), failing());
    expect(state).toMatchObject({
      status: 'instructing',
      turns: 2,
      effect: { do: 'instruct', text: 'Correct it' },
    });
    expect(sent(state)).toMatchObject({ status: 'waiting_turn', open: state.open });
  });

  it('finishes on what the runner ran, and on nothing that is only claimed', () => {
    expect(after(deciding(), passing)).toMatchObject({ status: 'finished', effect: null });
    const claimed = after(deciding(), { ...passing, witnessed: [] });
    expect(claimed).toMatchObject({ status: 'deciding', attempt: 1 });
    const failed = after(deciding(), { ...passing, witnessed: [anEvidence()] });
    expect(failed).toMatchObject({ status: 'deciding', attempt: 1 });
  });

  it('asks a person after as many bad decisions as are allowed', () => {
    const bad: EventWithoutTime = { type: 'undecided', problem: 'No JSON.' };
    const twice = after(deciding(), bad, bad);
    expect(twice).toMatchObject({
      status: 'deciding',
      attempt: 2,
      effect: { problem: 'No JSON.' },
    });
    expect(after(twice, bad)).toMatchObject({ status: 'waiting_person', hold: 'question' });
  });

  it('says that the engine is blocked, by what and where that is answered, and sends nothing into it', () => {
    const over = {
      session: 'blocked',
      sessionReason: 'It asks for a password.',
      turn: 'started',
    } as const;
    const state = after(aRun(), observed(over));
    expect(state).toMatchObject({ status: 'waiting_turn', effect: { do: 'await' } });
    expect(state.reason).toMatch(/^It asks for a password\. Answer it on the session’s page/);
    expect(after(state, observed(over))).toBe(state);
    const freed = after(state, observed({ session: 'working', turn: 'started' }));
    expect(freed).toMatchObject({ status: 'waiting_turn', reason: 'The engine works.' });
    expect(after(freed, ended)).toMatchObject({ status: 'judging' });
  });

  it('that is blocked still ends with its time', () => {
    const state = aRun();
    const seen = anObservation({ session: 'blocked', turn: 'started' });
    const late = decide(state, { type: 'observed', at: state.deadlineAt, seen });
    expect(late).toMatchObject({ status: 'stopped', effect: { do: 'interrupt' } });
  });

  it('looks at the same thing twice without taking a step', () => {
    const state = aRun();
    const seen = after(state, observed({}));
    expect(after(seen, observed({}))).toBe(seen);
  });

  it('stops when its turns or its time are used up', () => {
    const one = after(aRun(aSpec({ bounds: { maxTurns: 1 } })), ended, judged(), failing());
    expect(one).toMatchObject({ status: 'stopped', turns: 1 });
    const late = after(aRun(), { ...observed({}), at: 9 * 3_600_000 });
    expect(late).toMatchObject({ status: 'stopped', effect: { do: 'interrupt' } });
    expect(after(late, { type: 'done' })).toMatchObject({ status: 'stopped', effect: null });
  });

  it('ends with a session that is stopped, and waits for one that failed', () => {
    expect(after(aRun(), observed({ session: 'stopped' }))).toMatchObject({ status: 'stopped' });
    const gone = after(aRun(), observed({ session: 'lost' }));
    expect(gone).toMatchObject({ status: 'waiting_person', hold: 'gone' });
    expect(after(gone, observed({ session: 'working' }))).toMatchObject({ status: 'waiting_turn' });
  });

  it('waits out a provider that refuses, until its own time or ever longer', () => {
    const refused = judged({ outcome: 'failed', failure: 'rate_limited', resetsAt: 600_000 });
    const waiting = after(aRun(), ended, refused);
    expect(waiting).toMatchObject({ status: 'waiting_until', effect: { until: 605_000 } });
    expect(after(waiting, { ...ended, at: 600_000 })).toBe(waiting);
    expect(after(waiting, { ...ended, at: 605_000 })).toMatchObject({
      status: 'deciding',
    });
    const unknown = after(aRun(), ended, judged({ failure: 'overloaded' }));
    expect(unknown).toMatchObject({ effect: { until: 62_000 }, refusals: 1 });
  });

  it('woken before its time waits for the one time that it waits for, however often (R2)', () => {
    const refused = judged({ outcome: 'failed', failure: 'rate_limited', resetsAt: 600_000 });
    const waiting = after(aRun(), ended, refused);
    const woken = Array.from({ length: 20 }, (_, at) => ({ ...ended, at: 400_000 + at }));
    expect(after(waiting, ...woken)).toBe(waiting);
    const on = after(waiting, ...woken, { ...ended, at: 605_000 });
    expect(on.status).toBe('deciding');
    // Nothing of the wait is left that would come a second time.
    expect(after(on, { ...ended, at: 605_001 }, { ...ended, at: 1_205_000 })).toBe(on);
  });

  it('waits for a budget to renew, and asks a person where it never does', () => {
    const sending = after(aRun(), ended, judged(), failing());
    if (sending.effect?.do !== 'instruct') throw new Error('no instruction is being sent');
    const { turnId } = sending.effect;
    const refused = {
      type: 'refused',
      turnId,
      code: 'budget_exhausted',
      message: 'Used up.',
    } as const;
    const waiting = after(sending, { ...refused, againAt: 700_000 });
    expect(waiting).toMatchObject({
      status: 'waiting_until',
      effect: { until: 700_000 },
      open: null,
    });
    expect(waiting.turns).toBe(sending.turns - 1);
    // What is decided is paid for: it is sent as itself, however often it is refused.
    const renewed = after(waiting, { ...observed({ session: 'idle', turn: 'none' }), at: 700_000 });
    expect(renewed).toMatchObject({
      turns: sending.turns,
      open: turnId,
      effect: sending.effect,
    });
    const later = { ...observed({ session: 'idle', turn: 'none' }), at: 800_000 };
    const once = after(renewed, { ...refused, againAt: 800_000 });
    expect(after(once, later).effect).toEqual(sending.effect);
    expect(sent(after(once, later))).toMatchObject({ status: 'waiting_turn', open: turnId });
    const other = asked({ action: 'objective', objective: 'Write' });
    expect(after(once, other, later).effect).toMatchObject({ do: 'brain' });
    expect(after(sending, refused)).toMatchObject({ hold: 'question', reason: 'Used up.' });
  });

  it('sends what is decided and unsent as itself after a pause or a takeover', () => {
    const sending = after(aRun(), ended, judged(), failing());
    if (sending.effect?.do !== 'instruct') throw new Error('no instruction is being sent');
    const { turnId } = sending.effect;
    const refused = (code: string, againAt: number | null = null): EventWithoutTime => ({
      type: 'refused',
      turnId,
      code,
      message: 'No.',
      againAt,
    });
    const rests = after(sending, refused('budget_exhausted', 700_000));
    const [stop, go] = [asked({ action: 'pause' }), asked({ action: 'resume' })];
    const [taken, back] = [
      observed({ session: 'taken_over', takenOver: true }),
      observed({ session: 'idle', turn: 'none' }),
    ];
    for (const resumed of [
      after(rests, stop, go),
      after(rests, taken, back),
      after(sending, stop, refused('budget_exhausted'), go),
      after(sending, refused('taken_over'), back),
    ]) {
      expect(resumed).toMatchObject({ status: 'instructing', turns: sending.turns, open: turnId });
      expect(resumed.effect).toEqual(sending.effect);
    }
    const other = asked({ action: 'objective', objective: 'Write' });
    expect(after(rests, stop, other, go).effect).toMatchObject({ do: 'brain' });
    expect(after(rests, taken, other, back).effect).toMatchObject({ do: 'brain' });
  });

  it('launches a conversation again that the provider refused at its start', () => {
    const waiting = after(
      aRun(),
      observed({ session: 'provider_failed', failure: 'rate_limited', turn: 'accepted' }),
    );
    expect(waiting).toMatchObject({ status: 'waiting_until', refused: true });
    const due = {
      ...observed({ session: 'provider_failed', failure: 'rate_limited' }),
      at: 61_000,
    };
    const revived = after(waiting, due);
    expect(revived.effect).toEqual({ do: 'revive' });
    expect(after(revived, { type: 'done' })).toMatchObject({ status: 'waiting_turn' });
  });

  it('sends an instruction again that reached no engine, under its own id, and none that may have', () => {
    const working = sent(after(deciding(), failing()));
    const again = after(working, observed({ session: 'idle', turn: 'undelivered' }));
    expect(again.effect).toEqual({ do: 'instruct', turnId: working.open, text: 'Correct it' });
    expect(again.turns).toBe(2);
    const unknown = after(working, observed({ session: 'idle', turn: 'unknown' }));
    expect(unknown).toMatchObject({ status: 'waiting_person', hold: 'question', open: null });
  });

  it('takes a fault that stays to a person, and goes on when told', () => {
    const broken = after(deciding(), { type: 'broke', message: 'D1 is away' });
    expect(broken).toMatchObject({ status: 'waiting_person', hold: 'question' });
    expect(after(broken, asked({ action: 'resume' }))).toMatchObject({ status: 'deciding' });
  });
});

describe('a person', () => {
  it('pauses a run, and nothing more is sent until it is resumed', () => {
    const paused = after(deciding(), asked({ action: 'pause' }), failing());
    expect(paused).toMatchObject({ status: 'paused', turns: 1 });
    expect(after(paused, asked({ action: 'resume' }))).toMatchObject({ status: 'deciding' });
  });

  it('pauses while an instruction is on its way: it is followed, and nothing comes after it', () => {
    const sending = after(after(deciding(), failing()), asked({ action: 'pause' }));
    expect(sending).toMatchObject({ status: 'instructing', pauseNext: true });
    const paused = sent(sending);
    expect(paused).toMatchObject({ status: 'paused', open: sending.open });
    expect(after(paused, asked({ action: 'resume' }))).toMatchObject({ status: 'waiting_turn' });
  });

  it('is given back the time in which it was waited for', () => {
    const paused = after(aRun(), asked({ action: 'pause' }));
    const resumed = after(paused, {
      ...asked({ action: 'resume' }),
      at: 7_201_000,
    });
    expect(resumed.deadlineAt).toBe(8 * 3_600_000 + 7_200_000);
    expect(resumed.effect).toEqual({ do: 'await', until: resumed.deadlineAt });
  });

  it('edits and confirms what a co-pilot proposes, of the step that was read alone', () => {
    const proposed = after(aRun(aSpec({ mode: 'co_pilot' })), ended, judged(), failing());
    expect(proposed).toMatchObject({ hold: 'proposal', proposal: 'Correct it', turns: 1 });
    const stale: PilotAsk = { action: 'confirm', step: proposed.step - 1 };
    expect(refusalOf(proposed, stale)).toBe('pilot_moved_on');
    expect(after(proposed, asked(stale))).toBe(proposed);
    expect(refusalOf(proposed, { action: 'resume' })).toBe('pilot_proposes');
    const edited = { action: 'confirm', step: proposed.step, instruction: 'Do it so' } as const;
    expect(after(proposed, asked(edited)).effect).toMatchObject({
      do: 'instruct',
      text: 'Do it so',
    });
  });

  it('answers a question with words, or lets the run look again', () => {
    const held = after(aRun(), ended, judged({ outcome: 'interrupted' }));
    expect(held).toMatchObject({ status: 'waiting_person', hold: 'question' });
    expect(refusalOf(held, { action: 'confirm', step: held.step })).toBe('pilot_needs_words');
    expect(after(held, asked({ action: 'resume' }))).toMatchObject({ status: 'deciding' });
  });

  it('takes the session over and hands it back, and the run goes on by itself', () => {
    const held = after(aRun(), observed({ session: 'taken_over', takenOver: true }));
    expect(held).toMatchObject({ hold: 'takeover' });
    expect(refusalOf(held, { action: 'resume' })).toBe('taken_over');
    expect(after(held, ended)).toMatchObject({ status: 'waiting_turn' });
  });

  it('changes the objective at any time, and its checks with it', () => {
    const steps = [{ title: 'Docs', check: 'npm run docs', timeoutMs: 5_000 }];
    const changed = after(deciding(), asked({ action: 'objective', objective: 'Write', steps }));
    expect(changed).toMatchObject({
      objective: 'Write',
      status: 'deciding',
      effect: { do: 'brain' },
    });
    expect(changed.spec.brain.steps).toEqual(steps);
    const paused = after(
      aRun(),
      asked({ action: 'pause' }),
      asked({ action: 'objective', objective: 'Write' }),
    );
    expect(paused).toMatchObject({ status: 'paused', objective: 'Write' });
  });

  it('stops a run for good, with the turn that runs', () => {
    const stopped = after(aRun(), asked({ action: 'stop' }));
    expect(stopped).toMatchObject({ status: 'stopped', effect: { do: 'interrupt' } });
    expect(refusalOf(stopped, { action: 'resume' })).toBe('pilot_over');
  });

  it('that is stopped says that its turn is interrupted or withdrawn, and only where there is one', () => {
    const stop = asked({ action: 'stop' });
    expect(after(aRun(), stop).reason).toContain('waits for its machine is withdrawn');
    const idle = after(deciding(), stop);
    expect(idle).toMatchObject({ status: 'stopped', reason: 'Stopped by a person.', effect: null });
  });
});

describe('a machine that is away when the brain is asked', () => {
  const away: EventWithoutTime = {
    type: 'unavailable',
    reason: 'The machine is away.',
    retryAt: 0,
    away: true,
  };
  const later = (state: ReturnType<typeof deciding>) =>
    decide(state, {
      type: 'observed',
      at: (state.effect?.do === 'await' ? (state.effect.until ?? 0) : 0) + 1,
      seen: anObservation({ turn: 'none' }),
    });

  it('is asked the same question again, soon at first, then seldom', () => {
    const first = deciding();
    const waits: number[] = [];
    let state = first;
    for (let times = 0; times < 4; times++) {
      const at = state.since;
      state = decide(state, { ...away, at });
      expect(state.away?.step).toBe(first.step);
      waits.push((state.effect?.do === 'await' ? (state.effect.until ?? 0) : 0) - at);
      state = later(state);
      expect(state).toMatchObject({ status: 'deciding', effect: { do: 'brain' } });
    }
    expect(waits).toEqual([5_000, 15_000, 45_000, 60_000]);
  });

  it('is asked a new question once one is answered', () => {
    const back = later(decide(deciding(), { ...away, at: 10 }));
    const next = decide(back, { type: 'undecided', at: 20, problem: 'No JSON.' });
    expect(next.away).toBeNull();
  });

  it('is asked a new question after the turn that an answer led to, whatever is waited for then', () => {
    const back = later(decide(deciding(), { ...away, at: 10 }));
    const why = { reason: 'x', evidence: [] };
    const decision = { ...why, next: 'instruct' as const, instruction: 'Go on' };
    const sent = decide(back, { type: 'decided', at: 20, decision, witnessed: [] });
    expect(sent).toMatchObject({ status: 'instructing', away: null });
    const waits = { ...why, next: 'wait_until' as const, until: 90 };
    const waiting = decide(back, { type: 'decided', at: 20, decision: waits, witnessed: [] });
    expect(waiting).toMatchObject({ status: 'waiting_until', away: null });
  });
});

describe('a conversation that is to be launched again', () => {
  const reviving = () => {
    const waiting = after(aRun(), observed({ session: 'provider_failed', failure: 'overloaded' }));
    const until = waiting.effect?.do === 'await' ? (waiting.effect.until ?? 0) : 0;
    const seen = anObservation({ session: 'provider_failed', failure: 'overloaded' });
    return decide(waiting, { type: 'observed', at: until + 1, seen });
  };
  const refused = (code: string, againAt: number | null = null) =>
    decide(reviving(), { type: 'done', at: 100_000, refused: { code, message: 'No.', againAt } });

  it('is followed once it is', () => {
    expect(reviving()).toMatchObject({ effect: { do: 'revive' } });
    expect(decide(reviving(), { type: 'done', at: 100_000 })).toMatchObject({
      status: 'waiting_turn',
    });
  });

  it('waits for a budget to renew, and asks a person where it never does', () => {
    const waiting = refused('budget_exhausted', 700_000);
    expect(waiting).toMatchObject({
      status: 'waiting_until',
      reason: 'No.',
      effect: { until: 700_000 },
    });
    const seen = anObservation({ session: 'provider_failed', failure: 'overloaded' });
    expect(decide(waiting, { type: 'observed', at: 700_000, seen }).effect).toEqual({
      do: 'revive',
    });
    expect(refused('budget_exhausted')).toMatchObject({ hold: 'gone' });
  });

  it('is followed where a person has launched it meanwhile', () => {
    expect(refused('nothing_to_retry')).toMatchObject({ status: 'waiting_turn', hold: null });
  });

  it('that cannot be launched otherwise is a question to a person, with the reason', () => {
    expect(refused('breach_open')).toMatchObject({
      status: 'waiting_person',
      hold: 'gone',
      reason: 'The conversation could not be launched again: No.',
    });
  });

  it('waits for its machine where that is away, and is tried again', () => {
    const waiting = refused('runner_offline');
    expect(waiting).toMatchObject({ status: 'waiting_until', effect: { until: 160_000 } });
    const seen = anObservation({ session: 'provider_failed', failure: 'overloaded' });
    expect(decide(waiting, { type: 'observed', at: 160_001, seen })).toMatchObject({
      effect: { do: 'revive' },
    });
  });
});
