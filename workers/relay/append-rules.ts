import { decideAccept } from '../../protocol/delivery.ts';
import type { FeedEntry, SequencedEvent } from '../../protocol/engine-event.ts';
import type { AppendReply } from '../lib/calls.ts';
import type { FeedFacts } from './feed-store.ts';

export type AppendDecision = AppendReply | { kind: 'accept'; entries: FeedEntry[]; upTo: number };

/** What of a batch of consecutive events is new, at which positions of the record it stands. */
export function decideAppend(
  { seqUpTo, lastPosition }: Pick<FeedFacts, 'seqUpTo' | 'lastPosition'>,
  events: readonly SequencedEvent[],
): AppendDecision {
  const from = events[0]?.seq ?? seqUpTo + 1;
  const acceptance = decideAccept(seqUpTo, from, from + events.length - 1);
  switch (acceptance.kind) {
    case 'gap':
      return acceptance;
    case 'duplicate':
      return { kind: 'stored', upTo: acceptance.upTo };
    case 'accept': {
      const entries = events.slice(acceptance.skip).map(({ at, seq, event }, index) => ({
        position: lastPosition + 1 + index,
        at,
        seq,
        event,
      }));
      return { kind: 'accept', entries, upTo: acceptance.upTo };
    }
    default:
      return acceptance satisfies never;
  }
}
