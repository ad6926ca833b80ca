import { brainTurnOf } from '../../protocol/brain-answer.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { TurnGrant } from '../../protocol/shared-budget.ts';
import type { Over } from '../budgets/decide.ts';
import type { BookCalls, BrainStep, Settlement } from '../lib/calls.ts';
import { type Outcome, succeed } from '../lib/outcome.ts';
import { isLost, unsettledUsage } from '../pilot/brains/model-usage.ts';

export type BrainPorts = {
  book(): BookCalls;
  /** What the session says of itself now. */
  told(): Pick<Settlement, 'sessionId' | 'place' | 'spend'>;
  record(event: FeedEvent): Promise<Outcome<null>>;
  /** Tells the budgets, with what is over beside the turns. */
  settle(over: Partial<Pick<Settlement, 'ended' | 'released' | 'lost'>>): Promise<void>;
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
  const { step } = input;
  const callId = brainTurnOf(sessionId, step);
  switch (input.do) {
    case 'reserve':
    case 'reserveShare': {
      const { sessionId: spender, place, spend } = ports.told();
      const most = input.do === 'reserve' ? input.most : null;
      const held = await ports.book().reserveCall({ callId, spender, place, spend, most });
      if (!held.ok) return held;
      if (input.do === 'reserve' && held.value.lost) {
        // The process died while the model was asked: its answer is lost, and may have been charged.
        const lost = { type: 'brain/answered', step, usage: unsettledUsage(input.model) } as const;
        const recorded = await ports.record(lost);
        if (!recorded.ok) return recorded;
      }
      return succeed(held.value.grant);
    }
    case 'record': {
      const { usage } = input;
      const recorded = await ports.record({ type: 'brain/answered', step, usage });
      if (recorded.ok) await ports.settle(isLost(usage) ? { lost: [callId] } : { ended: [callId] });
      return recorded;
    }
    case 'release':
      await ports.settle({ released: [callId] });
      return succeed(null);
    default:
      return input satisfies never;
  }
}

/** Questions to the session's own engine of which its machine has told what they came to. */
export function answeredIn(sessionId: SessionId, events: readonly FeedEvent[]): Over {
  const ended = events.flatMap((event) =>
    event.type === 'brain/answered' ? [brainTurnOf(sessionId, event.step)] : [],
  );
  return { ended, lost: [] };
}
