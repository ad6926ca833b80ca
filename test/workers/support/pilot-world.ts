import type { EngineEvent, FeedEntry, FeedEvent } from '../../../protocol/engine-event.ts';
import {
  LOCAL_ACTOR,
  PILOT_ACTOR,
  runnerId,
  type SessionId,
  type TurnId,
  commandId,
  launchId,
} from '../../../protocol/ids.ts';
import { launchSpec } from '../../../protocol/launch.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { openView, reduceSession } from '../../../protocol/session-reduce.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { type Outcome, refuse, succeed } from '../../../workers/lib/outcome.ts';
import type { PilotFeed } from '../../../workers/pilot/session.ts';
import {
  decideInstruct,
  decideRequest,
  type FeedDecision,
} from '../../../workers/relay/feed-decisions.ts';
import type { Command } from '../../../protocol/command.ts';
import { usageEntry } from '../../../protocol/usage.ts';

export const MACHINE_ID = runnerId.parse('run_pilotworld');

/** What one turn of the modelled engine costs, micro-USD. */
const TURN_MICRO_USD = 1_000;

/**
 * A session whose feed decides and reduces as the real one, whose machine is a model: it works on
 * what reaches it, or loses it, and counts what it was really told.
 */
export class PilotWorld {
  readonly sessionId: SessionId;
  readonly firstTurn: TurnId;
  readonly #random: () => number;
  readonly #entries: FeedEntry[] = [];
  #queue: Command[] = [];
  #made = 0;
  view: SessionView;
  nowMs = 1_000_000;
  /** How often the engine began each turn, and with which words. */
  readonly served = new Map<TurnId, string[]>();
  spent = 0;
  /** How often the conversation was to be begun anew after each turn. */
  readonly anew = new Map<TurnId, number>();
  /** The work's own measure: the check passes at the goal. */
  progress = 0;
  readonly goal: number;

  constructor(
    sessionId: SessionId,
    firstTurn: TurnId,
    random: () => number,
    pilot: object,
    more = 0,
  ) {
    this.sessionId = sessionId;
    this.firstTurn = firstTurn;
    this.#random = random;
    this.goal = 1 + Math.floor(random() * 4) + more;
    const launch = launchSpec.parse({
      engineId: 'rehearsal',
      directory: null,
      objective: 'Reach it',
      pilot,
      policy: { policy: DEFAULT_POLICY, sources: [] },
    });
    const created = { type: 'session/created', launch, actorId: LOCAL_ACTOR } as const;
    this.view = openView(sessionId, this.nowMs, created);
    this.write({
      type: 'turn/accepted',
      turnId: firstTurn,
      text: 'Reach it',
      actorId: LOCAL_ACTOR,
    });
    this.write(
      { type: 'launch/staged', launchId: launchId.parse('lau_1'), stage: 'spawned', process: null },
      {
        type: 'engine/ready',
        launchId: launchId.parse('lau_1'),
        engineSessionId: 'c',
        engineVersion: null,
        model: null,
        payer: 'unknown',
        credential: null,
      },
    );
    this.#serve(firstTurn, 'Reach it');
  }

  write(...events: FeedEvent[]): void {
    for (const event of events) {
      const entry = { position: this.#entries.length + 1, at: this.nowMs, seq: null, event };
      this.#entries.push(entry);
      this.view = reduceSession(this.view, entry);
    }
  }

  /** The feed as a driver sees it. */
  readonly feed: PilotFeed = {
    readView: async () => succeed({ runnerId: MACHINE_ID, view: this.view, underway: [] }),
    listEntries: async (after, limit) =>
      succeed({ entries: this.#entries.slice(after, after + limit), last: this.#entries.length }),
    instruct: async (input) => {
      const decision = decideInstruct(this.#state(), input, this.#queue, this.#maker());
      const told = this.#apply(decision);
      return told ?? succeed({ turnId: input.turnId });
    },
    brain: async (input) => {
      if (input.do === 'record') {
        const { step, usage } = input;
        this.write({ type: 'brain/answered', step, usage });
      }
      return succeed(null);
    },
    request: async (input) => {
      const decision = decideRequest(this.#state(), input, this.#maker());
      const last = this.view.turns.at(-1)?.turnId;
      if (input.action === 'compact' && decision.kind === 'change' && last)
        this.anew.set(last, (this.anew.get(last) ?? 0) + 1);
      return this.#apply(decision) ?? succeed(null);
    },
  };

  /** Has the conversation begun anew after this turn, as the ports of the Worker do. */
  async beginAnew(after: TurnId): Promise<Outcome<null>> {
    const told = { turnId: after, asked: 'Reach it', answer: '', acts: [], outcome: null };
    return this.feed.request({ action: 'compact', actorId: PILOT_ACTOR, story: [told], after });
  }

  /** Lets the machine take what waits for it: most of it is worked on, some is lost on the way. */
  work(): void {
    const command = this.#queue.shift();
    if (command?.method === 'session/instruct') {
      const { turnId, text } = command.params;
      const lost = {
        type: 'command/failed',
        commandId: command.id,
        method: command.method,
        turnId,
      } as const;
      if (this.#random() < 0.1)
        return this.write({ ...lost, code: 'expired', message: 'It waited too long.' });
      return this.#serve(turnId, text);
    }
    if (command?.method === 'session/start') this.write(...READY);
    const open = this.view.openTurnId;
    if (open !== null) this.#end(open);
  }

  #serve(turnId: TurnId, text: string): void {
    this.served.set(turnId, [...(this.served.get(turnId) ?? []), text]);
    this.write(
      { type: 'turn/delivered', turnId, delivery: 'confirmed', reason: null },
      { type: 'turn/started', turnId, origin: 'instruction' },
    );
  }

  #end(turnId: TurnId): void {
    const limited = this.#random() < 0.1;
    if (!limited && this.#random() < 0.8) this.progress += 1;
    this.spent += TURN_MICRO_USD;
    if (limited)
      this.write({ type: 'rateLimit/reported', status: 'rejected', resetsAt: this.nowMs + 90_000 });
    const entry = usageEntry.parse({
      model: 'm',
      provenance: 'reported',
      payer: 'api-key',
      inputTokens: 1,
      outputTokens: 1,
      // Long from the first turn on: how long, only a begun-anew conversation changes.
      cacheReadTokens: this.view.compactedAt ? 100_000 : 300_000,
      cacheWriteTokens: 0,
      microUsd: TURN_MICRO_USD,
    });
    const error = limited ? ({ code: 'rate_limited', message: 'Slow down.' } as const) : null;
    this.write(
      { type: 'usage/recorded', turnId, entries: [entry] },
      {
        type: 'turn/ended',
        turnId,
        outcome: limited ? 'failed' : 'ok',
        error,
        durationMs: 1,
        usage: 'recorded',
        acts: 'none',
      },
    );
  }

  #state() {
    const facts = {
      runnerId: MACHINE_ID,
      actorId: LOCAL_ACTOR,
      epoch: 1,
      seqUpTo: 0,
      lastPosition: 0,
      projectedUpTo: 0,
    };
    return { facts, view: this.view };
  }

  #maker() {
    return {
      sessionId: this.sessionId,
      nowMs: this.nowMs,
      commandId: () => commandId.parse(`cmd_${++this.#made}`),
      launchId: () => launchId.parse('lau_2'),
    };
  }

  #apply(decision: FeedDecision) {
    if (decision.kind === 'refused') return refuse(decision.code);
    if (decision.kind === 'unchanged') return null;
    this.write(...decision.change.events);
    this.#queue = [...this.#queue, ...decision.change.commands];
    return null;
  }
}

const READY: EngineEvent[] = [
  { type: 'launch/staged', launchId: launchId.parse('lau_2'), stage: 'spawned', process: null },
];
