import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { FeedCalls } from '../lib/calls.ts';
import { unwrap } from '../lib/outcome.ts';

/** Entries asked of a feed at a time, so that a long record never lies in memory as a whole. */
const PAGE = 1_000;

/** The whole record of a session, page by page. Throws `session_not_found`. */
export async function* pagesOf(
  feed: Pick<FeedCalls, 'listEntries'>,
): AsyncGenerator<readonly FeedEntry[]> {
  for (let after = 0; ;) {
    const { entries, last } = unwrap(await feed.listEntries(after, PAGE));
    yield entries;
    after = entries.at(-1)?.position ?? last;
    if (after >= last) return;
  }
}
