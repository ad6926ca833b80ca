import { PilothouseError } from '../../protocol/errors.ts';
import {
  findForkPoint,
  forkObstacle,
  type ForkPoint,
  type ForkRequest,
  laterTurns,
} from '../../protocol/fork.ts';
import type { LaunchRequest } from '../../protocol/http.ts';
import type { AccountId, RunnerId, SessionId, TurnId } from '../../protocol/ids.ts';
import type { PolicyPart } from '../../protocol/merge-policy.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Database } from '../db/client.ts';
import { listPolicyVersions } from '../policy/read.ts';

/** Where a session is forked, and the turns that its fork knows of. */
export type Fork = { point: ForkPoint; told: ReadonlySet<TurnId>; directory: string | null };

/**
 * Decides whether a launch may fork a session, and where. Its files are on its own machine and in
 * its own checkout, so that the fork is there too. Throws `fork_unavailable`. Pure.
 */
export function decideFork(
  { view, runnerId }: { view: SessionView; runnerId: RunnerId },
  launch: Pick<LaunchRequest, 'runnerId' | 'checkout'> & { fork: ForkRequest },
): Fork {
  const unavailable = (detail: string) => new PilothouseError('fork_unavailable', { detail });
  const obstacle = forkObstacle(view);
  if (obstacle !== null) throw unavailable(obstacle);
  if (launch.runnerId !== runnerId) throw unavailable('Its files are on another machine.');
  if (launch.checkout === 'inPlace')
    throw unavailable('A fork works in a checkout of its own, never in your directory itself.');
  const point = findForkPoint(view, launch.fork);
  const turn = point && view.turns.find(({ turnId }) => turnId === point.turnId);
  if (!point || !turn) throw unavailable('It has no such turn, or that turn is not over.');
  const later = new Set(laterTurns(view, turn).map(({ turnId }) => turnId));
  // One that began since is in none of these, and no part of the fork.
  const told = new Set(
    view.turns.flatMap((each) =>
      each.startedAt === null || later.has(each.turnId) ? [] : [each.turnId],
    ),
  );
  return { point, told, directory: view.launch.directory };
}

/** What the session alone was held to by its launch, which its fork is held to too; null for nothing. */
export async function readOwnPart(
  database: Database,
  accountId: AccountId,
  sessionId: SessionId,
): Promise<PolicyPart | null> {
  const scope = { kind: 'session' as const, sessionId };
  const [newest] = await listPolicyVersions(database, accountId, scope, 1);
  return newest?.part ?? null;
}
