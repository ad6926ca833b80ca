import { describe, expect, test } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import type { LaunchRefusal } from '../../../runner/sessions/session-io.ts';
import { actRulesOf } from '../../support/policy-rules.ts';
import { checkoutPrepared } from '../../support/feed-events.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, countOf, instruct, kinds } from '../../support/session-steps.ts';

const REFUSAL: LaunchRefusal = {
  state: 'failed_to_start',
  code: 'directory_not_allowed',
  error: { code: 'workspace_refused', message: 'It is outside the limits.' },
};
const settled = (simulator: SessionSimulator) =>
  simulator.effects.filter(({ kind }) => kind === 'settleStart');
const booting = (turn: number | null = 1) => {
  const simulator = new SessionSimulator(turn);
  simulator.prepared();
  simulator.spawned();
  return simulator;
};

describe('a checkout that is ready', () => {
  test('is told before anything is started in it', () => {
    const simulator = new SessionSimulator();
    simulator.preparing = false;
    const events: EngineEvent[] = [checkoutPrepared()];
    simulator.input({ kind: 'prepared', events });
    const order = simulator.effects.map((effect) =>
      effect.kind === 'emit' ? effect.event.type : effect.kind,
    );
    expect(order.indexOf('checkout/prepared')).toBeLessThan(order.indexOf('spawn'));
  });

  test('of a launch that was stopped meanwhile answers its command and starts nothing', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'stop' });
    simulator.prepared();
    expect(settled(simulator)).toMatchObject([{ refusal: null }]);
    expect(simulator.ofType('session/ended')).toHaveLength(1);
  });

  test('while the runner ends is prepared again by its next start', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'shutdown' });
    simulator.prepared();
    expect(simulator.spawning).toBe(false);
    expect(simulator.state.phase).toEqual({ kind: 'preparing' });
    simulator.restart();
    simulator.prepared();
    expect(simulator.spawning).toBe(true);
  });

  test('that comes twice starts one process', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.input({ kind: 'prepared', events: [checkoutPrepared()] });
    expect(countOf(simulator, 'spawn')).toBe(1);
  });
});

describe('a launch that is refused', () => {
  const refused = (refusal = REFUSAL) => {
    const simulator = new SessionSimulator();
    simulator.preparing = false;
    simulator.input({ kind: 'refused', refusal });
    return simulator;
  };

  test('answers its command with the refusal', () => {
    expect(settled(refused())).toMatchObject([{ commandId: 'cmd_start', refusal: REFUSAL }]);
  });

  test('is a failed launch that stood at its very beginning', () => {
    expect(refused().ofType('launch/failed')).toMatchObject([
      { state: 'failed_to_start', stage: 'queued', error: REFUSAL.error, stderrTail: [] },
    ]);
  });

  test('leaves its instruction undelivered, for the same reason', () => {
    const simulator = refused();
    expect(simulator.ofType('turn/delivered').at(-1)).toMatchObject({
      delivery: 'undelivered',
      reason: 'It is outside the limits.',
    });
  });

  test('is over, and takes no instruction', () => {
    const simulator = refused();
    instruct(simulator, 2);
    expect(simulator.refusals).toEqual(['session_not_ready']);
  });

  test('while it was being stopped is stopped, and shows both', () => {
    const simulator = new SessionSimulator();
    simulator.input({ kind: 'stop' });
    simulator.preparing = false;
    simulator.input({ kind: 'refused', refusal: REFUSAL });
    expect(simulator.view.state).toBe('stopped');
    expect(simulator.ofType('launch/failed')).toHaveLength(1);
  });
});

describe('a process that was started', () => {
  test('is told with its number and its command line', () => {
    expect(booting().ofType('launch/staged')[0]).toMatchObject({
      stage: 'spawned',
      process: { pid: 7, argv: ['engine'], directory: '/work', environment: [] },
    });
  });

  test('is held from then on to what it was started with', () => {
    const simulator = new SessionSimulator(null);
    simulator.prepared();
    const process = { pid: 1, argv: ['e'], directory: '/', environment: [] };
    const [first, second] = [actRulesOf({ mode: 'none' }), actRulesOf({ mode: 'ask' })];
    simulator.input({ kind: 'spawned', process, acts: first });
    expect(simulator.state.acts).toEqual(first);
    simulator.input({ kind: 'spawned', process, acts: second });
    expect(simulator.state.acts).toEqual(second);
  });

  test('has no deadline before anything was written to it', () => {
    const simulator = new SessionSimulator(null);
    simulator.prepared();
    simulator.input({
      kind: 'spawned',
      process: { pid: 1, argv: ['e'], directory: '/', environment: [] },
    });
    expect(simulator.state.phase).toMatchObject({ kind: 'booting', deadlineAt: null });
  });

  test('has its time to answer from the last thing that was written', () => {
    const simulator = booting(null);
    simulator.now += 10_000;
    instruct(simulator, 2);
    expect(simulator.state.phase).toMatchObject({
      deadlineAt: simulator.now + CONFIG.bootstrapMs,
    });
  });

  test('tells once that it was written to', () => {
    const simulator = booting(null);
    instruct(simulator, 2);
    expect(simulator.ofType('launch/staged').map(({ stage }) => stage)).toEqual([
      'spawned',
      'bootstrap_submitted',
    ]);
  });

  test('answers the launch’s command exactly once, however often it is started', () => {
    const simulator = booting();
    simulator.exit(1);
    simulator.wake();
    simulator.spawned();
    simulator.ready();
    expect(settled(simulator)).toHaveLength(1);
  });
});

describe('an engine that cannot be started', () => {
  const unspawned = (times: number) => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    for (let time = 0; time < times; time++) {
      simulator.spawning = false;
      simulator.input({ kind: 'spawnFailed', message: 'no memory' });
      if (time < times - 1) simulator.wake();
    }
    return simulator;
  };

  test('is tried again after the pauses of the configuration', () => {
    const simulator = unspawned(1);
    expect(simulator.state.phase).toEqual({
      kind: 'backoff',
      untilMs: simulator.now + (CONFIG.retryDelaysMs[0] ?? 0),
    });
  });

  test('has its command answered only when it is given up', () => {
    expect(settled(unspawned(1))).toEqual([]);
    expect(settled(unspawned(1 + CONFIG.retryDelaysMs.length))).toHaveLength(1);
  });

  test('is given up with the system’s own words', () => {
    const simulator = unspawned(1 + CONFIG.retryDelaysMs.length);
    expect(simulator.ofType('launch/failed')).toMatchObject([
      { state: 'failed_to_start', error: { code: 'engine_crashed', message: 'no memory' } },
    ]);
    expect(simulator.view.turns).toEqual([]);
    expect(simulator.deliveries(1).at(-1)).toBe('undelivered');
  });

  test('during its pause can be stopped', () => {
    const simulator = unspawned(1);
    simulator.input({ kind: 'stop' });
    expect(simulator.view.state).toBe('stopped');
    expect(settled(simulator)).toHaveLength(1);
    simulator.wake();
    expect(simulator.spawning).toBe(false);
  });

  test('during its pause takes a further instruction, and keeps the order', () => {
    const simulator = unspawned(1);
    instruct(simulator, 2);
    expect(simulator.state.queue.map(({ turnId }) => turnId)).toEqual([
      turnNumber(1),
      turnNumber(2),
    ]);
  });

  test('does not wait less because somebody looks early', () => {
    const simulator = unspawned(1);
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(simulator.spawning).toBe(false);
  });

  test('while it was being stopped is not tried again', () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.input({ kind: 'stop' });
    simulator.spawning = false;
    simulator.input({ kind: 'spawnFailed', message: 'no memory' });
    expect(simulator.view.state).toBe('stopped');
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'ended' });
  });
});

describe('an engine’s first word', () => {
  test('forgives the failures before it', () => {
    const simulator = booting();
    simulator.exit(1);
    simulator.wake();
    simulator.spawned();
    simulator.ready();
    expect(simulator.state.bootFailures).toBe(0);
  });

  test('names the conversation', () => {
    const simulator = booting();
    simulator.ready();
    expect(simulator.state.engineSessionId).toBe('conversation');
    expect(simulator.state.conversationBegun).toBe(false);
  });

  test('without an instruction begins its idle time', () => {
    const simulator = booting(null);
    simulator.now = 5_000;
    simulator.ready();
    expect(simulator.state.phase).toEqual({ kind: 'ready', idleSince: 5_000 });
  });

  test('with an instruction under way begins none', () => {
    const simulator = booting();
    simulator.ready();
    expect(simulator.state.phase).toEqual({ kind: 'ready', idleSince: null });
  });
});

describe('a stalled launch', () => {
  test('says how long it was given and what to do', () => {
    const simulator = booting();
    simulator.wake();
    const [failed] = simulator.ofType('launch/failed');
    expect(failed?.error).toMatchObject({ code: 'no_output' });
    expect(failed?.error.message).toContain('120 s');
    expect(failed?.error.message).toContain('Retry');
  });

  test('is over when its process is gone, and does not start again', () => {
    const simulator = booting();
    simulator.wake();
    simulator.exit(null);
    expect(simulator.state.phase).toEqual({ kind: 'over', how: 'failed' });
    expect(simulator.spawning).toBe(false);
    expect(simulator.view.state).toBe('bootstrap_stalled');
  });

  test('that is stopped while it is ended is stopped', () => {
    const simulator = booting();
    simulator.wake();
    simulator.input({ kind: 'stop' });
    simulator.exit(null);
    expect(simulator.view.state).toBe('stopped');
  });

  test('shows at most the last twenty lines of what it said', () => {
    const simulator = booting();
    simulator.now += CONFIG.bootstrapMs;
    const stderrTail = Array.from({ length: 50 }, (_, line) => `line ${line}`);
    simulator.input({ kind: 'wake', stderrTail });
    const [failed] = simulator.ofType('launch/failed');
    expect(failed?.stderrTail).toHaveLength(20);
    expect(failed?.stderrTail.at(-1)).toBe('line 49');
  });
});

describe('the resumption of a conversation', () => {
  const resumed = () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.wake();
    simulator.exit(0);
    instruct(simulator, 2);
    return simulator;
  };

  test('is a launch with an id of its own, which tells the order', () => {
    const simulator = resumed();
    expect(simulator.state.launchId).toBe('lau_onex2');
    simulator.spawned();
    expect(simulator.ofType('launch/staged').at(-1)?.launchId).toBe('lau_onex2');
  });

  test('does not pile up suffixes', () => {
    const simulator = resumed();
    simulator.spawned();
    simulator.ready();
    simulator.startTurn();
    simulator.endTurn();
    simulator.broughtBack();
    simulator.wake();
    simulator.exit(0);
    instruct(simulator, 3);
    expect(simulator.state.launchId).toBe('lau_onex3');
  });

  test('counts its time from the instruction that woke it', () => {
    const simulator = resumed();
    expect(simulator.state.launchedAt).toBe(simulator.now);
  });

  test('that fails again and again says so, and keeps the conversation for a retry', () => {
    const simulator = resumed();
    for (let attempt = 0; attempt <= CONFIG.retryDelaysMs.length; attempt++) {
      simulator.spawned();
      simulator.exit(1);
      simulator.wake();
    }
    expect(simulator.view.state).toBe('failed_to_start');
    expect(simulator.deliveries(2).at(-1)).toBe('undelivered');
    expect(simulator.state.engineSessionId).toBe('conversation');
  });

  test('prepares nothing: its checkout is there', () => {
    expect(countOf(resumed(), 'prepare')).toBe(1);
  });

  test('is not answered as a command: that was done long ago', () => {
    const simulator = resumed();
    simulator.spawned();
    expect(kinds(simulator).filter((kind) => kind === 'settleStart')).toHaveLength(1);
  });
});
