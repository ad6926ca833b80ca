import { randomUUID } from 'node:crypto';
import { messageOf } from '../failure.ts';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { DEFAULT_POLICY, type MergePolicy } from '../../protocol/merge-policy.ts';
import { titleOf } from '../../protocol/launch.ts';
import type { Engine } from '../engines/engine.ts';
import { engineOfPreset, KNOWN } from '../engines/presets.ts';
import { ENGINES, findEngine, probeEngine } from '../engines/registry.ts';
import { createRehearsalRepository } from '../engines/rehearsal/repository.ts';
import { listLosses, releaseCheckout } from '../guard/release.ts';
import {
  keepCheckpoint,
  listCheckpoints,
  listDiffering,
  listIgnored,
  writePatch,
} from '../guard/checkpoints.ts';
import { readPatch, reviewCheckout } from '../guard/review.ts';
import { readOwnSecrets } from '../guard/own-secrets.ts';
import { createRedactor } from '../guard/redact.ts';
import { collectSecrets, type Secret } from '../guard/secrets.ts';
import { runShell, type ShellResult } from '../guard/shell.ts';
import {
  bringBack,
  prepareCheckout,
  preparedEvent,
  readCheckoutSecrets,
  runSetup,
  type Checkout,
} from '../guard/workspace.ts';
import {
  decideLaunchAllowed,
  findLimitsPath,
  readKept,
  findRepositoryLimits,
  readMachineLimits,
  type Limits,
} from '../limits.ts';
import {
  decideCheckAllowed,
  findChecksPath,
  readApprovedChecks,
} from '../limits/approved-checks.ts';
import {
  decidePresetAllowed,
  findApprovalsPath,
  readApprovedEngines,
} from '../limits/approved-engines.ts';
import type { ActRules } from '../gate/act-policy.ts';
import { bringForkFiles, findCheckout, readForked } from '../guard/fork-files.ts';
import { limitPolicy } from '../gate/policy.ts';
import type { Log } from '../log.ts';
import { replaceFile } from '../replace-file.ts';
import { listRunning } from '../process/by-hand.ts';
import { readFreeBytes } from '../process/free-space.ts';
import { ModelGateClient } from '../model-gate/client.ts';
import { decideWay, leadPlan } from '../model-gate/lead.ts';
import { type GuardKeeper, Guards } from '../seal/guards.ts';
import { Keeper } from '../seal/keeper.ts';
import { sealPlaces } from '../seal/places.ts';
import { SESSION_MARKER } from '../process/mark.ts';
import { stripVariables } from '../process/spawn.ts';
import { Witness } from '../witness/witness.ts';
import type {
  CheckLine,
  LaunchPorts,
  ModelOpened,
  ModelRequest,
  PreparedLaunch,
  PrepareRequest,
} from './launcher.ts';

/** The machine as it is: its limits, engines and repositories. `root` holds checkouts and rehearsals. */
export function createLaunchPorts(
  root: string,
  env: NodeJS.ProcessEnv,
  log: Log = () => undefined,
): LaunchPorts {
  const limits = (): Limits => readMachineLimits(env, [root]);
  const keeper = new Keeper({ root, env, limits, log });
  const model = new ModelGateClient(join(root, 'model-gate'), env, log);
  const witness = new Witness({
    root: join(root, 'witness'),
    env,
    log,
    rules: (sessionId, top) =>
      limitPolicy(
        keeper.policyOf(sessionId) ?? DEFAULT_POLICY,
        findRepositoryLimits(limits(), top),
      ),
    now: Date.now,
  });
  const actRules = (checkout: Checkout, policy: MergePolicy): ActRules => {
    const { top, heads } = witness.known(checkout);
    const gate = checkout.mode === 'own' ? checkout.gate : undefined;
    const head = gate && Object.hasOwn(heads, gate.remote) ? heads[gate.remote] : undefined;
    return {
      policy: limitPolicy(policy, findRepositoryLimits(limits(), top)),
      heads: gate ? { ...(head !== undefined && { origin: head }) } : heads,
      branch: checkout.mode === 'inPlace' ? checkout.branch : null,
      gated: gate !== undefined,
    };
  };
  let sessions: GuardKeeper | null = null;
  const guards = new Guards({
    root,
    gate: () => keeper.openGate(),
    sessions: () => sessions,
    rules: (checkout) => {
      const policy = keeper.policyOf(checkout.sessionId);
      return policy && actRules(checkout, policy);
    },
    makeUuid: randomUUID,
    now: Date.now,
    log,
  });
  let lastNamed: Pick<Limits, 'secretVariables' | 'secretPatterns'> = {
    secretVariables: [],
    secretPatterns: [],
  };
  /** Limits that cannot be read now launch nothing; what runs keeps to what they said before. */
  const namedSecrets = (): typeof lastNamed => {
    try {
      lastNamed = limits();
    } catch (error) {
      log('error', 'the limits cannot be read for the names and patterns of secrets', {
        reason: messageOf(error),
      });
    }
    return lastNamed;
  };
  const readSecrets = async (engine: Engine, checkout: Checkout | null): Promise<Secret[]> => {
    const { secretVariables, secretPatterns } = namedSecrets();
    const kept = await readOwnSecrets([
      ...new Set([...KNOWN.secretFiles(env), ...engine.secretFiles(env)]),
    ]);
    for (const { path, reason } of kept.unread)
      log('warning', 'a file of an engine is not searched for secrets', { path, reason });
    const own = [
      ...secretPatterns,
      // A tool of any engine reads what another one keeps in the same home.
      ...collectSecrets(env, [
        ...KNOWN.secretVariables,
        ...engine.secretVariables,
        ...secretVariables,
      ]),
      ...kept.secrets,
      ...keeper.secretsOf(checkout),
      ...guards.secretsOf(checkout),
      ...(checkout ? [{ name: 'MODEL_GATE', value: model.placeholderOf(checkout.sessionId) }] : []),
    ];
    return checkout ? [...own, ...(await readCheckoutSecrets(checkout, secretVariables))] : own;
  };
  return {
    findEngine: ({ engineId, approvals, preset }) =>
      preset ? engineOfPreset(preset) : findEngine(engineId, approvals),
    probe: (engine, own = env) => probeEngine(engine, own, { modelGate: limits().modelGate }),
    listRunning: ({ id, programs = [id] }) => programs.flatMap(listRunning),
    decideAllowed: (launch, realDirectory) => {
      const now = limits();
      const decision = decideLaunchAllowed(now, launch, realDirectory);
      if (!decision.allowed || launch.preset === null) return decision;
      return decidePresetAllowed(launch, {
        approved: readApprovedEngines(findApprovalsPath(findLimitsPath(env))),
        commands: now.commands,
        ownEngines: ENGINES.map(({ id }) => id),
      });
    },
    readKept: () => readKept(env),
    readFreeBytes: () => readFreeBytes(root),
    prepare: (request) =>
      prepareLaunch(request, { root, env, limits: limits(), readSecrets, keeper, witness }),
    findFault: (checkout) => keeper.findFault(checkout),
    seal: async (plan, engine, checkout, found) =>
      guards.put(await keeper.seal(plan, engine, checkout, found), checkout),
    openModel: (request) => openModel(request, { env, limits: limits(), model }),
    readRefused: (sessionId) => keeper.readRefused(sessionId),
    grantModel: (sessionId, grantMicroUsd) => model.grant(sessionId, grantMicroUsd),
    readCalls: (sessionId, offset) => model.readCalls(sessionId, offset),
    asidePlace: (sessionId) => sealPlaces(root, sessionId).aside,
    whereLies: (path, engine, checkout) => keeper.whereLies(path, engine, checkout),
    readOwn: (path, engine, checkout, maxBytes) => keeper.readOwn(path, engine, checkout, maxBytes),
    keepForked: async (sessionId, name, text) => {
      const { forked } = sealPlaces(root, sessionId);
      await mkdir(forked, { recursive: true, mode: 0o700 });
      replaceFile(join(forked, name), text);
      return join(forked, name);
    },
    check: (line) => runCheckLine(line, { env, limits: limits(), keeper }),
    run: (line) => runLine(line, 'the time of a landing', { env, keeper }),
    propose: (checkout, ask) => keeper.propose(checkout, ask),
    attend: (checkout, engine) => {
      keeper.attend(checkout, engine);
      guards.attend(checkout).catch((error: unknown) => {
        const { sessionId: session } = checkout;
        log('error', 'the guard of a session cannot be answered', {
          session,
          reason: messageOf(error),
        });
      });
    },
    attendPushes: (pushes) => {
      sessions = pushes;
      keeper.attendPushes(pushes);
    },
    settlePush: (checkout, held) => keeper.settlePush(checkout, held),
    keepPushes: (checkout, requestIds) => keeper.keepPushes(checkout, requestIds),
    leave: (sessionId) => {
      keeper.leave(sessionId);
      guards.leave(sessionId);
      model.leave(sessionId);
    },
    close: async () => {
      await Promise.all([model.close(), keeper.closeNetworks()]);
    },
    allowsTakeover: () => limits().takeover,
    bringBack,
    actRules,
    lookAtRefs: (checkout, window) => witness.look(checkout, window),
    forgetRefs: (sessionId) => {
      witness.forget(sessionId);
      guards.remove(sessionId);
    },
    release: async (checkout, discard) => {
      const released = await releaseCheckout(checkout, discard);
      if (released.removed) {
        keeper.remove(checkout.sessionId);
        guards.remove(checkout.sessionId);
        witness.forget(checkout.sessionId);
      }
      return released;
    },
    listLosses,
    listCheckpoints,
    keepCheckpoint,
    listDiffering,
    listIgnored,
    writePatch,
    review: reviewCheckout,
    readPatch,
    readSecrets,
  };
}

type Rooms = {
  root: string;
  env: NodeJS.ProcessEnv;
  limits: Limits;
  readSecrets(engine: Engine, checkout: Checkout): Promise<Secret[]>;
  keeper: Keeper;
  witness: Witness;
};

async function openModel(
  { sessionId, engine, found, grantMicroUsd }: ModelRequest,
  { env, limits, model }: Pick<Rooms, 'env' | 'limits'> & { model: ModelGateClient },
): Promise<ModelOpened | null> {
  const way = decideWay(engine, found, env, limits.modelGate);
  const credential = found.credential ?? '';
  if (!way) return null;
  if (way.through === 'provider') return { ...way, credential, lead: (plan) => plan };
  const { route } = way;
  const { protocol, upstream, headers } = route;
  const baseUrl = await model.open(sessionId, {
    protocol,
    upstream,
    headers: { ...headers },
    grantMicroUsd,
  });
  const placeholder = model.placeholderOf(sessionId);
  const lead: ModelOpened['lead'] = (plan, form) =>
    leadPlan(plan, route, { baseUrl, placeholder }, form);
  return { through: 'gate', reason: null, credential, lead };
}

async function prepareLaunch(request: PrepareRequest, rooms: Rooms): Promise<PreparedLaunch> {
  const { sessionId, launch, engine, signal } = request;
  const { root, limits } = rooms;
  const checkouts = join(root, 'checkouts');
  const point = launch.from?.fork;
  // A fork that goes on has what it began with, whatever became of the session that it is of.
  const forked =
    launch.from && point && request.fresh
      ? await readForked(checkouts, launch.from.sessionId)
      : null;
  const own = point && !request.fresh ? await findCheckout(checkouts, sessionId) : null;
  const directory =
    launch.directory ??
    (forked ?? own)?.source.top ??
    (await makeRehearsalRepository(join(root, 'rehearsals', sessionId)));
  const grade = rooms.keeper.decide(launch, engine, request);
  const title = titleOf(launch.objective);
  const checkout = await prepareCheckout({
    sessionId,
    title,
    launch,
    directory,
    root: checkouts,
    limits,
    grade,
    gateConfig: await rooms.keeper.gateConfig(sessionId, grade),
    ...(forked && point && { fork: { from: forked, files: () => bringForkFiles(forked, point) } }),
  });
  await rooms.keeper.requireStanding(checkout);
  const [secrets] = await Promise.all([
    rooms.readSecrets(engine, checkout),
    rooms.witness.begin(checkout),
  ]);
  const events = [preparedEvent(checkout)];
  if (!request.fresh) return { checkout, secrets, events };
  const env = commandEnvironment(rooms.env, engine, sessionId);
  const setup = await runSetup({
    checkout,
    limits,
    env,
    seal: (plan) => rooms.keeper.seal(plan, engine, checkout, null),
    redactor: createRedactor(secrets),
    signal,
  });
  if (!setup) return { checkout, secrets, events };
  // It may have made a file of secrets, and have shown what it wrote into it.
  const made = await rooms.readSecrets(engine, checkout);
  return { checkout, secrets: made, events: [...events, createRedactor(made).event(setup)] };
}

/** Runs a check. What was approved is of a repository, wherever its checkouts lie. */
function runCheckLine(
  line: CheckLine,
  { env, limits, keeper }: Pick<Rooms, 'env' | 'limits' | 'keeper'>,
): Promise<ShellResult> {
  const { checkout, command } = line;
  const directory = checkout.mode === 'own' ? checkout.source.top : checkout.directory;
  const approved = readApprovedChecks(findChecksPath(findLimitsPath(env)));
  const decision = decideCheckAllowed(command, directory, { approved, limits });
  if (!decision.allowed) throw new PilothouseError(decision.code, { detail: decision.detail });
  return runLine(line, 'the time of the check', { env, keeper });
}

/** Runs a line in the session's checkout with no more power than the session has. */
function runLine(
  { engine, checkout, command, timeoutMs, signal, inputFile }: CheckLine,
  timeoutWords: string,
  { env, keeper }: Pick<Rooms, 'env' | 'keeper'>,
): Promise<ShellResult> {
  return runShell({
    command,
    directory: checkout.directory,
    env: commandEnvironment(env, engine, checkout.sessionId),
    timeoutMs,
    timeoutWords,
    marker: checkout.sessionId,
    keep: 'last',
    seal: (plan) => keeper.seal(plan, engine, checkout, null),
    signal,
    inputFile,
  });
}

/** Marked, so that what a command of the machine leaves running is found when the session ends. */
function commandEnvironment(
  env: NodeJS.ProcessEnv,
  engine: Engine,
  sessionId: SessionId,
): Record<string, string> {
  return {
    ...stripVariables(definedOf(env), engine.nestedVariables),
    [SESSION_MARKER]: sessionId,
  };
}

async function makeRehearsalRepository(directory: string): Promise<string> {
  if (existsSync(directory)) return directory;
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await createRehearsalRepository(directory);
  return directory;
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
