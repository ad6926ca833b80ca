import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { RequestedAction } from '../../protocol/session.ts';
import { NOTHING_SPENT, type TurnGrant } from '../../protocol/shared-budget.ts';
import { settlementOf } from '../budgets/settlement.ts';
import type { BookCalls, CreateSession } from '../lib/calls.ts';
import type { Outcome } from '../lib/outcome.ts';
import type { FeedDecision, Grants } from './feed-decisions.ts';
import { listUndelivered } from './make-command.ts';
import type { RecordState } from './session-record.ts';

/** Turns at the end of a record that are looked at when one is over: no more wait at a time. */
const LATEST = 50;

export type GrantPorts = {
  /** A new way to it each time: one to an object that was reset leads nowhere any more. */
  book(): BookCalls;
  state(): RecordState | null;
  /** Carries a decision out, before anything else is decided. */
  apply(decision: FeedDecision): Promise<Outcome<null>>;
  failed(fault: unknown): void;
};

/** A session's way to the account's budgets: asks before a turn is handed over, tells after it. */
export class TurnGrants {
  readonly #ports: GrantPorts;

  constructor(ports: GrantPorts) {
    this.#ports = ports;
  }

  /** What the first turn of a new session may come to. */
  reserveFirst(
    sessionId: RecordState['view']['sessionId'],
    { runnerId, launch, turnId }: CreateSession,
  ): Promise<Outcome<TurnGrant | null>> {
    const place = { runnerId, directory: launch.directory };
    return this.#ports.book().reserve({ turnId, sessionId, place, spend: NOTHING_SPENT });
  }

  /** Decides on an instruction, with a grant where it would be handed over. */
  async forTurn(
    turnId: TurnId,
    decide: (grant: TurnGrant | null) => FeedDecision,
  ): Promise<Outcome<null>> {
    const { apply, state: read } = this.#ports;
    const without = decide(null);
    const state = read();
    if (without.kind !== 'change' || !state) return apply(without);
    const granted = await this.#reserve(state, turnId);
    return granted.ok ? apply(decide(granted.value)) : granted;
  }

  /** Decides on what is asked of a session; a retry hands turns over again, with grants. */
  async forRequest(
    action: RequestedAction,
    decide: (grants?: Grants) => FeedDecision,
  ): Promise<Outcome<null>> {
    const { apply, state: read } = this.#ports;
    const without = decide();
    const state = read();
    if (action !== 'retry' || without.kind !== 'change' || !state) return apply(without);
    const grants = new Map<TurnId, TurnGrant>();
    for (const { turnId } of listUndelivered(state.view)) {
      const granted = await this.#reserve(state, turnId);
      if (!granted.ok) return granted;
      if (granted.value) grants.set(turnId, granted.value);
    }
    return apply(decide(grants));
  }

  /** Tells the budgets, without anybody waiting, when something that holds a grant may be over. */
  follow(events: readonly FeedEvent[]): void {
    if (!events.some(({ type }) => FREEING.has(type))) return;
    // What is lost here they ask for themselves.
    this.#settle().catch((fault: unknown) => this.#ports.failed(fault));
  }

  /** The same turn again has the same grant. */
  #reserve(state: RecordState, turnId: TurnId): Promise<Outcome<TurnGrant | null>> {
    const { sessionId, place, spend } = settlementOf(placed(state), []);
    return this.#ports.book().reserve({ turnId, sessionId, place, spend });
  }

  async #settle(): Promise<void> {
    const state = this.#ports.state();
    if (!state) return;
    const latest = state.view.turns.slice(-LATEST).map(({ turnId }) => turnId);
    const warnings = await this.#ports.book().settle(settlementOf(placed(state), latest));
    if (warnings.length === 0) return;
    const events = warnings.map(noticeOf);
    await this.#ports.apply({ kind: 'change', change: { events, commands: [] } });
  }
}

const noticeOf = (message: string): FeedEvent => ({
  type: 'notice/raised',
  level: 'warning',
  code: 'shared_budget_warning',
  message,
});

const placed = ({ facts, view }: RecordState) => ({ runnerId: facts.runnerId, view });

/** After these something that holds a grant may be over. */
const FREEING: ReadonlySet<string> = new Set<FeedEvent['type']>([
  'turn/ended',
  'launch/failed',
  'session/ended',
  'session/halted',
  'command/failed',
]);
