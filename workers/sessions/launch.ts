import { PilothouseError } from '../../protocol/errors.ts';
import { capSnapshot, tellsOf } from '../../protocol/engine-authority.ts';
import { forkMachineObstacle, forkRequest } from '../../protocol/fork.ts';
import type { LaunchImages, LaunchRequest } from '../../protocol/http.ts';
import { brainKeyId, type RunnerId, type SessionId, type TurnId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { canDecide, defaultAnswerMs, defaultSilenceMs } from '../../protocol/machine.ts';
import { requireBrainKey } from '../access/brain-keys.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { readLaunchPreset } from '../engines/read.ts';
import type { Env } from '../env.ts';
import { codeOfAbsence } from '../lib/absence.ts';
import type { RelayStatus, ToldSession } from '../lib/calls.ts';
import { newId } from '../lib/crypto.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf, relayOf } from '../lib/stubs.ts';
import { readMergePolicyForRun } from '../policy/read.ts';
import { appendSessionPart, type PolicySaver } from '../policy/save.ts';
import { requireRunner } from '../runners/register.ts';
import { sessionOf, takeImages } from './launch-images.ts';
import { readEarlierWork } from './earlier-work.ts';
import { decideFork, readOwnPart } from './fork.ts';

/** What a launch is asked for with: without a `turnId` it is a new one each time. */
type AskedLaunch = LaunchRequest & {
  runnerId: RunnerId;
  turnId?: TurnId | undefined;
  from?: SessionId | undefined;
  images?: LaunchImages | undefined;
};

/**
 * Launches a session on a runner; the same request under the same `turnId` is the same session.
 * Throws `runner_not_found`, `runner_offline` when the machine is known to be away, and
 * `runner_revoked` when it may not come: a launch is refused then, not queued out of sight. Throws `policy_unreadable` too, for a Pilot
 * `brain_key_not_found` and `brain_engine_unable`, with `from` what `readEarlierWork` throws, and
 * with `fork` what `decideFork` throws; with images `images_unsupported` and what `takeImages` throws.
 */
export async function launchSession(
  env: Env,
  database: Database,
  principal: Principal,
  request: AskedLaunch,
  nowMs: number,
): Promise<{ sessionId: SessionId; turnId: TurnId }> {
  const { runnerId, turnId = newId('trn', nowMs), from: earlier, fork, images, ...told } = request;
  const { policy: said, ...asked } = told;
  const { accountId, actorId } = principal;
  await requireRunner(database, accountId, runnerId);
  const sessionId = await sessionOf(accountId, turnId);
  const feed = feedOf(env, accountId, sessionId);
  const status = await relayOf(env, accountId, runnerId).readStatus();
  const { machine } = status;
  const obstacle = findObstacle(status, request);
  // Able now or not: what was launched before stays launched.
  if (obstacle && !(await feed.readView()).ok) throw obstacle;
  if (fork && !earlier)
    throw new PilothouseError('bad_request', {
      detail: '`fork` is of the session that `from` names',
    });
  if (asked.pilot?.brain.kind === 'api')
    await requireBrainKey(database, accountId, brainKeyId.parse(asked.pilot.brain.keyId));
  const preset = await readLaunchPreset(database, accountId, asked.engineId);
  const point = fork && forkRequest.parse(fork);
  const decide =
    point && ((session: ToldSession) => decideFork(session, { ...request, fork: point }));
  const before = earlier ? await readEarlierWork(env, accountId, earlier, decide) : null;
  const from = before?.work ?? null;
  // A fork is of the session's own repository, and held to what that session was held to.
  const spec =
    fork && before ? { ...asked, directory: before.directory, conversation: null } : asked;
  const part = said ?? (fork && earlier ? await readOwnPart(database, accountId, earlier) : null);
  const place = { runnerId, directory: spec.directory ?? null };
  const own = part && { sessionId, part };
  // What a machine tells by itself is of the product's engine of this id, and not of one's own.
  const readiness = preset
    ? undefined
    : machine?.engines.find(({ engineId }) => engineId === spec.engineId);
  if (spec.pilot?.brain.kind === 'engine' && readiness && canDecide(readiness) !== true)
    throw new PilothouseError('brain_engine_unable', { detail: readiness.label });
  // What is refused above and here leaves no version of a policy behind.
  const shown = images ? await takeImages(env, accountId, sessionId, images) : [];
  if (own) await appendSessionPart(database, saverOf(principal), own, nowMs);
  const tells = tellsOf(preset, readiness, spec.approvals ?? 'ask');
  const whole = await readMergePolicyForRun(database, accountId, place, own ?? null);
  const policy = capSnapshot(whole, tells);
  const noOutputMs = spec.noOutputMs ?? defaultSilenceMs(machine?.limits);
  const answerMs = spec.answerMs ?? defaultAnswerMs(machine?.limits);
  const launch = launchSpec.parse({ ...spec, noOutputMs, answerMs, preset, from, policy });
  unwrap(await feed.create({ runnerId, actorId, launch, turnId, images: shown }));
  // As it was made: asked for again, the session that is forked may have moved on.
  const made = from?.fork ? unwrap(await feed.readView()).view.launch.from : null;
  if (made?.fork)
    unwrap(
      await feedOf(env, accountId, made.sessionId).request({
        action: 'fork',
        actorId,
        into: { sessionId, turnId: made.fork.turnId, number: made.fork.number },
      }),
    );
  return { sessionId, turnId };
}

/** Why its machine cannot take a launch as things stand; null when it can. */
function findObstacle(
  { presence, machine, revokedAt }: RelayStatus,
  { runnerId, fork, images }: AskedLaunch,
): PilothouseError | null {
  const unable = fork ? forkMachineObstacle(machine) : null;
  if (unable !== null) return new PilothouseError('fork_unavailable', { detail: unable });
  if (presence === 'offline') return new PilothouseError(codeOfAbsence(revokedAt), { runnerId });
  // A runner that knows nothing of them would hand the words over without.
  if (images && machine?.images !== true) return new PilothouseError('images_unsupported');
  return null;
}

const saverOf = ({ accountId, actorId, kind }: Principal): PolicySaver => ({
  accountId,
  actorId,
  kind: kind === 'cli' ? 'cli' : 'person',
});
