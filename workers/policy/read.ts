import { and, desc, eq, sql } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, RunnerId, SessionId } from '../../protocol/ids.ts';
import {
  mergePolicies as mergeLayers,
  type MergePolicy,
  mergePolicy,
  type PolicyLayer,
  type PolicyPart,
  type PolicyScope,
  type PolicySnapshot,
} from '../../protocol/merge-policy.ts';
import { describePolicy } from '../../protocol/policy-words.ts';
import {
  type PolicyDetail,
  type PolicyQuery,
  policyVersion,
  type PolicyVersion,
} from '../../protocol/policy-http.ts';
import type { Database } from '../db/client.ts';
import { mergePolicies } from '../db/schema.ts';
import { describeFault } from '../lib/logger.ts';
import { isWithinDirectory, normalDirectory, scopeKeyOf } from './scope.ts';

/** How many of the last versions are told. */
const TOLD_VERSIONS = 100;

/** Where a launch works: a directory of a machine, or null for none of the person's. */
type Place = { runnerId: RunnerId; directory: string | null };

/** The versions of one scope, the newest first. Throws `policy_unreadable`. */
export async function listPolicyVersions(
  database: Database,
  accountId: AccountId,
  scope: PolicyScope,
  limit = TOLD_VERSIONS,
): Promise<PolicyVersion[]> {
  const rows = await failClosed(() =>
    database
      .select()
      .from(mergePolicies)
      .where(
        and(eq(mergePolicies.accountId, accountId), eq(mergePolicies.scopeKey, scopeKeyOf(scope))),
      )
      .orderBy(desc(mergePolicies.version))
      .limit(limit),
  );
  return rows.map(parseRow);
}

/** What holds for launches at a place, and who says so. Throws `policy_unreadable`. */
export async function readPolicy(
  database: Database,
  accountId: AccountId,
  { runnerId, directory }: PolicyQuery,
): Promise<PolicyDetail> {
  const place = runnerId && directory ? { runnerId, directory } : null;
  const layers = await listLayers(database, accountId, place);
  const policy = hold(layers);
  return { policy, words: describePolicy(policy), layers };
}

/**
 * The policy of a launch, as it stands now: the launch keeps it whatever is saved later. Throws
 * `policy_unreadable`: what cannot be read allows nothing.
 */
export async function readMergePolicyForRun(
  database: Database,
  accountId: AccountId,
  place: Place,
  own: { sessionId: SessionId; part: PolicyPart } | null = null,
): Promise<PolicySnapshot> {
  const layers = await listLayers(database, accountId, place);
  const sources = layers.map(({ scope, version }) => ({ scope, version }));
  if (!own) return { policy: hold(layers), sources };
  const scope = { kind: 'session' as const, sessionId: own.sessionId };
  return {
    policy: hold([...layers, { part: own.part, widens: null }]),
    sources: [...sources, { scope, version: 1 }],
  };
}

/** What scopes come to; of more than one work can be held to, a part would let through what the rest deny. */
function hold(layers: readonly PolicyLayer[]): MergePolicy {
  const policy = mergeLayers(layers);
  const [issue] = mergePolicy.safeParse(policy).error?.issues ?? [];
  if (!issue) return policy;
  const list = issue.path.join('.');
  const detail = `all that is said of \`${list}\` for this place is more than can be held (${issue.message}); take some of it away`;
  throw new PilothouseError('policy_unreadable', { detail });
}

/** What each scope that is about a place says now, from the widest to the nearest. */
async function listLayers(
  database: Database,
  accountId: AccountId,
  place: Place | null,
): Promise<PolicyVersion[]> {
  const newest = sql`(${mergePolicies.scopeKey}, ${mergePolicies.version}) IN (
    SELECT scope_key, MAX(version) FROM merge_policies WHERE account_id = ${accountId} GROUP BY scope_key)`;
  const rows = await failClosed(() =>
    database
      .select()
      .from(mergePolicies)
      .where(and(eq(mergePolicies.accountId, accountId), newest)),
  );
  const versions = rows.map(parseRow).filter(({ scope }) => isAbout(scope, place));
  return versions.toSorted((one, other) => widthOf(one.scope) - widthOf(other.scope));
}

function isAbout(scope: PolicyScope, place: Place | null): boolean {
  if (scope.kind === 'account') return true;
  if (scope.kind === 'session' || !place || place.directory === null) return false;
  return (
    scope.runnerId === place.runnerId &&
    isWithinDirectory(scope.directory, normalDirectory(place.directory))
  );
}

/** The longer a directory, the nearer it is. */
const widthOf = (scope: PolicyScope): number =>
  scope.kind === 'repository' ? scope.directory.length : 0;

/** A version that this one cannot read might be the strictest: nothing is allowed without it. */
function parseRow(row: typeof mergePolicies.$inferSelect): PolicyVersion {
  const parsed = policyVersion.safeParse({ ...row, savedAt: row.at });
  if (parsed.success) return parsed.data;
  const detail = `version ${row.version} of ${row.scopeKey} cannot be read by this version`;
  throw new PilothouseError('policy_unreadable', { detail });
}

async function failClosed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const detail = describeFault(error);
    throw new PilothouseError('policy_unreadable', { detail }, { cause: error });
  }
}
