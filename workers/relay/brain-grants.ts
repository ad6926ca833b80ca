import { brainTurnOf } from '../../protocol/brain-answer.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { TurnGrant } from '../../protocol/shared-budget.ts';
import type { BookCalls, BrainStep, Settlement } from '../lib/calls.ts';
import { type Outcome, succeed } from '../lib/outcome.ts';
import { isLost, unsettledUsage } from '../pilot/brains/model-usage.ts';
import type { BrainCalls } from './brain-calls.ts';

export type BrainPorts = {
  book(): BookCalls;
  calls: BrainCalls;
  /** What the session says of itself now. */
  told(): Pick<Settlement, 'sessionId' | 'place' | 'spend'>;
  record(event: FeedEvent): Promise<Outcome<null>>;
  /** Tells the budgets, with what is over beside the turns. */
  settle(over: Partial<Pick<Settlement, 'ended' | 'released'>>): Promise<void>;
};

/**
 * A session's way to the account's budgets for what its Pilot's brain takes: held before a model is
 * asked, on record once it has answered, given back where nothing was served.
 */
export async function takeBrainStep(
  ports: BrainPorts,
  sessionId: SessionId,
  input: BrainStep,
): Promise<Outcome<TurnGrant | null>> {
  if (input.do === 'giveUp') {
    const given = await giveUp(ports, input.before);
    if (given.ok) await ports.settle({});
    return given;
  }
  const { step } = input;
  const callId = brainTurnOf(sessionId, step);
  switch (input.do) {
    case 'reserve':
    case 'reserveShare': {
      const given = await giveUp(ports, Infinity);
      if (!given.ok) return given;
      const owed = ports.calls.listOwed();
      const most = input.do === 'reserve' ? input.most : null;
      const call =
        input.do === 'reserve' ? { callId, step, model: input.model, at: Date.now() } : null;
      if (call) ports.calls.open(call);
      const { sessionId: spender, place, spend } = ports.told();
      const { ended, lost } = owed;
      const over = { ended, lost };
      // Where no answer comes, it may be held all the same: the call stays open, and was never asked.
      const held = await ports.book().reserveCall({ callId, spender, place, spend, most, over });
      ports.calls.told(owed);
      if (!held.ok) ports.calls.refused(callId);
      else if (call) ports.calls.ask(call);
      return held;
    }
    case 'record': {
      const { usage } = input;
      const recorded = await ports.record({ type: 'brain/answered', step, usage });
      if (!recorded.ok) return recorded;
      ports.calls.became(callId, isLost(usage) ? 'lost' : 'ended');
      await ports.settle({});
      return recorded;
    }
    case 'release':
      ports.calls.forget(callId);
      await ports.settle({ released: [callId] });
      return succeed(null);
    default:
      return input satisfies never;
  }
}

/**
 * Whoever asked died while the model did, or before: its answer is lost, and may have been charged.
 * Puts the calls that began by a time (Unix ms) and are open on record as not settled. What the budgets
 * never gave an answer to was not asked of any model: it ends, and nothing of it is on record.
 */
async function giveUp({ calls, record }: BrainPorts, before: number): Promise<Outcome<null>> {
  for (const call of calls.listOpen()) {
    if (call.at > before) continue;
    if (call.asked) {
      const usage = unsettledUsage(call.model);
      const recorded = await record({ type: 'brain/answered', step: call.step, usage });
      if (!recorded.ok) return recorded;
    }
    calls.giveUp(call);
  }
  return succeed(null);
}

/** Questions to the session's own engine of which its machine has told what they came to. */
export function answeredIn(
  sessionId: SessionId,
  events: readonly FeedEvent[],
): Pick<Settlement, 'ended'> {
  const ended = events.flatMap((event) =>
    event.type === 'brain/answered' ? [brainTurnOf(sessionId, event.step)] : [],
  );
  return { ended };
}
