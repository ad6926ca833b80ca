import { StoryTeller } from '../../protocol/brief.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import type { EarlierWork } from '../../protocol/story.ts';
import type { Env } from '../env.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { pagesOf } from './entries.ts';

/**
 * What another session is told of this one's work, from its record alone: its machine may be gone.
 * Throws `session_not_found`, and `nothing_to_go_on_from` where no turn of it ever began.
 */
export async function readEarlierWork(
  env: Env,
  accountId: AccountId,
  sessionId: SessionId,
): Promise<EarlierWork> {
  const feed = feedOf(env, accountId, sessionId);
  const { view } = unwrap(await feed.readView());
  const teller = new StoryTeller(view.launch.from?.story ?? []);
  for await (const entries of pagesOf(feed)) for (const { event } of entries) teller.hear(event);
  const { story } = teller;
  if (story.length === 0) throw new PilothouseError('nothing_to_go_on_from', { sessionId });
  return { sessionId, branch: view.checkout?.branch ?? null, story };
}
