import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { NOTHING_SPENT, type TurnGrant } from '../../protocol/shared-budget.ts';
import { settlementOf } from '../budgets/settlement.ts';
import type {
  BookCalls,
  BrainStep,
  CreateSession,
  SessionRequest,
  Settlement,
  ToldSession,
} from '../lib/calls.ts';
import { type Outcome, refuse } from '../lib/outcome.ts';
import { BrainCalls } from './brain-calls.ts';
import { answeredIn, takeBrainStep } from './brain-grants.ts';
import type { FeedDecision, Grants } from './feed-decisions.ts';
import { listUndelivered } from './make-command.ts';
import type { RecordState } from './session-record.ts';

/** Turns at the end of a record that are looked at when one is over: no more wait at a time. */
const LATEST = 50;

export type GrantPorts = {
  /** A new way to it each time: one to an object that was reset leads nowhere any more. */
  book(): BookCalls;
  state(): RecordState | null;
  /** Turns that commands without a result carry. */
  carried(): readonly TurnId[];
  /** Carries a decision out, before anything else is decided. */
  apply(decision: FeedDecision): Promise<Outcome<null>>;
  failed(fault: unknown): void;
};

/** A session's way to the account's budgets: asks before a turn is handed over, tells after it. */
export class TurnGrants {
  readonly #ports: GrantPorts;
  /** Turns that are asked for and of whose handing over nothing is heard yet. */
  readonly #unheard = new Set<TurnId>();

  readonly #calls: BrainCalls;

  constructor(sql: SqlStorage, ports: GrantPorts) {
    this.#calls = new BrainCalls(sql);
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
    return this.#keeping([turnId], async () => {
      const granted = await this.#reserve(state, turnId);
      return granted.ok ? apply(decide(granted.value)) : granted;
    });
  }

  /** Decides on what is asked of a session; a retry hands turns over again, with grants. */
  async forRequest(
    action: SessionRequest['action'],
    decide: (grants?: Grants) => FeedDecision,
  ): Promise<Outcome<null>> {
    const { apply, state: read } = this.#ports;
    const without = decide();
    const state = read();
    if (action !== 'retry' || without.kind !== 'change' || !state) return apply(without);
    const turnIds = listUndelivered(state.view).map(({ turnId }) => turnId);
    return this.#keeping(turnIds, async () => {
      const grants = new Map<TurnId, TurnGrant>();
      for (const turnId of turnIds) {
        const granted = await this.#reserve(state, turnId);
        if (!granted.ok) return granted;
        if (granted.value) grants.set(turnId, granted.value);
      }
      return apply(decide(grants));
    });
  }

  /** A session with the turns whose record is of a time before they were handed over. */
  tell({ facts, view }: RecordState): ToldSession {
    const underway = [...this.#unheard, ...this.#ports.carried()];
    const { ended, lost } = this.#calls.listOwed();
    return { runnerId: facts.runnerId, view, underway, calls: { ended, lost } };
  }

  /** Holds, puts on record or gives back what the Pilot's brain takes. */
  async brain(input: BrainStep): Promise<Outcome<TurnGrant | null>> {
    const { book, state: read, apply } = this.#ports;
    const state = read();
    if (!state) return refuse('session_not_found');
    const { sessionId } = state.view;
    const ports = {
      book,
      calls: this.#calls,
      told: () => settlementOf(this.tell(read() ?? state), []),
      record: (event: FeedEvent) =>
        apply({ kind: 'change', change: { events: [event], commands: [] } }),
      settle: (over: Beside) => this.#settleSafely(over),
    };
    return takeBrainStep(ports, sessionId, input);
  }

  /**
   * Tells the budgets, without anybody waiting, when something that holds a grant may be over.
   * `told`: by the machine, which alone knows what a question to its engine came to.
   */
  follow(events: readonly FeedEvent[], told = false): void {
    for (const event of events) this.#hear(event);
    const state = this.#ports.state();
    const asked = state && told ? answeredIn(state.view.sessionId, events) : NOTHING_ASKED;
    if (asked.ended.length === 0 && !events.some(({ type }) => FREEING.has(type))) return;
    void this.#settleSafely(asked);
  }

  /** What is lost here the budgets ask for themselves. */
  #settleSafely(over: Beside): Promise<void> {
    return this.#settle(over).catch((fault: unknown) => this.#ports.failed(fault));
  }

  #hear(event: FeedEvent): void {
    if (event.type === 'session/ended' || event.type === 'launch/failed') this.#unheard.clear();
    else if (HEARD.has(event.type) && 'turnId' in event && event.turnId)
      this.#unheard.delete(event.turnId);
  }

  /** Lets go of no grant of these turns from before it is asked for until something is heard. */
  async #keeping(
    turnIds: readonly TurnId[],
    work: () => Promise<Outcome<null>>,
  ): Promise<Outcome<null>> {
    for (const turnId of turnIds) this.#unheard.add(turnId);
    const forget = (): void => turnIds.forEach((turnId) => this.#unheard.delete(turnId));
    try {
      const outcome = await work();
      if (!outcome.ok) forget();
      return outcome;
    } catch (fault) {
      forget();
      throw fault;
    }
  }

  /** The same turn again has the same grant. */
  #reserve(state: RecordState, turnId: TurnId): Promise<Outcome<TurnGrant | null>> {
    const { place, spend } = settlementOf(this.tell(state), []);
    const { sessionId } = state.view;
    return this.#ports.book().reserve({ turnId, sessionId, place, spend });
  }

  async #settle({ ended = [], released = [] }: Beside): Promise<void> {
    const state = this.#ports.state();
    if (!state) return;
    const owed = this.#calls.listOwed();
    const latest = state.view.turns.slice(-LATEST).map(({ turnId }) => turnId);
    const turns = settlementOf(this.tell(state), latest);
    const warnings = await this.#ports.book().settle({
      ...turns,
      ended: [...turns.ended, ...ended],
      released: [...turns.released, ...released],
    });
    this.#calls.told(owed);
    if (warnings.length === 0) return;
    const events = warnings.map(noticeOf);
    await this.#ports.apply({ kind: 'change', change: { events, commands: [] } });
  }
}

/** What is over beside the turns. */
type Beside = Partial<Pick<Settlement, 'ended' | 'released'>>;
const NOTHING_ASKED = { ended: [] } as const;

const noticeOf = (message: string): FeedEvent => ({
  type: 'notice/raised',
  level: 'warning',
  code: 'shared_budget_warning',
  message,
});

/** With these something is heard of a turn that was handed over. */
const HEARD: ReadonlySet<string> = new Set<FeedEvent['type']>([
  'turn/delivered',
  'turn/started',
  'turn/ended',
  'command/failed',
]);

/** After these something that holds a grant may be over. */
const FREEING: ReadonlySet<string> = new Set<FeedEvent['type']>([
  'turn/ended',
  'launch/failed',
  'session/ended',
  'session/halted',
  'command/failed',
]);
