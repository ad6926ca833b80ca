import { DurableObject } from 'cloudflare:workers';
import type { AskedCall } from '../../../protocol/call-bound.ts';
import { PilothouseError, sentenceOf } from '../../../protocol/errors.ts';
import type { GateAnswer } from '../../../protocol/gate.ts';
import {
  accountId,
  instanceId,
  turnId,
  type AccountId,
  type ActorId,
  type InstanceId,
  type MessageId,
} from '../../../protocol/ids.ts';
import {
  CHAT_CALL_PREFIX,
  type ChatCall,
  type ChatEvent,
  type ChatState,
  type ChatView,
} from '../../../protocol/operator-chat.ts';
import { openDatabase } from '../../db/client.ts';
import type { Env } from '../../env.ts';
import { callTool } from '../../gate/call.ts';
import { withdrawCall } from '../../gate/answer.ts';
import { withBoundTarget } from '../../gate/tools.ts';
import { mostOf } from '../../budgets/decide.ts';
import type { ChatCalls, Place } from '../../lib/calls.ts';
import { describeFault, log } from '../../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../../lib/outcome.ts';
import { bookOf } from '../../lib/stubs.ts';
import { type InstanceRead, readInstance } from '../../operators/read.ts';
import { ObjectAlarm } from '../alarm.ts';
import { migrateStorage } from '../../lib/storage-migrations.ts';
import { isLost, unsettledUsage } from '../../pilot/brains/model-usage.ts';
import { askNext } from './ask.ts';
import { recordUsage } from './ledger.ts';
import { calledAs, resultOf, stoppedBefore } from './result.ts';
import { decideStep, openCalls } from './step.ts';
import { CHAT_STEPS, ChatStore } from './store.ts';
import { WAIT_TOOL, waitMsOf } from './tools.ts';

/** How often a call that waits for a person is asked about, where nobody tells of the answer, in ms. */
const ASK_AGAIN_MS = 15_000;
/** Between two tries after a failure, in ms, and how many there are. */
const TRY_AGAIN_MS = 5_000;
const TRIES = 5;

/**
 * The conversation with the agent of one instance. Each alarm is one step, decided from the record:
 * after a crash the same step comes again, and a call that was made is not made twice, because the
 * gate knows it by its name.
 */
export class OperatorChat extends DurableObject<Env> implements ChatCalls {
  readonly #accountId: AccountId;
  readonly #instanceId: InstanceId;
  readonly #store: ChatStore;
  readonly #alarm: ObjectAlarm;
  /** The model's answer or the call that is under way in this process. */
  #asking: AbortController | null = null;
  #calling: string | null = null;
  #stepping = false;
  /** A machine came while a step was under way, which may have looked before it did. */
  #wokenMeanwhile = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const [account, id] = (ctx.id.name ?? '').split('/');
    this.#accountId = accountId.parse(account);
    this.#instanceId = instanceId.parse(id);
    migrateStorage(ctx.storage, CHAT_STEPS);
    this.#store = new ChatStore(ctx.storage.sql);
    this.#alarm = new ObjectAlarm(ctx.storage);
    void ctx.blockConcurrencyWhile(() => this.#alarm.load());
  }

  /** A person's words. What the agent rests for is over with them. The same message is said once. */
  async say(
    text: string,
    actorId: ActorId,
    messageId: MessageId | null,
  ): Promise<Outcome<{ seq: number }>> {
    const { instance } = await this.#read();
    if (instance.state === 'removed') return refuse('instance_removed');
    const before = messageId === null ? null : this.#store.findMessage(messageId);
    if (before !== null) return succeed({ seq: before });
    const { seq } = this.#append({ type: 'said', text, actorId }, messageId);
    const { resting } = this.#store.readStanding();
    if (resting) this.#store.stand({ resting: { ...resting, until: 0 } });
    this.#store.stand({ failures: 0 });
    await this.#alarm.ensure(Date.now());
    return succeed({ seq });
  }

  /** Stops it: the model is not heard any more, and no further call is made. */
  async stop(actorId: ActorId): Promise<Outcome<null>> {
    const { waiting } = this.#store.readStanding();
    const open = openCalls(this.#store.newest());
    this.#append({ type: 'stopped', actorId });
    this.#asking?.abort();
    for (const { callId } of open) this.#append(stoppedBefore(callId, callId === this.#calling));
    this.#store.stand({ resting: null, waiting: null });
    if (waiting) await withdrawCall(this.env, await this.#read(), waiting.callId, actorId);
    return succeed(null);
  }

  /** Somebody answered for one of its calls. */
  async answered(): Promise<void> {
    if (!this.#store.readStanding().waiting) return;
    // What was agreed to is under way from here; where it was another call, the step waits again.
    this.#store.stand({ waiting: null });
    await this.#alarm.ensure(Date.now());
  }

  /** A machine is there, perhaps after a crash of ours: what was under way goes on now. */
  async wake(): Promise<void> {
    if (decideStep(this.#store.newest()).do === 'rest') return;
    if (this.#stepping) this.#wokenMeanwhile = true;
    else await this.#alarm.renew(Date.now());
  }

  async readView(after: number, limit: number): Promise<Outcome<ChatView>> {
    const { instance } = await this.#read();
    const { waiting } = this.#store.readStanding();
    return succeed({
      state: this.#state(),
      waiting,
      entries: this.#store.list(after, limit),
      last: this.#store.last(),
      ...this.#store.readSpend(),
      budgetMicroUsd: instance.budgetMicroUsd,
    });
  }

  override async alarm(): Promise<void> {
    this.#alarm.fired();
    let dueAt: number | null;
    this.#stepping = true;
    this.#wokenMeanwhile = false;
    try {
      dueAt = await this.#step();
    } catch (error) {
      dueAt = this.#failed(error);
    } finally {
      this.#stepping = false;
    }
    if (this.#wokenMeanwhile) dueAt = Date.now();
    if (dueAt !== null) await this.#alarm.ensure(dueAt);
  }

  /** One step; answers when the next is due, null when nothing is left to do. */
  async #step(): Promise<number | null> {
    const read = await this.#read();
    this.#settleLost();
    await this.#record(read);
    await this.#settle(read);
    const { resting } = this.#store.readStanding();
    if (resting?.callId === null && resting.until > Date.now()) return resting.until;
    const step = decideStep(this.#store.newest());
    switch (step.do) {
      case 'rest':
        return null;
      case 'halt':
        this.#append({ type: 'halted', reason: step.reason });
        return null;
      case 'call':
        return this.#call(read, step.call);
      case 'ask':
        return this.#ask(read);
      default:
        return step satisfies never;
    }
  }

  async #ask(read: InstanceRead): Promise<number | null> {
    const asking = (this.#asking = new AbortController());
    const upTo = this.#store.last();
    const begin = (model: string) => this.#store.stand({ asking: model, resting: null });
    const spend = this.#store.readSpend();
    const entries = this.#store.newest();
    const reserve = (call: AskedCall) => this.#reserve(read, call);
    const { signal } = asking;
    const reply = await askNext(this.env, read, { entries, spend, reserve, begin, signal });
    this.#asking = null;
    this.#store.stand({ asking: null });
    const { held } = this.#store.readStanding();
    if (held) this.#store.stand({ held: { ...held, lost: isLost(reply.usage) } });
    // Stopped meanwhile: what it says is not heard, and what it cost is on record.
    const stopped = asking.signal.aborted;
    if (reply.kind === 'answered' && !stopped) {
      const seq = this.#store.last() + 1;
      const calls = reply.calls.map((call, index) => ({
        callId: `${CHAT_CALL_PREFIX}${seq}.${index}`,
        ...call,
      }));
      this.#append({ type: 'answered', text: reply.text, calls, usage: reply.usage, upTo });
      this.#store.stand({ failures: 0 });
      await this.#record(read);
      await this.#settle(read);
      return Date.now();
    }
    if (reply.usage) this.#append({ type: 'lost', usage: reply.usage });
    await this.#record(read);
    await this.#settle(read);
    if (stopped || reply.kind === 'answered' || reply.kind === 'aborted') return null;
    const { failures } = this.#store.readStanding();
    const retries = reply.kind === 'undecided' || reply.waitMs !== null;
    if (!retries || failures + 1 >= TRIES) {
      const reason = reply.kind === 'undecided' ? reply.problem : reply.reason;
      this.#append({ type: 'halted', reason });
      return null;
    }
    const until = Date.now() + (reply.kind === 'undecided' ? 0 : (reply.waitMs ?? 0));
    this.#store.stand({ failures: failures + 1, resting: { callId: null, until } });
    return until;
  }

  async #call(read: InstanceRead, call: ChatCall): Promise<number | null> {
    if (call.name === WAIT_TOOL) return this.#rest(call);
    const { callId } = call;
    this.#calling = callId;
    const answer = await this.#make(read, call).finally(() => (this.#calling = null));
    if (answer.kind === 'waiting') {
      const { reason, expiresAt } = answer;
      // Stopped while the gate decided: nobody waits for the answer.
      if (!this.#isOpen(callId)) {
        this.#append(stoppedBefore(callId, false));
        await withdrawCall(this.env, read, callId, read.instance.ownerId);
        return Date.now();
      }
      this.#store.stand({ waiting: { callId, reason, expiresAt } });
      return Math.min(Date.now() + ASK_AGAIN_MS, expiresAt + 1);
    }
    const { failures } = this.#store.readStanding();
    if (answer.kind === 'unknown' && failures + 1 < TRIES && this.#isOpen(callId)) {
      // The machine may still know, once it is back.
      this.#store.stand({ failures: failures + 1 });
      return Date.now() + TRY_AGAIN_MS;
    }
    this.#append(resultOf(callId, answer));
    this.#store.stand({ waiting: null, failures: 0 });
    return Date.now();
  }

  async #make(read: InstanceRead, { callId, name, input }: ChatCall): Promise<GateAnswer> {
    try {
      const { tool, params } = withBoundTarget(read, name, input);
      return await callTool(this.env, {
        instanceId: this.#instanceId,
        call: { tool, params },
        actor: { kind: 'agent', id: this.#instanceId },
        callId,
      });
    } catch (error) {
      // What the model got wrong, it is told. A fault of ours is tried again.
      if (!(error instanceof PilothouseError) || error.code === 'internal') throw error;
      return { kind: 'refused', code: error.code, message: error.message };
    }
  }

  #rest({ callId, input }: ChatCall): number | null {
    const { resting } = this.#store.readStanding();
    if (resting?.callId !== callId) {
      const waitMs = waitMsOf(input);
      if (waitMs === null) {
        this.#append(calledAs(callId, 'refused', 'Say how many seconds, up to 600.'));
        return Date.now();
      }
      this.#store.stand({ resting: { callId, until: Date.now() + waitMs } });
      return Date.now() + waitMs;
    }
    if (resting.until > Date.now()) return resting.until;
    const early = resting.until === 0;
    const text = early ? 'The person said something meanwhile.' : 'The time is over.';
    this.#store.stand({ resting: null });
    this.#append(calledAs(callId, 'waited', text));
    return Date.now();
  }

  /** The process died while the model was thinking: its answer is lost, and may have been charged. */
  #settleLost(): void {
    const { asking } = this.#store.readStanding();
    if (asking === null || this.#asking) return;
    this.#append({ type: 'lost', usage: unsettledUsage(asking) });
    this.#store.stand({ asking: null });
  }

  async #record(read: InstanceRead): Promise<void> {
    const rows = this.#store.listUnrecorded();
    await recordUsage(openDatabase(this.env.DB), read, rows);
    const last = rows.at(-1)?.entry.seq;
    if (last !== undefined) this.#store.recordedUpTo(last);
  }

  /** Holds what a call can come to of the account's budgets; says why where they do not cover it. */
  async #reserve(read: InstanceRead, call: AskedCall): Promise<string | null> {
    const callId = turnId.parse(`trn_o${this.#instanceId.slice(4)}x${this.#store.last()}`);
    const told = { spender: this.#instanceId, place: placeOf(read), most: mostOf(call) };
    const spend = this.#store.readCounted();
    // What is held and never asked, because no answer of the budgets came, is given back.
    this.#store.stand({ held: { callId, lost: false } });
    const held = await bookOf(this.env, this.#accountId).reserveCall({ callId, spend, ...told });
    this.#store.stand({ held: held.ok ? { callId, lost: true } : null });
    return held.ok ? null : sentenceOf(held.code, held.context);
  }

  /** Tells the account's budgets what the last call came to, unless they have been told. */
  async #settle(read: InstanceRead): Promise<void> {
    const { held } = this.#store.readStanding();
    if (!held) return;
    const over = held.lost ? { ended: [], lost: [held.callId] } : { ended: [held.callId] };
    await bookOf(this.env, this.#accountId).charge({
      sessionId: this.#instanceId,
      place: placeOf(read),
      spend: this.#store.readCounted(),
      released: [],
      ...over,
    });
    this.#store.stand({ held: null });
  }

  #failed(error: unknown): number | null {
    log('warn', 'chat.step', { instanceId: this.#instanceId, fault: describeFault(error) });
    const { failures } = this.#store.readStanding();
    this.#store.stand({ failures: failures + 1 });
    if (failures + 1 < TRIES) return Date.now() + TRY_AGAIN_MS;
    const reason =
      error instanceof PilothouseError
        ? error.message
        : 'Something failed on the server; its log says more.';
    this.#append({ type: 'halted', reason });
    return null;
  }

  async #read(): Promise<InstanceRead> {
    const read = await readInstance(this.env, this.#instanceId);
    if (read?.accountId === this.#accountId) return read;
    throw new PilothouseError('instance_not_found', { instanceId: this.#instanceId });
  }

  #append(event: ChatEvent, messageId: MessageId | null = null) {
    return this.#store.append(event, Date.now(), messageId);
  }

  /** Whether a call still waits for its end; a stop ends each. */
  #isOpen(callId: string): boolean {
    return openCalls(this.#store.newest()).some((open) => open.callId === callId);
  }

  #state(): ChatState {
    const entries = this.#store.newest();
    const step = decideStep(entries);
    const { waiting, resting } = this.#store.readStanding();
    if (step.do === 'rest') {
      const last = entries.findLast(({ event: { type } }) => type !== 'called' && type !== 'lost');
      const type = last?.event.type;
      return type === 'stopped' || type === 'halted' ? type : 'idle';
    }
    if (waiting) return 'waiting';
    if (resting) return 'resting';
    return step.do === 'call' ? 'calling' : 'thinking';
  }
}

/** An agent works in no directory: budgets of the whole account count it. */
const placeOf = ({ instance }: InstanceRead): Place => ({
  runnerId: instance.runnerId,
  directory: null,
});
