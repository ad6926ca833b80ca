import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { accountId, actorId, runnerId, sessionId, turnId } from '../../../protocol/ids.ts';
import type { TurnId } from '../../../protocol/ids.ts';
import {
  type BudgetStanding,
  type CountedSpend,
  NOTHING_SPENT,
  type SaveBudgetRequest,
  type TurnGrant,
  turnGrant,
} from '../../../protocol/shared-budget.ts';
import type { BudgetBook } from '../../../workers/budgets/budget-book.ts';
import type { GrantRequest, Settlement } from '../../../workers/lib/calls.ts';

const RUNNER = runnerId.parse('run_1');
const ACTOR = actorId.parse('usr_1');

/** A model that is asked beside the turns. */
type Call = { id: TurnId; state: 'held' | 'served' | 'lost'; most: number };

/** Input that is read for a dollar each, micro-USD and tokens alike, so that one figure bounds both. */
const mostOf = (most: number) => ({ microUsd: most, tokens: most });

type Turn = {
  turnId: TurnId;
  state: 'asked' | 'granted' | 'ended' | 'released';
  /** As the book answered; null while no answer has arrived. */
  grant: TurnGrant | null;
};

/** A session as it really is, whatever of it the book has been told. */
class TrueSession {
  readonly id;
  readonly turns: Turn[] = [];
  /** The last call; the earlier ones are over. */
  call: Call | null = null;
  calls = 0;
  /** What calls really came to of which nobody has a figure. */
  untold = 0;
  /** What the book counts for them: the most that each can be, from when it is known to be lost. */
  lost = 0;
  spent: CountedSpend = NOTHING_SPENT;
  /** Calls on its record of which the book may not have heard. */
  owed: TurnId[] = [];
  /** What it said before, which may arrive again at any time. */
  readonly said: Settlement[] = [];

  constructor(index: number) {
    this.id = sessionId.parse(`ses_${index}`);
  }

  get place() {
    return { runnerId: RUNNER, directory: '/code/toy' };
  }

  next(): Turn {
    const open = this.turns.at(-1);
    if (open && open.state !== 'ended' && open.state !== 'released') return open;
    const id = turnId.parse(`trn_${this.id.slice(4)}x${this.turns.length}`);
    const turn: Turn = { turnId: id, state: 'asked', grant: null };
    this.turns.push(turn);
    return turn;
  }

  ask(turn: Turn): GrantRequest {
    const spend = this.spent;
    return { turnId: turn.turnId, sessionId: this.id, place: this.place, spend };
  }

  /** All that it knows of itself, as its feed would say it now. */
  tell(): Settlement {
    const of = (state: Turn['state']) =>
      this.turns.flatMap((turn) => (turn.state === state ? [turn.turnId] : []));
    const spend = this.spent;
    const [ended, released] = [[...of('ended'), ...this.owed], of('released')];
    const settlement = { sessionId: this.id, place: this.place, spend, ended, released };
    this.said.push(settlement);
    return settlement;
  }
}

/** Sessions on one account's book, which may die at any time, beside what really happened. */
export class LedgerOfTruth {
  readonly sessions = [0, 1, 2].map((index) => new TrueSession(index));
  readonly #account;

  constructor(name: string) {
    this.#account = accountId.parse(`acc_${name}`);
  }

  /** A new one each time: that of an object that was killed leads nowhere any more. */
  get stub(): DurableObjectStub<BudgetBook> {
    return env.BUDGET_BOOK.getByName(this.#account) as DurableObjectStub<BudgetBook>;
  }

  /** What all sessions have really come to. */
  spent(unit: keyof CountedSpend): number {
    return this.sessions.reduce((sum, session) => sum + session.spent[unit], 0);
  }

  get endedTurns(): number {
    return this.sessions.flatMap(({ turns }) => turns).filter(({ state }) => state === 'ended')
      .length;
  }

  /** What turns under way may still come to, as far as they have heard. */
  granted(unit: 'microUsd' | 'tokens' | 'timeMs'): number {
    return this.sessions
      .flatMap(({ turns }) => turns)
      .reduce((sum, { state, grant }) => sum + (state === 'granted' ? (grant?.[unit] ?? 0) : 0), 0);
  }

  async save(over: Partial<SaveBudgetRequest>): Promise<void> {
    const request: SaveBudgetRequest = {
      scope: { kind: 'account' },
      unit: 'dollars',
      renews: 'never',
      limit: 1_000,
      counts: 'all',
      zone: 'UTC',
      basedOn: 0,
      ...over,
    };
    const saved = await this.stub.save({ request, actorId: ACTOR, savedBy: 'cli' });
    if (!saved.ok) throw new Error(`a budget was not saved: ${JSON.stringify(saved)}`);
  }

  list(): Promise<BudgetStanding[]> {
    return this.stub.list();
  }

  /** Asks for a grant; answers whether the turn was refused. The answer itself may be lost. */
  async begin(session: TrueSession, arrives = true): Promise<'granted' | 'refused' | 'lost'> {
    const turn = session.next();
    const answer = await this.stub.reserve(session.ask(turn));
    if (!arrives) return 'lost';
    if (!answer.ok) return 'refused';
    const grant = turnGrant.parse(answer.value ?? { microUsd: null, paidMicroUsd: null });
    const said = [turn.grant, grant].map((each) => JSON.stringify(each));
    if (turn.grant !== null && said[0] !== said[1])
      throw new Error(`${turn.turnId} was granted ${said[0]}, and ${said[1]} when asked again`);
    Object.assign(turn, { grant, state: 'granted' });
    return 'granted';
  }

  /** The turn under way comes to a part of its grant, at most all of it, and is over. */
  end(session: TrueSession, part: number): void {
    const turn = session.turns.at(-1);
    if (turn?.state !== 'granted') return;
    const { all, tokens, timeMs } = session.spent;
    const used = (granted: number | null | undefined) => Math.floor((granted ?? 0) * part);
    const dollars = all + used(turn.grant?.microUsd);
    session.spent = {
      all: dollars,
      paid: dollars,
      tokens: tokens + used(turn.grant?.tokens),
      timeMs: timeMs + used(turn.grant?.timeMs),
    };
    turn.state = 'ended';
  }

  /** The turn under way reached no engine. */
  withdraw(session: TrueSession): void {
    const turn = session.turns.at(-1);
    if (turn && turn.state !== 'ended') turn.state = 'released';
  }

  /** The turn that reached no engine is asked for again, after all that was said of it before. */
  again({ turns, said }: TrueSession): void {
    const turn = turns.at(-1);
    if (turn?.state !== 'released') return;
    Object.assign(turn, { state: 'asked', grant: null });
    for (const each of said) each.released = each.released.filter((id) => id !== turn.turnId);
  }

  async settle(settlement: Settlement): Promise<void> {
    await this.stub.settle(settlement);
  }

  /** Much time goes by without a word, and somebody looks: what a call holds is over by its age. */
  async age(): Promise<void> {
    await runInDurableObject(this.stub, (_, { storage }) => {
      storage.sql.exec("UPDATE grants SET at = 0 WHERE kind = 'call' AND ended = 0");
    });
    await this.list();
  }

  /** A model is about to be asked that can come to `most`; one that was asked and never told is lost. */
  async ask(session: TrueSession, most: number): Promise<'granted' | 'refused'> {
    const again = session.call?.state === 'lost' ? session.call.id : null;
    if (again !== null) session.lost += session.call?.most ?? 0;
    const callId = again ?? turnId.parse(`trn_b${session.id.slice(4)}x${session.calls++}`);
    const { id: spender, place, spent: spend } = session;
    const answer = await this.stub.reserveCall({
      callId,
      spender,
      place,
      spend,
      most: mostOf(most),
      over: { ended: session.owed, lost: again === null ? [] : [again] },
    });
    session.owed = [];
    session.call = answer.ok ? { id: callId, state: 'held', most } : null;
    return answer.ok ? 'granted' : 'refused';
  }

  /**
   * The model answers, and what it took is on the record; or whoever asked dies first. `unheard`: the
   * word of it does not arrive.
   */
  async answer(
    session: TrueSession,
    part: number,
    { dies = false, unheard = false } = {},
  ): Promise<void> {
    const { call } = session;
    if (call?.state !== 'held') return;
    const took = Math.floor(call.most * part);
    if (dies) {
      session.untold += took;
      session.call = { ...call, state: 'lost' };
      return;
    }
    const { all, paid, tokens, timeMs } = session.spent;
    session.spent = { all: all + took, paid: paid + took, tokens: tokens + took, timeMs };
    session.call = { ...call, state: 'served' };
    session.owed = [...session.owed, call.id];
    if (!unheard) await this.settle(session.tell());
  }

  /** What calls really came to of which nobody has a figure. */
  get untold(): number {
    return this.sessions.reduce((sum, { untold }) => sum + untold, 0);
  }

  /** What the book counts in their place. */
  get lost(): number {
    return this.sessions.reduce((sum, { lost }) => sum + lost, 0);
  }

  /** What calls under way may still come to. */
  get asked(): number {
    return this.sessions.reduce(
      (sum, { call }) => sum + (call?.state === 'held' ? call.most : 0),
      0,
    );
  }
}
