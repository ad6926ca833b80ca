import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { decideGrade, type GradeReport } from '../../protocol/grade.ts';
import { modeObstacle } from '../../protocol/machine.ts';
import { decideNetwork } from '../../protocol/network.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type LaunchSpec, modeOf } from '../../protocol/launch.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import type { Engine, EngineHome, FoundEngine, SpawnPlan } from '../engines/engine.ts';
import { EgressClient } from '../egress/client.ts';
import type { PullRequestAsk } from '../broker/ask.ts';
import type { PullRequest } from '../broker/open.ts';
import type { Secret } from '../guard/secrets.ts';
import { openGateSession, settleIn, type GateRoom, type PushKeeper } from '../gate/gate-session.ts';
import type { HeldPush } from '../gate/held.ts';
import type { PushOutcome } from '../gate/receive.ts';
import { GateServer } from '../gate/server.ts';
import { Quarantine } from '../gate/quarantine.ts';
import { findPlaceFault } from '../guard/place-fault.ts';
import { gradeOf, isGated, placesOf, type Checkout, type OwnCheckout } from '../guard/checkout.ts';
import { isLfsHere } from '../lfs/filter.ts';
import { findLimitsPath, findRepositoryLimits, type Limits } from '../limits.ts';
import { findStandingFault, type StandingFault } from '../limits/standing.ts';
import { messageOf } from '../failure.ts';
import type { Log } from '../log.ts';
import { readWithin } from '../process/read-part.ts';
import { requireExecutable } from '../process/spawn.ts';
import { type ClosedNetwork, type Room, sealedArgv } from './argv.ts';
import { removeAllBut } from './guard-closed.ts';
import {
  type Kept,
  openEnvironment,
  powerlessEnvironment,
  sealedEnvironment,
} from './environment.ts';
import { makeFence } from './fence.ts';
import { putForgePrograms } from './forge-programs.ts';
import { gateConfigOf, writeGateAddress } from './gate-address.ts';
import { type LoginPair, Logins } from './logins.ts';
import { cacheDirectory, privatePathOf, sealPlaces } from './places.ts';
import { closedEnvironment, decideRules } from './network.ts';
import { probeSeal } from './probe.ts';
import { makeRoom } from './room.ts';
import { homeOf } from '../home.ts';

export type KeeperOptions = {
  /** The runner's own directory: no sealed session sees it. */
  root: string;
  env: NodeJS.ProcessEnv;
  limits(): Limits;
  log: Log;
};

/** Keeps what the sessions of this machine are given, and what they are kept from. */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #logins = new Map<SessionId, Logins>();
  /** Those that push through the gate of this runner. */
  readonly #admitted = new Set<SessionId>();
  readonly #quarantines = new Map<SessionId, Quarantine>();
  #gate: GateServer | null = null;
  #pushes: PushKeeper | null = null;
  #egress: EgressClient | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /**
   * The grade of a launch here, and what it reaches. Throws `grade_unavailable`, `grade_not_allowed`, `open_not_accepted`,
   * `network_unavailable` and `network_not_allowed`.
   */
  decide(launch: LaunchSpec, engine: Engine, { fresh }: { fresh: boolean }): GradeReport {
    const { minimumGrade, usualGrade, minimumNetwork, usualNetwork } = this.#options.limits();
    const seal = probeSeal(this.#options.env);
    // A session that exists keeps what it was launched with.
    const unattended = fresh && modeOf(launch) === 'pilot';
    const decision = decideGrade(
      { ...launch, unattended },
      {
        seal,
        homeKnown: engine.home !== undefined,
        minimum: minimumGrade,
        usual: usualGrade,
      },
    );
    if (!decision.ok) throw new PilothouseError(decision.code, { detail: decision.detail });
    const sealedOnly = [...(engine.sealedOnly?.(this.#options.env) ?? [])];
    const { grade } = decision.report;
    const obstacle = modeObstacle({ label: engine.label, sealedOnly }, launch.approvals, grade);
    if (obstacle !== null) throw new PilothouseError('grade_unavailable', { detail: obstacle });
    const facts = { grade, seal, minimum: minimumNetwork, usual: usualNetwork };
    const reach = decideNetwork(launch.network ?? null, facts);
    if (!reach.ok) throw new PilothouseError(reach.code, { detail: reach.detail });
    return reach.network === 'open'
      ? decision.report
      : { ...decision.report, network: 'model-only' };
  }

  /** Why a session may not go on as it is, by the limits of now and where it works; null where it may. */
  async findFault(checkout: Checkout): Promise<StandingFault | null> {
    const fault = findStandingFault(gradeOf(checkout), this.#options.limits());
    return fault ?? (await findPlaceFault(checkout));
  }

  /** Throws what {@link findFault} finds of a session that may not go on. */
  async requireStanding(checkout: Checkout): Promise<void> {
    const fault = await this.findFault(checkout);
    if (fault) throw new PilothouseError(fault.code, { detail: fault.detail });
  }

  /** The file that says where a session's only remote is; null for an open one. */
  async gateConfig(sessionId: SessionId, { grade }: GradeReport): Promise<string | null> {
    if (grade === 'open') return null;
    await this.#tellAddress(sessionId);
    return gateConfigOf(sealPlaces(this.#options.root, sessionId));
  }

  async #tellAddress(sessionId: SessionId): Promise<number> {
    const url = await this.openGate().urlOf(sessionId);
    const hasLfs = await isLfsHere();
    writeGateAddress(sealPlaces(this.#options.root, sessionId), url, hasLfs);
    return Number(new URL(url).port);
  }

  /** What a session's output must not show: whoever has it could push in the session's name. */
  secretsOf(checkout: Checkout | null): Secret[] {
    if (checkout?.mode !== 'own' || !checkout.gate) return [];
    return [{ name: 'GATE', value: this.openGate().tokenOf(checkout.sessionId) }];
  }

  /**
   * The plan as the session's grade lets it run: sealed, fenced, or as it is. Throws
   * `grade_unavailable` when what the session was promised does not work any more: it never gets
   * more power instead. Throws as {@link requireStanding} too.
   */
  async seal(
    plan: SpawnPlan,
    engine: Engine,
    checkout: Checkout,
    found: FoundEngine | null,
  ): Promise<SpawnPlan> {
    await this.requireStanding(checkout);
    const { grade } = gradeOf(checkout);
    if (checkout.mode !== 'own' || grade === 'open')
      return { ...plan, env: openEnvironment(plan.env) };
    this.attend(checkout, engine);
    const limits = findRepositoryLimits(this.#options.limits(), checkout.source.top);
    // A set-up command asks no model, and needs no credential for it.
    const kept: Kept = {
      engine: found ? [...engine.secretVariables, found.credential ?? ''] : [],
      person: [...(limits?.variables ?? []), ...(engine.keptVariables ?? [])],
    };
    const places = sealPlaces(this.#options.root, checkout.sessionId);
    const PATH = putForgePrograms(places, plan.env['PATH'] ?? '', isGated(checkout));
    if (grade === 'fenced') {
      const env = { ...powerlessEnvironment(plan.env, kept), ...makeFence(places), PATH };
      return { ...plan, env };
    }
    const network = await this.#networkOf(plan, engine, checkout, found, limits?.hosts ?? []);
    const room = this.#roomOf(plan, engine, checkout, found, limits?.show ?? [], network);
    const env = sealedEnvironment(plan.env, kept);
    return {
      ...plan,
      argv: sealedArgv(room, plan.argv),
      env: { ...(network ? closedEnvironment(env) : env), PATH },
      sealed: true,
    };
  }

  /** The network of a session that is kept to its model; null for one that has the machine's. */
  async #networkOf(
    plan: SpawnPlan,
    engine: Engine,
    checkout: OwnCheckout,
    found: FoundEngine | null,
    hosts: readonly string[],
  ): Promise<ClosedNetwork | null> {
    const { sessionId } = checkout;
    if (!isClosed(checkout)) return null;
    const gatePort = Number(new URL(await this.openGate().urlOf(sessionId)).port);
    const modelGatePort = plan.modelGatePort ?? null;
    const own = found && engine.modelAddresses ? engine.modelAddresses(this.#options.env) : [];
    const rules = decideRules({ gatePort, modelGatePort, addresses: own, hosts });
    const egress = this.#openEgress();
    // A command runs beside an engine, and takes nothing from what that one reaches.
    const ports = await (found ? egress.open(sessionId, rules) : egress.add(sessionId, rules));
    return { ports, node: process.execPath };
  }

  #roomOf(
    plan: SpawnPlan,
    engine: Engine,
    checkout: OwnCheckout,
    found: FoundEngine | null,
    shown: readonly string[],
    network: ClosedNetwork | null,
  ): Room {
    const { env, root } = this.#options;
    const { bubblewrap, problem } = probeSeal(env);
    if (bubblewrap === null)
      throw new PilothouseError('grade_unavailable', { detail: problem ?? engine.label });
    const [executable] = plan.argv;
    requireExecutable(executable, plan.env['PATH']);
    this.#logins.get(checkout.sessionId)?.reconcile();
    const own = homeNeedsOf(engine, env);
    return makeRoom(
      {
        bubblewrap,
        checkout,
        places: sealPlaces(root, checkout.sessionId),
        caches: cacheDirectory(root, checkout.source.commonDirectory),
        env: plan.env,
        home: homeOf(env),
        engine: own,
        programs: [executable, ...(found ? [found.executable] : []), process.execPath],
        shown: [...(own.programs ?? []), ...shown],
        hidden: [root, checkout.source.top, dirname(findLimitsPath(env))],
        reserved: [...new Set([...this.#options.limits().own, root])],
        network,
      },
      plan.directory,
    );
  }

  /** Who says what sessions may push, and records what they did; nothing is pushed before. */
  attendPushes(pushes: PushKeeper): void {
    this.#pushes = pushes;
  }

  /** The policy of a session's launch; null if it is not known. */
  policyOf(sessionId: SessionId): MergePolicy | null {
    return this.#pushes?.policyOf(sessionId) ?? null;
  }

  /** Where on the machine a file lies that the session's engine knows by `path`. */
  whereLies(path: string, engine: Engine, checkout: Checkout): string {
    const { env, root } = this.#options;
    if (checkout.mode !== 'own' || gradeOf(checkout).grade !== 'sealed' || !engine.home)
      return path;
    const places = sealPlaces(root, checkout.sessionId);
    return privatePathOf(path, homeOf(env), engine.home(env).own, places);
  }

  /**
   * The text of a file that a session's engine knows by `path`; null where there is none that lies
   * in what is the session's, or a larger one than `maxBytes`.
   */
  readOwn(
    path: string,
    engine: Engine,
    checkout: Checkout,
    maxBytes: number,
  ): Promise<string | null> {
    const at = this.whereLies(path, engine, checkout);
    const places = sealPlaces(this.#options.root, checkout.sessionId);
    const sealed = gradeOf(checkout).grade === 'sealed';
    return readWithin(at, sealed ? places.top : dirname(at), maxBytes);
  }

  /** Looks after what a session shares with the person, from its start or after a restart. */
  attend(checkout: Checkout, engine: Engine): void {
    if (checkout.mode === 'own' && checkout.gate) this.#admit(checkout);
    if (checkout.mode !== 'own' || gradeOf(checkout).grade !== 'sealed') return;
    if (this.#logins.has(checkout.sessionId)) return;
    const logins = new Logins(
      this.#pairsOf(checkout, homeNeedsOf(engine, this.#options.env)),
      this.#options.log,
    );
    this.#logins.set(checkout.sessionId, logins);
    logins.open();
  }

  /** Lets go of a session that is over. */
  leave(sessionId: SessionId): void {
    this.#letGo(sessionId);
    this.#egress?.leave(sessionId);
  }

  #letGo(sessionId: SessionId): void {
    this.#admitted.delete(sessionId);
    this.#gate?.leave(sessionId);
    this.#logins.get(sessionId)?.close();
    this.#logins.delete(sessionId);
  }

  /** Removes what was private to a session whose checkout is gone; its guard outlives it. */
  remove(sessionId: SessionId): void {
    this.leave(sessionId);
    this.#quarantines.delete(sessionId);
    const { top, images, guard } = sealPlaces(this.#options.root, sessionId);
    removeAllBut(top, (name) => join(top, name) === guard);
    rmSync(images, { recursive: true, force: true });
  }

  /** Hosts that a session that is kept to its model did not reach, as `name:port`. */
  readRefused(sessionId: SessionId): string[] {
    return this.#openEgress().readRefused(sessionId);
  }

  /** Ends what sessions reach: no engine is left. */
  async closeNetworks(): Promise<void> {
    await this.#egress?.close();
  }

  /** Ends what waits for sessions; nothing of a session itself. */
  async close(): Promise<void> {
    for (const sessionId of [...this.#admitted, ...this.#logins.keys()]) this.#letGo(sessionId);
    await this.#gate?.close();
    this.#gate = null;
  }

  #openEgress(): EgressClient {
    const { root, env, log } = this.#options;
    this.#egress ??= new EgressClient(join(root, 'egress'), env, log);
    return this.#egress;
  }

  /** Where sessions push, and where the guards of those ask that do not. */
  openGate(): GateServer {
    this.#gate ??= new GateServer(this.#options.root, this.#options.log);
    return this.#gate;
  }

  #admit(checkout: OwnCheckout): void {
    const { log } = this.#options;
    const { sessionId: session } = checkout;
    if (this.#admitted.has(session)) return;
    this.#admitted.add(session);
    this.#showGate(checkout).catch((error: unknown) => {
      log('error', 'a session could not be told where the gate is', {
        session,
        reason: messageOf(error),
      });
    });
    this.openGate().open(session, openGateSession(this.#roomAtGate(checkout)));
  }

  /** What a session reaches goes on without the runner, but for a gate that had to move. */
  async #showGate(checkout: OwnCheckout): Promise<void> {
    const port = await this.#tellAddress(checkout.sessionId);
    if (!isClosed(checkout)) return;
    await this.#openEgress().add(checkout.sessionId, { ports: [{ port, to: 'gate' }], hosts: [] });
  }

  /** Pushes what a person allowed, and says what became of each ref. */
  settlePush(checkout: OwnCheckout, held: HeldPush): Promise<PushOutcome[]> {
    return settleIn(this.#roomAtGate(checkout), held);
  }

  /** Opens a pull request that a person asks for, for what the session pushed; puts it on record. */
  propose(checkout: OwnCheckout, ask: PullRequestAsk): Promise<PullRequest> {
    return openGateSession(this.#roomAtGate(checkout)).ask(ask, 'person');
  }

  /** Deletes what is kept of a session's pushes for other requests than these. */
  keepPushes(checkout: OwnCheckout, requestIds: readonly string[]): Promise<void> {
    return this.#roomAtGate(checkout).quarantine.keepOnly(requestIds);
  }

  #roomAtGate(checkout: OwnCheckout): GateRoom {
    const { root, env, limits, log } = this.#options;
    const { sessionId } = checkout;
    const directory = join(placesOf(join(root, 'checkouts'), sessionId).host, 'gate.git');
    const quarantine = this.#quarantines.get(sessionId) ?? new Quarantine(directory, checkout, env);
    this.#quarantines.set(sessionId, quarantine);
    return {
      sessionId,
      quarantine,
      limits: () => findRepositoryLimits(limits(), checkout.source.top),
      pushes: () => this.#pushes,
      forges: () => ({ forges: limits().forges, env }),
      now: Date.now,
      log,
    };
  }

  #pairsOf({ sessionId }: OwnCheckout, { logins, loginsApart, own }: EngineHome): LoginPair[] {
    const places = sealPlaces(this.#options.root, sessionId);
    const home = homeOf(this.#options.env);
    return logins.map((path) => ({
      own: path,
      inside: privatePathOf(path, home, own, places),
      apart: loginsApart ?? false,
    }));
  }
}

/** It is kept to its model. */
const isClosed = (checkout: OwnCheckout): boolean => gradeOf(checkout).network === 'model-only';

/** Nothing, for an engine of which nobody said what it needs. */
const homeNeedsOf = (engine: Engine, env: NodeJS.ProcessEnv): EngineHome =>
  engine.home?.(env) ?? { own: [], settings: [], logins: [] };
