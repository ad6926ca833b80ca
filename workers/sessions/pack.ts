import { type ArtifactPack, PackCollector } from '../../protocol/artifact-pack.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { readRunner } from '../runners/read.ts';

/** Entries asked of the feed at a time, so that a long record never lies in memory as a whole. */
const PAGE = 1_000;

/** The evidence of one session, from its feed. Throws `session_not_found`. */
export async function packSession(
  env: Env,
  database: Database,
  accountId: AccountId,
  sessionId: SessionId,
  nowMs: number,
): Promise<ArtifactPack> {
  const feed = feedOf(env, accountId, sessionId);
  const collector = new PackCollector();
  for (let after = 0; ;) {
    const { entries, last } = unwrap(await feed.listEntries(after, PAGE));
    collector.add(entries);
    after = entries.at(-1)?.position ?? last;
    if (after >= last) break;
  }
  const { runnerId, view } = unwrap(await feed.readView());
  const { name, machine } = await readRunner(env, database, accountId, runnerId);
  const facts = machine && {
    platform: machine.platform,
    arch: machine.arch,
    nodeVersion: machine.nodeVersion,
    pilothouseVersion: machine.pilothouseVersion,
  };
  return collector.pack(view, { runnerId, name, facts }, nowMs);
}
