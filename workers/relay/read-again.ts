import { StoryTeller } from '../../protocol/brief.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { PolicySnapshot } from '../../protocol/merge-policy.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Story } from '../../protocol/story.ts';
import type { Env } from '../env.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { readPolicyAgain } from '../policy/read-again.ts';
import type { FeedStore } from './feed-store.ts';
import type { SessionRecord } from './session-record.ts';

/** Entries read at a time, so that a long record never lies in memory as a whole. */
const PAGE = 1_000;

/**
 * What a launch of a session again needs of now: what its scopes allow, and what it did so far, for
 * a conversation that its machine has lost. Refuses as {@link readPolicyAgain} does.
 */
export async function readAgain(
  env: Pick<Env, 'DB'>,
  accountId: AccountId,
  { state, store }: Pick<SessionRecord, 'state' | 'store'>,
): Promise<Outcome<{ policy: PolicySnapshot; story: Story }>> {
  if (!state) return refuse('session_not_found');
  const policy = await readPolicyAgain(env, accountId, state);
  return policy.ok ? succeed({ policy: policy.value, story: retell(state.view, store) }) : policy;
}

/** The story of a session from its whole record; empty where no turn of it ever began. */
function retell({ launch }: SessionView, store: Pick<FeedStore, 'listEntries'>): Story {
  const teller = new StoryTeller(launch.from?.story ?? []);
  for (let after = 0; ;) {
    const entries = store.listEntries(after, PAGE);
    for (const { event } of entries) teller.hear(event);
    if (entries.length < PAGE) return teller.story;
    after = entries.at(-1)?.position ?? after;
  }
}
