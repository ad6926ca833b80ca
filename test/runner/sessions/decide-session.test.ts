import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval.ts';
import { requestId } from '../../../protocol/ids.ts';
import { wholeText } from '../../../protocol/text.ts';
import { aLaunch, aUsage } from '../../support/protocol-builders.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';

const REQUEST: ApprovalRequest = {
  requestId: requestId.parse('apr_1'),
  turnId: turnNumber(1),
  toolId: 'tool',
  kind: 'tool',
  toolName: 'Bash',
  input: wholeText('{}'),
  summary: 'git push',
  acts: ['push'],
  questions: [],
  suggestions: [],
  requestedAt: 1,
  expiresAt: null,
};
const ALLOW: ApprovalAnswer = { decision: 'allow', message: null, answers: null, suggestion: null };
const instruct = (simulator: SessionSimulator, turn: number) =>
  simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(turn), text: 'go' } });
const kinds = (simulator: SessionSimulator) => simulator.effects.map(({ kind }) => kind);

describe('a launch', () => {
  test('goes through its stages, and is ready only at the engine’s own word', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    expect(simulator.view.state).toBe('bootstrap_submitted');
    expect(simulator.ofType('launch/staged').map(({ stage }) => stage)).toEqual([
      'spawned',
      'bootstrap_submitted',
    ]);
    simulator.ready();
    expect(simulator.state.phase.kind).toBe('ready');
  });

  test('hands its first instruction along with the handshake, for engines that say nothing before', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    expect(simulator.engineHas).toBe(turnNumber(1));
    expect(simulator.deliveries(1)).toEqual(['received', 'handed']);
  });

  test('without an instruction and without a handshake has nothing to wait for, and no time runs', () => {
    const simulator = new SessionSimulator(null);
    simulator.prepared();
    simulator.spawning = false;
    simulator.alive = true;
    simulator.input({ kind: 'spawned', process: { pid: 1, argv: ['engine'], directory: '/' } });
    simulator.input({ kind: 'submitted', lines: 0 });
    expect(simulator.state.phase).toEqual({ kind: 'booting', stage: 'spawned', deadlineAt: null });
    instruct(simulator, 2);
    expect(simulator.state.phase).toMatchObject({
      stage: 'bootstrap_submitted',
      deadlineAt: simulator.now + CONFIG.bootstrapMs,
    });
  });

  test('answers its command once the engine’s process is there', () => {
    const simulator = new SessionSimulator();
    expect(kinds(simulator)).not.toContain('settleStart');
    simulator.prepared();
    simulator.spawned();
    expect(simulator.effects.filter(({ kind }) => kind === 'settleStart')).toMatchObject([
      { refusal: null },
    ]);
  });

  test('that hangs is ended after its time, with where it stood and its last words', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.wake();
    expect(simulator.ofType('launch/failed')).toMatchObject([
      {
        state: 'bootstrap_stalled',
        stage: 'bootstrap_submitted',
        elapsedMs: CONFIG.bootstrapMs,
        stderrTail: ['last words'],
      },
    ]);
    expect(simulator.terminating).toBe(true);
    expect(simulator.deliveries(1)).toEqual(['received', 'handed', 'undelivered']);
  });

  test('is not ended by an old timer once the engine has spoken', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    const late = simulator.now + CONFIG.bootstrapMs;
    simulator.ready();
    simulator.now = late;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.ofType('launch/failed')).toEqual([]);
  });

  test('that was stopped while it was prepared starts nothing', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'stop' });
    simulator.prepared();
    expect(simulator.spawning).toBe(false);
    expect(simulator.view.state).toBe('stopped');
    expect(simulator.deliveries(1).at(-1)).toBe('undelivered');
  });

  test('that was stopped while it was prepared stays stopped when the runner ends meanwhile', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'stop' });
    simulator.input({ kind: 'shutdown' });
    simulator.restart();
    simulator.prepared();
    expect(simulator.spawning).toBe(false);
    expect(simulator.view.state).toBe('stopped');
  });

  test('that was stopped while it was spawned ends what came up', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.input({ kind: 'stop' });
    simulator.spawned();
    expect(simulator.engineHas).toBeNull();
    expect(simulator.terminating).toBe(true);
    simulator.exit(0);
    expect(simulator.view.state).toBe('stopped');
  });
});

describe('an engine that fails', () => {
  test('before it is ready is started again after a pause, with the instruction still waiting', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.exit(1);
    expect(simulator.state.phase).toEqual({ kind: 'backoff', untilMs: simulator.now + 1_000 });
    expect(simulator.state.queue).toHaveLength(1);
    simulator.wake();
    expect(simulator.spawning).toBe(true);
  });

  test('again and again is given up, and the reason is told', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    for (let attempt = 0; attempt <= CONFIG.retryDelaysMs.length; attempt++) {
      simulator.spawned();
      simulator.exit(3);
      simulator.wake();
    }
    const [failed] = simulator.ofType('launch/failed');
    expect(failed).toMatchObject({ state: 'failed_to_start', error: { code: 'engine_crashed' } });
    expect(failed?.error.message).toContain('exited with 3');
    expect(simulator.deliveries(1).at(-1)).toBe('undelivered');
  });

  test('for want of a login ends the launch at once, before the turn that it was in', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'fatal', error: { code: 'auth_missing', message: 'not logged in' } });
    simulator.endTurn({
      outcome: 'failed',
      error: { code: 'auth_missing', message: 'not logged in' },
    });
    simulator.exit(1);
    expect(simulator.view.state).toBe('provider_failed');
    expect(simulator.view.turns).toHaveLength(1);
  });

  test('for want of a login after it has worked keeps its conversation', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.startTurn();
    simulator.input({ kind: 'fatal', error: { code: 'auth_expired', message: 'expired' } });
    simulator.endTurn({ outcome: 'failed' });
    simulator.exit(1);
    expect(simulator.view.state).toBe('parked');
    expect(simulator.ofType('launch/failed')).toEqual([]);
  });

  test('with a reason before it was ready, as for a conversation that it does not find, is not tried again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.startTurn();
    simulator.endTurn({
      outcome: 'failed',
      error: { code: 'unknown', message: 'No conversation found' },
    });
    simulator.exit(1);
    expect(simulator.ofType('launch/failed')).toMatchObject([
      { error: { message: 'No conversation found' } },
    ]);
    expect(simulator.view.state).toBe('provider_failed');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
  });

  test('in mid-turn leaves the session parked, to go on with the next instruction', () => {
    const simulator = new SessionSimulator().run();
    simulator.exit(139);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'killed', usage: 'unsettled' },
    ]);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ exitCode: 139, expected: false }]);
    expect(simulator.view.state).toBe('parked');
    simulator.broughtBack();
    instruct(simulator, 2);
    expect(simulator.spawning).toBe(true);
  });

  test('right after an instruction was written, without a word, did not have it: it is tried again', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.exit(1);
    expect(simulator.spawning).toBe(true);
    simulator.spawned();
    expect(simulator.deliveries(2)).toEqual(['received', 'handed', 'handed']);
  });

  test('after it spoke, with the instruction unconfirmed, leaves it unknown and unsent', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.input({ kind: 'spoke' });
    simulator.exit(1);
    expect(simulator.deliveries(2).at(-1)).toBe('unknown');
    expect(simulator.spawning).toBe(false);
  });

  test('and leaves a turn open without a word about it has it ended as unknown', () => {
    const simulator = new SessionSimulator().run();
    simulator.engineTurn = null;
    simulator.exit(1);
    expect(simulator.ofType('turn/ended')).toMatchObject([
      { outcome: 'unknown', usage: 'unsettled' },
    ]);
  });
});

describe('instructions', () => {
  test('wait for the turn to end and for its commits to be brought back', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.endTurn();
    expect(simulator.engineHas).toBeNull();
    simulator.broughtBack();
    expect(simulator.engineHas).toBe(turnNumber(2));
  });

  test('wait for a turn that the engine began by itself', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    simulator.event({ type: 'turn/started', turnId: turnNumber(9), origin: 'engine' });
    instruct(simulator, 2);
    expect(simulator.engineHas).toBeNull();
  });

  test('that come again change nothing', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    instruct(simulator, 2);
    instruct(simulator, 1);
    expect(simulator.state.queue).toHaveLength(1);
    expect(simulator.refusals).toEqual([]);
  });

  test('to a session that is stopped or that failed are refused by name', () => {
    const stopped = new SessionSimulator().run();
    stopped.input({ kind: 'stop' });
    instruct(stopped, 2);
    stopped.exit(0);
    instruct(stopped, 3);
    expect(stopped.refusals).toEqual(['session_ended', 'session_ended']);
    const failed = new SessionSimulator();
    failed.prepared();
    failed.spawned();
    failed.wake();
    instruct(failed, 2);
    failed.exit(0);
    instruct(failed, 3);
    expect(failed.refusals).toEqual(['session_not_ready', 'session_not_ready']);
  });
});

describe('approvals', () => {
  const asked = () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    return simulator;
  };
  const answer = (simulator: SessionSimulator, given = ALLOW) =>
    simulator.input({ kind: 'answer', requestId: REQUEST.requestId, answer: given });

  test('are answered once: the same answer again is accepted and not written, another is refused', () => {
    const simulator = asked();
    answer(simulator);
    answer(simulator);
    expect(kinds(simulator).filter((kind) => kind === 'answer')).toHaveLength(1);
    answer(simulator, { ...ALLOW, decision: 'deny' });
    expect(simulator.refusals).toEqual(['approval_answered']);
  });

  test('that the engine withdrew or that ran out of time are expired, not unknown', () => {
    const withdrawn = asked();
    withdrawn.event({
      type: 'approval/resolved',
      requestId: REQUEST.requestId,
      resolution: 'withdrawn',
    });
    answer(withdrawn);
    expect(withdrawn.refusals).toEqual(['approval_expired']);
    const late = new SessionSimulator().run();
    late.event({ type: 'approval/requested', request: { ...REQUEST, expiresAt: 5_000 } });
    late.now = 5_001;
    answer(late);
    expect(late.refusals).toEqual(['approval_expired']);
    expect(kinds(late)).not.toContain('answer');
  });

  test('of a process that ended are withdrawn', () => {
    const simulator = asked();
    simulator.exit(1);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
    answer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  test('of a process whose input is closed cannot be answered', () => {
    const simulator = asked();
    simulator.restart();
    answer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
    expect(simulator.terminating).toBe(true);
  });
});

describe('the end', () => {
  test('of a session in mid-turn is asked for by protocol first, and forced after its time', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    expect(kinds(simulator)).toContain('interrupt');
    expect(simulator.terminating).toBe(false);
    simulator.wake();
    expect(simulator.terminating).toBe(true);
  });

  test('comes as soon as the interrupted turn has ended', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.terminating).toBe(true);
    simulator.exit(0);
    expect(simulator.ofType('engine/exited')).toMatchObject([{ expected: true }]);
    expect(simulator.ofType('session/ended')).toMatchObject([{ end: 'stopped' }]);
  });

  test('of a stopped session cannot come twice', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    simulator.input({ kind: 'stop' });
    expect(simulator.refusals).toEqual(['session_ended']);
    expect(simulator.ofType('session/ended')).toHaveLength(1);
  });

  test('of an idle engine comes after its idle time, and the conversation stays', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    simulator.wake();
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'idle' }]);
    instruct(simulator, 2);
    simulator.spawned();
    expect(simulator.state).toMatchObject({
      engineSessionId: 'conversation',
      conversationBegun: true,
    });
    expect(simulator.state.launchId).not.toBe('lau_one');
  });

  test('of a process whose output file is full comes between two turns only', () => {
    const simulator = new SessionSimulator().run();
    simulator.input({ kind: 'spoolFull' });
    expect(simulator.terminating).toBe(false);
    simulator.endTurn();
    simulator.input({ kind: 'spoolFull' });
    simulator.exit(0);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'spool_full' }]);
  });
});

describe('a restart of the runner', () => {
  test('lets a turn under way finish, and parks the session after it', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    expect(simulator.state.phase.kind).toBe('orphaned');
    expect(simulator.terminating).toBe(false);
    simulator.endTurn();
    simulator.exit(null);
    expect(simulator.ofType('engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
    expect(simulator.ofType('turn/ended')).toMatchObject([{ outcome: 'ok' }]);
  });

  test('bounds how long that may take', () => {
    const simulator = new SessionSimulator().run();
    simulator.restart();
    simulator.wake();
    expect(simulator.terminating).toBe(true);
  });

  test('makes an instruction that was handed and not confirmed unknown, and does not send it again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    simulator.ready();
    simulator.restart();
    simulator.exit(null);
    expect(simulator.deliveries(1).at(-1)).toBe('unknown');
    expect(simulator.spawning).toBe(false);
  });

  test('prepares again what was being prepared', () => {
    const simulator = new SessionSimulator();
    simulator.restart();
    simulator.prepared();
    expect(simulator.spawning).toBe(true);
  });

  test('keeps what waited through a stop of the runner, and begins nothing new before it', () => {
    const simulator = new SessionSimulator().run();
    instruct(simulator, 2);
    simulator.input({ kind: 'shutdown' });
    simulator.endTurn({ outcome: 'interrupted' });
    simulator.exit(0);
    simulator.broughtBack();
    expect(simulator.spawning).toBe(false);
    simulator.restart();
    simulator.broughtBack();
    expect(simulator.spawning).toBe(true);
  });

  test('brings back the commits of a turn whose end was the last thing stored', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.effects.length = 0;
    simulator.restart();
    expect(simulator.effects).toContainEqual({ kind: 'bringBack', turnId: turnNumber(1) });
  });
});

describe('a budget', () => {
  const spend = (simulator: SessionSimulator, over: Parameters<typeof aUsage>[0]) =>
    simulator.event({ type: 'usage/recorded', turnId: turnNumber(1), entries: [aUsage(over)] });
  const limited = () => new SessionSimulator(1, aLaunch({ budgetMicroUsd: 1_000 })).run();

  test('counts what is reported, estimated or notional, and stops the session at its limit', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 400 });
    spend(simulator, { microUsd: 300, provenance: 'estimated' });
    spend(simulator, { microUsd: 300, payer: 'subscription' });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'budget' }]);
    expect(simulator.terminating).toBe(true);
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_halted']);
    simulator.exit(0);
    expect(simulator.view.state).toBe('halted');
  });

  test('that halts a session does not swallow a stop that comes while the engine ends', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 2_000 });
    simulator.endTurn();
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    expect(simulator.refusals).toEqual([]);
    expect(simulator.view.state).toBe('stopped');
  });

  test('does not count a rehearsal, nor what has no price', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 9_000, provenance: 'rehearsal' });
    spend(simulator, { microUsd: null });
    simulator.endTurn();
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('that is passed in mid-turn asks the turn to end, once', () => {
    const simulator = limited();
    spend(simulator, { microUsd: 2_000 });
    simulator.input({ kind: 'spoke' });
    simulator.input({ kind: 'spoke' });
    expect(kinds(simulator).filter((kind) => kind === 'interrupt')).toHaveLength(1);
    expect(simulator.ofType('session/halted')).toEqual([]);
    simulator.endTurn({ outcome: 'interrupted' });
    expect(simulator.view.state).toBe('halted');
  });
});

describe('the records of the first completed turn', () => {
  test('must be there', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn({ usage: 'none' });
    expect(simulator.ofType('session/halted')).toMatchObject([{ reason: 'missing_records' }]);
  });

  test('are not asked of a turn that failed', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn({ outcome: 'failed', usage: 'none' });
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('are not asked of an engine that never promised them', () => {
    const capabilities = { ...CONFIG.capabilities, usage: 'none', acts: 'none' } as const;
    const simulator = new SessionSimulator(1, aLaunch(), { ...CONFIG, capabilities }).run();
    simulator.endTurn({ usage: 'unobservable', acts: 'unobservable' });
    expect(simulator.ofType('session/halted')).toEqual([]);
  });

  test('are asked once: a later turn without figures is shown as that', () => {
    const simulator = new SessionSimulator().run();
    simulator.endTurn();
    simulator.broughtBack();
    instruct(simulator, 2);
    simulator.startTurn();
    simulator.endTurn({ usage: 'none' });
    expect(simulator.ofType('session/halted')).toEqual([]);
  });
});
