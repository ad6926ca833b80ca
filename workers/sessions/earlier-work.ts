import { StoryTeller } from '../../protocol/brief.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { EarlierWork } from '../../protocol/story.ts';
import type { Env } from '../env.ts';
import type { ToldSession } from '../lib/calls.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { pagesOf } from './entries.ts';
import type { Fork } from './fork.ts';

/**
 * What another session is told of this one's work, from its record alone: its machine may be gone.
 * `fork` says where it is forked, where it is. Throws `session_not_found`, what `fork` throws, and
 * `nothing_to_go_on_from` where no turn of it ever began.
 */
export async function readEarlierWork(
  env: Env,
  accountId: AccountId,
  sessionId: SessionId,
  fork?: (session: ToldSession) => Fork,
): Promise<{ work: EarlierWork; directory: string | null }> {
  const feed = feedOf(env, accountId, sessionId);
  const session = unwrap(await feed.readView());
  const { view } = session;
  const forked = fork?.(session);
  const teller = new StoryTeller(view.launch.from?.story ?? []);
  for await (const entries of pagesOf(feed))
    for (const { event } of entries) if (isTold(event, forked)) teller.hear(event);
  const { story } = teller;
  if (story.length === 0) throw new PilothouseError('nothing_to_go_on_from', { sessionId });
  const branch = view.checkout?.branch ?? null;
  const work = { sessionId, branch, story, ...(forked && { fork: forked.point }) };
  return { work, directory: forked?.directory ?? null };
}

/** Of a turn that the fork knows of, or of none. */
function isTold(event: FeedEvent, fork: Fork | undefined): boolean {
  if (!fork) return true;
  const turnId =
    event.type === 'act/seen' ? event.act.turnId : 'turnId' in event ? event.turnId : null;
  return turnId === null || fork.told.has(turnId);
}
