import { type ArtifactPack, PackCollector } from '../../protocol/artifact-pack.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { readRunner } from '../runners/read.ts';
import { pagesOf } from './entries.ts';

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
  for await (const entries of pagesOf(feed)) collector.add(entries);
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
