import { sentenceOf } from '../../protocol/errors.ts';
import { PILOT_ACTOR, type SessionId, type TurnId } from '../../protocol/ids.ts';
import { isPilotOver } from '../../protocol/pilot.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Database } from '../db/client.ts';
import type { Outcome } from '../lib/outcome.ts';
import { askBrain } from './brains/ask.ts';
import type { BrainTools } from './brains/brain.ts';
import { type PilotEvent, type PilotState, questionOf } from './core/state.ts';
import { beginOrFail } from './begin-run.ts';
import { takenAgainAt } from './core/budget-wait.ts';
import {
  observationOf,
  type PilotFeed,
  readFacts,
  readSessionOf,
  sendInstruction,
} from './session.ts';
import { applyEvent, noteWait, type PilotRun, readRun } from './store.ts';

/** What the driver works with; a test gives faults of its own. */
export type DriverPorts = {
  database: Database;
  feed(run: PilotRun): PilotFeed;
  tools(run: PilotRun & { state: PilotState }): BrainTools;
  /** Takes an instruction back that waits for a machine that is away. */
  withdraw(run: PilotRun, turnId: TurnId): Promise<boolean>;
  /** Forgets the session's conversation, so that its next turn begins it anew. */
  beginAnew(run: PilotRun, after: TurnId): Promise<Outcome<null>>;
  /** Tells the person that it waits for them. The same again is told once. */
  ring(run: PilotRun & { state: PilotState }): Promise<void>;
  nowMs(): number;
};

/** What the driver does next. */
export type Next =
  | { kind: 'again' }
  /** Sleeps until an event of this type, or for so long, in ms. */
  | { kind: 'wait'; key: string; forMs: number }
  | { kind: 'over' };

/** Longest sleep without a look at a session whose engine works, and at one that waits, in ms. */
const LOOK_AGAIN_MS = 10 * 60_000;
const LOOK_SELDOM_MS = 6 * 3_600_000;

/**
 * Does the one thing that a run has to do, and records what came of it. Whoever calls it, however
 * often and after whatever crash: the record says what is to be done, and doing it again is harmless.
 * `key` is a name that no earlier wait of this run had.
 */
export async function advance(
  ports: DriverPorts,
  sessionId: SessionId,
  key: string,
): Promise<Next> {
  const { database, nowMs } = ports;
  const run = await readRun(database, sessionId);
  if (!run) return { kind: 'over' };
  if (!run.state) {
    const begun = await beginOrFail(database, run, ports.feed(run), nowMs());
    return { kind: begun ? 'again' : 'over' };
  }
  const held = { ...run, state: run.state };
  const { effect, status } = held.state;
  if (effect === null) return { kind: isPilotOver(status) ? 'over' : 'again' };
  if (effect.do === 'await') return wait(ports, held, effect.until, key);
  await tell(database, held, await perform(ports, held, effect));
  return { kind: 'again' };
}

/**
 * Tells a run what came of its effect. A person's wish may have moved the run on meanwhile: where it
 * left the effect as it was, what was done is done, and is not to be paid for again.
 */
async function tell(
  database: Database,
  done: PilotRun & { state: PilotState },
  event: PilotEvent,
): Promise<void> {
  const effect = JSON.stringify(done.state.effect);
  let run: PilotRun | null = done;
  while (run?.state && JSON.stringify(run.state.effect) === effect) {
    const applied = await applyEvent(database, { ...run, state: run.state }, event);
    if (applied !== 'overtaken') return;
    run = await readRun(database, done.sessionId);
  }
}

async function wait(
  ports: DriverPorts,
  run: PilotRun & { state: PilotState },
  until: number | null,
  key: string,
): Promise<Next> {
  const { database, nowMs } = ports;
  const seldom = run.state.status !== 'waiting_turn';
  const again = nowMs() + (seldom ? LOOK_SELDOM_MS : LOOK_AGAIN_MS);
  const dueAt = Math.min(until ?? again, again);
  // First the name to be woken by, then the look: whatever changes after it finds the name.
  const place = { sessionId: run.sessionId, step: run.state.step };
  if (!(await noteWait(database, place, key, dueAt))) return { kind: 'again' };
  const feed = ports.feed(run);
  const { view } = await readSessionOf(feed);
  const resetsAt = await readReset(feed, view, run.state.position);
  const at = nowMs();
  const seen = observationOf(view, run.state.open, resetsAt);
  const applied = await applyEvent(database, run, { type: 'observed', at, seen });
  if (applied !== 'nothing') return { kind: 'again' };
  if (waitsForPerson(run.state)) await ports.ring(run);
  return { kind: 'wait', key, forMs: Math.max(0, dueAt - at) };
}

/** Whether it wants something of a person that no state of its session says. */
const waitsForPerson = ({ status, hold }: PilotState): boolean =>
  status === 'waiting_person' && (hold === 'proposal' || hold === 'question');

/** When a provider that refused a launch takes requests again, as far as the record says. */
async function readReset(
  feed: PilotFeed,
  view: SessionView,
  position: number,
): Promise<number | null> {
  if (view.state !== 'provider_failed') return null;
  const [turn] = view.turns;
  return turn ? (await readFacts(feed, view, turn.turnId, position)).resetsAt : null;
}

type Refusal = Extract<Outcome<unknown>, { ok: false }>;
type Doing = Exclude<NonNullable<PilotState['effect']>, { do: 'await' }>;

/** A refusal as the rules read it. */
const refusedAt = (refusal: Refusal, nowMs: number) => ({
  code: refusal.code,
  message: sentenceOf(refusal.code, refusal.context),
  againAt: takenAgainAt(refusal, nowMs),
});

const doneAt = (outcome: Outcome<unknown>, at: number): PilotEvent =>
  outcome.ok ? { type: 'done', at } : { type: 'done', at, refused: refusedAt(outcome, at) };

async function perform(
  ports: DriverPorts,
  run: PilotRun & { state: PilotState },
  effect: Doing,
): Promise<PilotEvent> {
  const { state, sessionId } = run;
  const feed = ports.feed(run);
  const { nowMs } = ports;
  switch (effect.do) {
    case 'instruct': {
      const { turnId, text } = effect;
      const sent = await sendInstruction(feed, { turnId, text });
      if (sent.ok) return { type: 'instructed', at: nowMs(), turnId };
      const at = nowMs();
      return { type: 'refused', at, turnId, ...refusedAt(sent, at) };
    }
    case 'judge': {
      const { view } = await readSessionOf(feed);
      const facts = await readFacts(feed, view, effect.turnId, state.position);
      return { type: 'judged', at: nowMs(), facts };
    }
    case 'brain': {
      const { view } = await readSessionOf(feed);
      const { spec, objective } = state;
      const { attempt, problem } = effect;
      const step = questionOf(state);
      const input = { sessionId, step, spec, objective, view, attempt, problem };
      return askBrain(input, ports.tools(run));
    }
    case 'revive':
      return doneAt(await feed.request({ action: 'retry', actorId: PILOT_ACTOR }), nowMs());
    case 'anew':
      return doneAt(await ports.beginAnew(run, effect.after), nowMs());
    case 'interrupt': {
      const waited = state.open !== null && (await ports.withdraw(run, state.open));
      // Refused means that there is nothing to interrupt any more.
      if (!waited) await feed.request({ action: 'interrupt', actorId: PILOT_ACTOR });
      return { type: 'done', at: nowMs() };
    }
    default:
      return effect satisfies never;
  }
}
