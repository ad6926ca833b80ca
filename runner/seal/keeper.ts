import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import type { GradeReport } from '../../protocol/grade.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { Engine, FoundEngine, SpawnPlan } from '../engines/engine.ts';
import type { Secret } from '../guard/secrets.ts';
import { GateServer } from '../gate/server.ts';
import { Quarantine } from '../gate/quarantine.ts';
import { gradeOf, placesOf, type Checkout, type OwnCheckout } from '../guard/checkout.ts';
import { findLimitsPath, findRepositoryLimits, type Limits } from '../limits.ts';
import type { Log } from '../log.ts';
import { requireExecutable } from '../process/spawn.ts';
import { sealedArgv } from './argv.ts';
import { sealedEnvironment } from './environment.ts';
import { decideGrade } from './grade.ts';
import { Logins } from './logins.ts';
import { cacheDirectory, privatePathOf, sealPlaces } from './places.ts';
import { probeSeal } from './probe.ts';
import { makeRoom } from './room.ts';

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
  #gate: GateServer | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** The grade of a launch here. Throws `grade_unavailable` and `grade_not_allowed`. */
  decide(launch: LaunchSpec, engine: Engine): GradeReport {
    const decision = decideGrade(launch, {
      seal: probeSeal(this.#options.env),
      engineCanBeSealed: engine.home !== undefined,
      minimum: this.#options.limits().minimumGrade,
    });
    if (decision.ok) return decision.report;
    throw new PilothouseError(decision.code, { detail: decision.detail });
  }

  /** The address that a session of this grade has for its only remote; null for an open one. */
  async gateUrl(sessionId: SessionId, { grade }: GradeReport): Promise<string | null> {
    return grade === 'open' ? null : await this.#openGate().urlOf(sessionId);
  }

  /** What a session's output must not show: whoever has it could push in the session's name. */
  secretsOf(checkout: Checkout | null): Secret[] {
    if (checkout?.mode !== 'own' || !checkout.gate) return [];
    return [{ name: 'GATE', value: this.#openGate().tokenOf(checkout.sessionId) }];
  }

  /**
   * The plan as the session's grade lets it run: sealed, or as it is. Throws `grade_unavailable`
   * when what the session was promised does not work any more: it never gets more power instead.
   */
  seal(plan: SpawnPlan, engine: Engine, checkout: Checkout, found: FoundEngine | null): SpawnPlan {
    if (checkout.mode !== 'own' || gradeOf(checkout).grade !== 'sealed') return plan;
    const { env, root } = this.#options;
    const { bubblewrap, problem } = probeSeal(env);
    if (bubblewrap === null || !engine.home)
      throw new PilothouseError('grade_unavailable', { detail: problem ?? engine.label });
    const [executable] = plan.argv;
    requireExecutable(executable, plan.env['PATH']);
    this.attend(checkout, engine);
    this.#logins.get(checkout.sessionId)?.reconcile();
    const limits = findRepositoryLimits(this.#options.limits(), checkout.source.top);
    const own = engine.home(env);
    const room = makeRoom(
      {
        bubblewrap,
        checkout,
        places: sealPlaces(root, checkout.sessionId),
        caches: cacheDirectory(root, checkout.source.commonDirectory),
        env: plan.env,
        home: homeOf(env),
        engine: own,
        programs: [executable, ...(found ? [found.executable] : []), process.execPath],
        shown: [...(own.programs ?? []), ...(limits?.show ?? [])],
        hidden: [root, checkout.source.top, dirname(findLimitsPath(env))],
      },
      plan.directory,
    );
    // A set-up command asks no model, and needs no credential for it.
    const credentials = found ? [...engine.secretVariables, found.credential ?? ''] : [];
    const kept = [...credentials, ...(limits?.variables ?? [])];
    return {
      ...plan,
      argv: sealedArgv(room, plan.argv),
      env: sealedEnvironment(plan.env, kept),
      sealed: true,
    };
  }

  /** Looks after what a session shares with the person, from its start or after a restart. */
  attend(checkout: Checkout, engine: Engine): void {
    if (checkout.mode === 'own' && checkout.gate) this.#admit(checkout);
    if (checkout.mode !== 'own' || gradeOf(checkout).grade !== 'sealed') return;
    if (this.#logins.has(checkout.sessionId) || !engine.home) return;
    const logins = new Logins(
      this.#pairsOf(checkout, engine.home(this.#options.env)),
      this.#options.log,
    );
    this.#logins.set(checkout.sessionId, logins);
    logins.open();
  }

  leave(sessionId: SessionId): void {
    this.#gate?.leave(sessionId);
    this.#logins.get(sessionId)?.close();
    this.#logins.delete(sessionId);
  }

  /** Removes what was private to a session whose checkout is gone. */
  remove(sessionId: SessionId): void {
    this.leave(sessionId);
    rmSync(sealPlaces(this.#options.root, sessionId).top, { recursive: true, force: true });
  }

  /** Ends what waits for sessions; nothing of a session itself. */
  async close(): Promise<void> {
    for (const sessionId of this.#logins.keys()) this.leave(sessionId);
    await this.#gate?.close();
    this.#gate = null;
  }

  #openGate(): GateServer {
    this.#gate ??= new GateServer(this.#options.root, this.#options.log);
    return this.#gate;
  }

  #admit(checkout: OwnCheckout): void {
    const { root, env, limits, log } = this.#options;
    const { sessionId: session } = checkout;
    const directory = join(placesOf(join(root, 'checkouts'), checkout.sessionId).host, 'gate.git');
    this.#openGate().open(checkout.sessionId, {
      quarantine: new Quarantine(directory, checkout, env),
      policy: () => {
        const own = findRepositoryLimits(limits(), checkout.source.top);
        return { protectedBranches: own?.protectedBranches ?? [], tags: own?.pushTags ?? false };
      },
      onPushed: (outcomes) => {
        for (const { ref, before, after, outcome, reason } of outcomes)
          log('info', 'a session pushed', { session, ref, before, after, outcome, reason });
      },
    });
  }

  #pairsOf({ sessionId }: OwnCheckout, { logins, own }: ReturnType<NonNullable<Engine['home']>>) {
    const places = sealPlaces(this.#options.root, sessionId);
    const home = homeOf(this.#options.env);
    return logins.map((path) => ({
      own: path,
      inside: privatePathOf(path, home, own, places),
    }));
  }
}

const homeOf = (env: NodeJS.ProcessEnv): string => env['HOME'] ?? homedir();
