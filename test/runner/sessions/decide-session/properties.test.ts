import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasProcess } from '../../../../runner/sessions/session-state.ts';
import { aLaunch } from '../../../support/protocol-builders.ts';
import {
  CONFIG,
  ONE_SHOT,
  SessionSimulator,
  turnNumber,
} from '../../../support/session-simulator.ts';

/** Everything that can happen to a session, in any order; what cannot happen now is passed over. */
const MOVES = [
  'prepared',
  'prepareFails',
  'spawned',
  'spawnFails',
  'ready',
  'confirms',
  'startsTurn',
  'beginsByItself',
  'endsTurn',
  'fatal',
  'crashes',
  'ends',
  'broughtBack',
  'instruct',
  'interrupt',
  'stop',
  'wake',
  'shutdownAndRestart',
  'killRunner',
  'killRunnerAndEngine',
  'killRunnerInMidWrite',
] as const;
type Move = (typeof MOVES)[number];

const isOneShot = ({ config }: SessionSimulator) => config.capabilities.turnEnd === 'exit';

/** As the engine does it: one that takes one turn per process ends the turn by its exit. */
function endTurn(simulator: SessionSimulator): void {
  simulator.endTurn();
  if (isOneShot(simulator)) simulator.exit(0);
}

function move(simulator: SessionSimulator, what: Move, turn: number): void {
  const { state } = simulator;
  const awake = simulator.alive && !simulator.terminating;
  switch (what) {
    case 'prepared':
      return simulator.preparing ? simulator.prepared() : undefined;
    case 'prepareFails':
      if (!simulator.preparing) return;
      simulator.preparing = false;
      return simulator.input({
        kind: 'refused',
        refusal: {
          state: 'provider_failed',
          code: 'workspace_refused',
          error: { code: 'workspace_refused', message: 'no' },
        },
      });
    case 'spawned':
      return simulator.spawning ? simulator.spawned() : undefined;
    case 'spawnFails':
      if (!simulator.spawning) return;
      simulator.spawning = false;
      simulator.engineHas = null;
      return simulator.input({ kind: 'spawnFailed', message: 'no memory' });
    case 'ready':
      return awake && state.phase.kind === 'booting' ? simulator.ready() : undefined;
    case 'confirms':
      if (!awake || !simulator.engineHas) return;
      return simulator.event({
        type: 'turn/delivered',
        turnId: simulator.engineHas,
        delivery: 'confirmed',
        reason: null,
      });
    case 'startsTurn':
      return awake && simulator.engineHas && state.everReady ? simulator.startTurn() : undefined;
    case 'beginsByItself':
      if (!awake || !state.everReady || simulator.engineHas || simulator.engineTurn) return;
      if (isOneShot(simulator)) return;
      simulator.engineTurn = turnNumber(100 + simulator.events.length);
      return simulator.event({
        type: 'turn/started',
        turnId: simulator.engineTurn,
        origin: 'engine',
      });
    case 'endsTurn':
      return simulator.alive && simulator.engineTurn ? endTurn(simulator) : undefined;
    case 'fatal':
      return awake
        ? simulator.input({ kind: 'fatal', error: { code: 'auth_missing', message: 'no login' } })
        : undefined;
    case 'crashes':
      return simulator.alive ? simulator.exit(1) : undefined;
    case 'ends':
      return simulator.terminating ? simulator.exit(0) : undefined;
    case 'broughtBack':
      return simulator.bringing ? simulator.broughtBack() : undefined;
    case 'instruct':
      return simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(turn), text: 'go' } });
    case 'interrupt':
      return simulator.input({ kind: 'interrupt' });
    case 'stop':
      return simulator.input({ kind: 'stop' });
    case 'wake':
      return simulator.wake();
    case 'shutdownAndRestart':
      simulator.input({ kind: 'shutdown' });
      if (simulator.alive) simulator.exit(0);
      return simulator.restart();
    case 'killRunnerAndEngine':
      simulator.alive = false;
      return simulator.restart();
    case 'killRunner':
      return simulator.restart();
    case 'killRunnerInMidWrite':
      return simulator.restart(simulator.alive ? 'unreachable' : 'gone');
    default:
      return what satisfies never;
  }
}

/** Lets everything that is under way come to its end, without a further mishap. */
function settle(simulator: SessionSimulator): void {
  for (let round = 0; round < 500; round++) {
    if (simulator.terminating) simulator.exit(0);
    else if (simulator.preparing) simulator.prepared();
    else if (simulator.spawning) simulator.spawned();
    else if (simulator.bringing) simulator.broughtBack();
    else if (simulator.alive && simulator.state.phase.kind === 'booting') simulator.ready();
    else if (simulator.alive && simulator.engineHas) simulator.startTurn();
    else if (simulator.engineTurn) endTurn(simulator);
    else if (simulator.state.phase.kind === 'backoff') simulator.wake();
    else return;
  }
  throw new Error(`does not come to rest: ${JSON.stringify(simulator.state)}`);
}

/** What goes well is likelier than what goes wrong, so that long lives are reached too. */
const PROGRESS = [
  'prepared',
  'spawned',
  'ready',
  'startsTurn',
  'endsTurn',
  'broughtBack',
  'instruct',
  'ends',
] as const;
const anyMove = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Move>(...PROGRESS) },
  { weight: 1, arbitrary: fc.constantFrom(...MOVES) },
);
const moves = fc.array(fc.tuple(anyMove, fc.integer({ min: 1, max: 9 })), { maxLength: 100 });

/** What chance found once, and what it would not find again for long. */
const FOUND: readonly (readonly [Move, number][])[] = [
  // The process of a later turn was asked for, and nobody saw whether it began.
  [
    ['prepared', 1],
    ['spawned', 1],
    ['instruct', 2],
    ['ready', 1],
    ['startsTurn', 1],
    ['endsTurn', 1],
    ['broughtBack', 1],
    ['killRunnerInMidWrite', 1],
  ],
];

/** The states in which a viewer may see a session that is at rest in this phase. */
function seenAs(simulator: SessionSimulator): string[] {
  const { phase, halted } = simulator.state;
  if (halted) return ['halted'];
  if (phase.kind === 'ready') return ['idle'];
  // Without a process between two turns, one-shot rests as idle; a start without a turn is parked.
  if (phase.kind === 'resting') return isOneShot(simulator) ? ['idle', 'parked'] : ['parked'];
  if (phase.kind === 'over' && phase.how === 'ended') return ['stopped'];
  return ['failed_to_start', 'bootstrap_stalled', 'provider_failed'];
}

describe.each([
  ['persistent', CONFIG],
  ['one-shot', ONE_SHOT],
] as const)('of a %s engine', (_form, config) => {
  test('whatever happens in whatever order, a session comes to rest with every instruction accounted for', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const simulator = new SessionSimulator(1, aLaunch(), config);
        for (const [what, turn] of steps) move(simulator, what, turn);
        settle(simulator);
        const { state, view } = simulator;
        expect(state.queue).toEqual([]);
        expect(state.openTurnId).toBeNull();
        expect(state.held).toBeNull();
        expect(hasProcess(state.phase)).toBe(simulator.alive);
        for (const { turnId } of simulator.ofType('turn/delivered')) {
          const last = simulator
            .ofType('turn/delivered')
            .findLast((event) => event.turnId === turnId)?.delivery;
          const ended = simulator.ofType('turn/ended').some((event) => event.turnId === turnId);
          expect(
            ended || last === 'undelivered' || last === 'unknown',
            `${turnId} is ${last}`,
          ).toBe(true);
        }
        expect(view.openTurnId).toBeNull();
        expect(seenAs(simulator), JSON.stringify(state.phase)).toContain(view.state);
      }),
      { numRuns: 3_000, examples: FOUND.map((found): [[Move, number][]] => [[...found]]) },
    );
  });

  test('an instruction whose turn has begun is never handed over again', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const simulator = new SessionSimulator(1, aLaunch(), config);
        for (const [what, turn] of steps) move(simulator, what, turn);
        settle(simulator);
        const started = simulator.ofType('turn/started').map(({ turnId }) => turnId);
        expect(new Set(started).size).toBe(started.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the same inputs always lead to the same state', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const run = () => {
          const simulator = new SessionSimulator(1, aLaunch(), config);
          for (const [what, turn] of steps) move(simulator, what, turn);
          return simulator;
        };
        const [one, other] = [run(), run()];
        expect(other.state).toEqual(one.state);
        expect(other.events).toEqual(one.events);
        expect(JSON.parse(JSON.stringify(one.state))).toEqual(one.state);
      }),
      { numRuns: 200 },
    );
  });
});
