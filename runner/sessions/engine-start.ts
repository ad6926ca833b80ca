import { type Brief, writeBrief } from '../../protocol/brief.ts';
import { policyOfSession } from '../../protocol/engine-authority.ts';
import type { CommandResult } from '../../protocol/command.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { Engine, EngineLaunch, FoundEngine, SpawnPlan } from '../engines/engine.ts';
import { withPolicy } from '../engines/told-policy.ts';
import { messageOf } from '../failure.ts';
import { gradeOf, isGated, type Checkout } from '../guard/checkout.ts';
import type { Secret } from '../guard/secrets.ts';
import type { ProcessIdentity } from '../process/process-table.ts';
import { SpawnError } from '../process/spawn.ts';
import type { RefsSeen } from '../witness/witness.ts';
import { ownCapOf } from './budget-rules.ts';
import { checkConversation, checkUnheld } from './conversation.ts';
import { EngineRun, type RunHandlers } from './engine-run.ts';
import { checkLaunch } from './check-launch.ts';
import { LaunchRefused, type PreparedLaunch, refusalOf } from './launcher.ts';
import { resolveCredential } from './resolve-credential.ts';
import { beginsAsFork, copyConversation } from './forks.ts';
import { keepFiles } from './keep-files.ts';
import { openModel, routeOf } from './model-way.ts';
import type { SessionDeps } from './session-deps.ts';
import type { LaunchRefusal, SessionInput } from './session-io.ts';
import { tellProcess } from './told-process.ts';
import type { QueuedTurn } from './session-state.ts';
import { readBooks } from './settle-terminal.ts';
import type { SessionRow } from './session-store.ts';

/** Checks the launch and makes what it works in. Throws what `refusalOf` understands. */
export async function prepareEngine(
  deps: SessionDeps,
  engine: Engine,
  { state, checkout }: SessionRow,
  signal: AbortSignal,
): Promise<PreparedLaunch & { found: FoundEngine }> {
  const { sessionId, launch } = state;
  checkConversation(launch, engine);
  const { found, warnings } = await checkLaunch(deps.ports, launch);
  const fresh = checkout === null;
  // A new one would lie at the base, under a conversation that knows of later files.
  const fault = checkout && (await deps.ports.findFault(checkout));
  if (fault) throw new PilothouseError(fault.code, { detail: fault.detail });
  const prepared = await deps.ports.prepare({ sessionId, launch, engine, fresh, signal });
  if (fresh) await keepFiles(deps, prepared.checkout, { kind: 'start', turnId: null });
  return { found, ...prepared, events: [...warnings.map(preflightNotice), ...prepared.events] };
}

/** What a look before the launch found that does not stop it. */
const preflightNotice = ({
  problem,
  remedy,
}: {
  problem: string;
  remedy: string;
}): EngineEvent => ({
  type: 'notice/raised',
  level: 'warning',
  code: 'preflight',
  message: `${problem} ${remedy}`,
});

/**
 * What the machine's limits are about when a session goes on: not what the launch named, which
 * may lead somewhere else by now, but where it works, or the repository that its own checkout is of.
 */
export function placeOfWork(checkout: Checkout, { directory }: LaunchSpec): string | null {
  if (directory === null) return null;
  return checkout.mode === 'inPlace' ? checkout.directory : checkout.source.top;
}

/**
 * How the engine is started for a session's conversation, whether there is one to resume, and the
 * seal that every process of the session runs in.
 */
export async function launchOf(
  deps: SessionDeps,
  engine: Engine,
  { state, checkout }: SessionRow,
  found: FoundEngine | null,
): Promise<{ launch: EngineLaunch; resumes: boolean; seal(plan: SpawnPlan): Promise<SpawnPlan> }> {
  if (!checkout) throw new Error('the session has no checkout to work in');
  const { launchId, conversationBegun, engineSessionId } = state;
  const conversation = conversationBegun ? engineSessionId : null;
  if (conversation !== null) {
    const begunByHand = state.launch.conversation !== null;
    const resumption = {
      engineSessionId: conversation,
      directory: checkout.directory,
      begunByHand,
    };
    checkUnheld(resumption, deps.ports.listRunning(engine));
  }
  const place = placeOfWork(checkout, state.launch);
  const known = found ?? (await checkLaunch(deps.ports, state.launch, place)).found;
  const launch: EngineLaunch = {
    launchId,
    launch: state.launch,
    directory: checkout.directory,
    engineSessionId: conversation ?? deps.makeUuid(),
    resume: conversation !== null,
    gated: isGated(checkout),
    sealed: gradeOf(checkout).grade === 'sealed',
    acts: deps.ports.actRules(checkout, policyOfSession(state.launch.policy, engine.capabilities)),
    ...known,
  };
  const seal = (plan: SpawnPlan) => deps.ports.seal(plan, engine, checkout, known);
  return { launch, resumes: conversation !== null, seal };
}

export type StartedEngine = {
  run: EngineRun;
  launch: EngineLaunch;
  /** What the session learns of it: which way its calls go, and the process. */
  inputs: readonly SessionInput[];
  /** What the conversation's last process left of the parser's state. */
  before: unknown;
  /** What came before, as it was put before the instruction; null when nothing was. */
  brief: Brief | null;
};

/**
 * Starts the engine of a session, a one-shot engine for `turn`: for a conversation that has a
 * turn as its resumption, else as a new one. `found` is known right after preparing; a session that resumes is checked again.
 */
export async function startEngine(
  deps: SessionDeps,
  engine: Engine,
  row: SessionRow,
  turn: QueuedTurn | null,
  found: FoundEngine | null,
  handlers: RunHandlers,
): Promise<StartedEngine> {
  const { sessionId, story, spawns } = row.state;
  const { launch: begun, resumes, seal } = await launchOf(deps, engine, row, found);
  const { checkout } = row;
  const forks = beginsAsFork(row.state) && checkout !== null;
  const copy = forks ? await copyConversation(deps, engine, { ...row, checkout }) : null;
  const books = resumes && row.carried === null ? await readBooks(deps, engine, row) : null;
  const planned = {
    ...begun,
    ...(copy && 'path' in copy && { forkOf: copy.path }),
    ...(books !== null && { books }),
  };
  const brief = turn && writeBrief(story, turn, row.state);
  const briefed = turn && brief ? { ...turn, text: brief.text } : turn;
  const told = briefed && !resumes ? withPolicy(briefed, planned, engine) : briefed;
  const model = await openModel(deps, engine, row, planned);
  const cap = ownCapOf(row.state, model?.through ?? null);
  const limited = { ...planned, ...(cap !== undefined && { maxMicroUsd: cap }) };
  const own = engine.plan(limited, deps.env, told ?? undefined);
  const plan = model ? model.lead(own) : own;
  const allowed = await seal(plan);
  const env = { machine: deps.env, process: allowed.env };
  // Behind the gate it has what stands for one credential, and no other.
  const launch =
    model?.through === 'gate' ? limited : await resolveCredential(deps.ports, engine, limited, env);
  const paths = deps.spoolPaths(sessionId, spawns);
  const run = await EngineRun.spawn(allowed, paths, sessionId, engine.nestedVariables, handlers);
  const asked = { launch: planned, env: deps.env, turn: told ?? undefined };
  const process = tellProcess(engine, asked, { pid: run.pid, plan: allowed });
  return {
    run,
    launch,
    inputs: [
      { kind: 'routed', route: routeOf(model) },
      {
        kind: 'spawned',
        process,
        ...(launch.acts && { acts: launch.acts }),
        ...(allowed.guarded && { guarded: true }),
        ...(copy && { fork: { obstacle: 'path' in copy ? null : copy.obstacle } }),
      },
    ],
    before: resumes ? row.carried : null,
    brief,
  };
}

/** A checkout that cannot be read any more gives no secrets; the engine's own are still known. */
export async function readSecretsAgain(
  { ports, log }: Pick<SessionDeps, 'ports' | 'log'>,
  engine: Engine,
  { state, checkout }: SessionRow,
): Promise<Secret[]> {
  try {
    return await ports.readSecrets(engine, checkout);
  } catch (error) {
    log('error', 'the secrets of a session’s checkout cannot be read', {
      session: state.sessionId,
      reason: messageOf(error),
    });
    return ports.readSecrets(engine, null);
  }
}

/** The same between two turns, which go on where they cannot be read: those of before still hold. */
export async function readSecretsBetween(
  deps: Pick<SessionDeps, 'ports' | 'log'>,
  engine: Engine,
  row: SessionRow,
): Promise<Secret[]> {
  try {
    return await readSecretsAgain(deps, engine, row);
  } catch (error) {
    const session = row.state.sessionId;
    deps.log('error', 'secrets cannot be read between turns', {
      session,
      reason: messageOf(error),
    });
    return [];
  }
}

/** Limits that cannot be read refuse the next instruction; what waits already was taken before. */
export async function tryLimits(
  { log }: Pick<SessionDeps, 'log'>,
  judge: () => Promise<unknown>,
): Promise<void> {
  try {
    await judge();
  } catch (error) {
    log('error', 'the limits cannot be read between turns', { reason: messageOf(error) });
  }
}

/** What a failed start means: a refusal that stands, or an attempt that may be made again. */
export function spawnFailure(
  { log }: Pick<SessionDeps, 'log'>,
  sessionId: SessionId,
  error: unknown,
): SessionInput {
  if (error instanceof LaunchRefused || error instanceof PilothouseError)
    return { kind: 'refused', refusal: refusalOf(error) };
  if (error instanceof SpawnError && (error.code === 'ENOENT' || error.code === 'EACCES')) {
    const missing = { code: 'engine_missing', message: error.message } as const;
    const refusal: LaunchRefusal = {
      state: 'provider_failed',
      code: 'engine_missing',
      error: missing,
    };
    return { kind: 'refused', refusal };
  }
  log('error', 'an engine could not be started', { session: sessionId, reason: messageOf(error) });
  return { kind: 'spawnFailed', message: messageOf(error) };
}

/**
 * Brings a turn's commits into the person's repository, and keeps the files as the turn left them;
 * a failure is told, and loses nothing.
 */
export async function bringBackEvents(
  deps: SessionDeps,
  checkout: Checkout | null,
  turnId: TurnId,
): Promise<readonly EngineEvent[]> {
  try {
    const events = checkout ? await deps.ports.bringBack(checkout, turnId) : [];
    await keepFiles(deps, checkout, { kind: 'turn', turnId });
    return events;
  } catch (error) {
    const message = `The commits of this turn could not be brought into the repository: ${messageOf(error)} They stay in the session’s checkout and are tried again after the next turn.`;
    return [{ type: 'notice/raised', level: 'warning', code: 'bring_back_failed', message }];
  }
}

/** Compares the refs after a turn; a comparison that fails is in the log, and the next spans it. */
export async function lookAtRefs(
  { ports, log }: Pick<SessionDeps, 'ports' | 'log'>,
  { checkout, state }: Pick<SessionRow, 'checkout' | 'state'>,
  until: number,
): Promise<RefsSeen | null> {
  if (!checkout) return null;
  try {
    return await ports.lookAtRefs(checkout, { from: state.watched?.since ?? until, until });
  } catch (error) {
    log('error', 'the refs of a session’s repository cannot be compared', {
      session: state.sessionId,
      reason: messageOf(error),
    });
    return null;
  }
}

export function survivorsNotice(survivors: readonly ProcessIdentity[]): EngineEvent {
  const pids = survivors.map(({ pid }) => pid).join(', ');
  const message = `Some processes that this session started could not be ended (pid ${pids}). End them by hand.`;
  return { type: 'notice/raised', level: 'warning', code: 'process_survived', message };
}

export function startResult(refusal: LaunchRefusal | null): CommandResult {
  if (!refusal) return { ok: true, value: {} };
  return { ok: false, code: refusal.code, message: refusal.error.message };
}
