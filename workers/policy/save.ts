import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, ActorId, SessionId } from '../../protocol/ids.ts';
import type { PolicyPart } from '../../protocol/merge-policy.ts';
import { type PolicyVersion, type SavePolicyRequest } from '../../protocol/policy-http.ts';
import type { Database } from '../db/client.ts';
import { mergePolicies } from '../db/schema.ts';
import { listPolicyVersions } from './read.ts';
import { normalDirectory, scopeKeyOf } from './scope.ts';

export type PolicySaver = { accountId: AccountId; actorId: ActorId; kind: 'person' | 'cli' };

/** Puts on record what a launch says for its own session; the same launch again changes nothing. */
export async function appendSessionPart(
  database: Database,
  { accountId, actorId, kind }: PolicySaver,
  { sessionId, part }: { sessionId: SessionId; part: PolicyPart },
  nowMs: number,
): Promise<void> {
  const scope = { kind: 'session' as const, sessionId };
  const row = { scope, scopeKey: scopeKeyOf(scope), version: 1, part, widens: null };
  await database
    .insert(mergePolicies)
    .values({ ...row, accountId, actorId, savedBy: kind, at: nowMs })
    .onConflictDoNothing();
}

/**
 * Saves what a scope says as its next version; what is launched later is held to it. Throws
 * `policy_changed` when another version than `basedOn` stands.
 */
export async function savePolicy(
  database: Database,
  { accountId, actorId, kind }: PolicySaver,
  request: SavePolicyRequest,
  nowMs: number,
): Promise<PolicyVersion> {
  const { part, widens, basedOn } = request;
  const scope =
    request.scope.kind === 'repository'
      ? { ...request.scope, directory: normalDirectory(request.scope.directory) }
      : request.scope;
  const [newest] = await listPolicyVersions(database, accountId, scope, 1);
  if ((newest?.version ?? 0) !== basedOn) throw new PilothouseError('policy_changed');
  const row = { scope, part, widens, version: basedOn + 1 };
  // Its number is its place: of two that are saved at once, one is refused.
  const [appended] = await database
    .insert(mergePolicies)
    .values({ ...row, accountId, actorId, scopeKey: scopeKeyOf(scope), savedBy: kind, at: nowMs })
    .onConflictDoNothing()
    .returning();
  if (!appended) throw new PilothouseError('policy_changed');
  return { ...row, savedBy: kind, savedAt: nowMs };
}
