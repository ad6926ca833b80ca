import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_POLICY, type MergePolicy } from '../../protocol/merge-policy.ts';
import type { Network } from '../../protocol/network.ts';
import type { GatePush } from '../../runner/gate/gate-session.ts';
import type { EngineHome, FoundEngine, SpawnPlan } from '../../runner/engines/engine.ts';
import type { OwnCheckout } from '../../runner/guard/checkout.ts';
import { createRedactor } from '../../runner/guard/redact.ts';
import type { Secret } from '../../runner/guard/secrets.ts';
import { EngineRun } from '../../runner/sessions/engine-run.ts';
import type { ExitFacts } from '../../runner/sessions/session-io.ts';
import type { Limits } from '../../runner/limits.ts';
import { Keeper } from '../../runner/seal/keeper.ts';
import { probeSeal } from '../../runner/seal/probe.ts';
import {
  aRepository,
  SESSION,
  limitsFor,
  ownCheckout,
  aDirectory,
} from '../runner/guard/repositories.ts';
import { aSpool } from './runner-builders.ts';
import { scriptedEngine } from './scripted-engine.ts';

/** What stands in the way of a seal here, to be told by tests that are skipped; null for nothing. */
export const sealProblem: string | null = probeSeal(process.env).problem;

export const FOUND: FoundEngine = {
  executable: '/bin/sh',
  version: null,
  payer: 'unknown',
  credential: 'ENGINE_KEY',
};

/** A person's home with a repository and a session in a checkout of it, sealed or fenced, without an engine. */
export class SealedRoom {
  readonly home = aDirectory();
  readonly root = join(this.home, 'data', 'runner');
  readonly own = join(this.home, '.engine');
  readonly logged: string[] = [];
  readonly env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: this.home };
  engineHome: EngineHome | undefined = {
    own: [this.own],
    settings: [{ path: join(this.own, 'settings.json') }],
    logins: [join(this.own, 'login.json')],
  };
  /** What its session may push, and every push that the gate told of. */
  policy: MergePolicy | null = DEFAULT_POLICY;
  readonly pushes: GatePush[] = [];
  /** What its words must not hold. */
  secrets: readonly Secret[] = [];
  /** The forges that the machine's limits name. */
  forges: Limits['forges'] = [];
  /** What the machine's limits show to sessions of the repository. */
  shown: readonly string[] = [];
  /** Hosts that they name for sessions that are kept to their model. */
  hosts: readonly string[] = [];
  /** What its engine calls. */
  addresses: readonly string[] = [];
  keeper = this.#keeperOfARunner();
  checkout!: OwnCheckout;
  #spawned = 0;

  static async make(
    repository = aRepository(),
    wanted: 'sealed' | 'fenced' = 'sealed',
    network: Network = 'open',
  ): Promise<SealedRoom> {
    const room = new SealedRoom();
    mkdirSync(room.own);
    const closed = network === 'open' ? {} : { network };
    const grade = { grade: wanted, reason: 'It was chosen at launch.', ...closed };
    room.checkout = await ownCheckout(repository, {
      root: join(room.root, 'checkouts'),
      grade,
      gateConfig: await room.keeper.gateConfig(SESSION, grade),
    });
    return room;
  }

  /** Ends what outlives a runner, as for a test that opened a network. */
  async end(): Promise<void> {
    await this.keeper.closeNetworks();
    await this.keeper.close();
  }

  /** What the next runner has of this session, once the first one is gone. */
  async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.keeper.close();
    await meanwhile();
    this.keeper = this.#keeperOfARunner();
    this.keeper.attend(this.checkout, this.engine);
  }

  #keeperOfARunner(): Keeper {
    const keeper = new Keeper({
      root: this.root,
      env: this.env,
      limits: () => this.#limits(),
      log: (_level, message) => void this.logged.push(message),
    });
    keeper.attendPushes({
      policyOf: () => this.policy,
      pushed: (_session, push) => void this.pushes.push(push),
      waiting: () => this.pushes.flatMap(({ held }) => held ?? []),
      redactorOf: async () => createRedactor(this.secrets),
    });
    return keeper;
  }

  #limits(): Limits {
    const repository = {
      directory: this.checkout?.source.top ?? '/nowhere',
      include: [],
      setup: null,
      setupTimeoutMs: 1_000,
      show: this.shown,
      variables: [],
      hosts: this.hosts,
      protectedBranches: [],
      pushTags: false,
      mergeAtMost: 'ask' as const,
    };
    return {
      ...limitsFor('/'),
      own: [dirname(this.root)],
      forges: this.forges,
      repositories: this.shown.length + this.hosts.length > 0 ? [repository] : [],
    };
  }

  get engine() {
    const home = this.engineHome;
    const engine = {
      ...scriptedEngine(),
      secretVariables: ['ENGINE_KEY'],
      modelAddresses: () => this.addresses,
    };
    return home ? { ...engine, home: () => home } : engine;
  }

  plan(
    script: string,
    env: Record<string, string> = {},
    input?: string,
    over: Partial<SpawnPlan> = {},
  ) {
    const argv = ['/bin/sh', '-c', script] as const;
    const path = { PATH: process.env['PATH'] ?? '', HOME: this.home };
    const plan = { argv, directory: this.checkout.directory, env: { ...path, ...env } };
    return this.keeper.seal(
      { ...plan, ...(input !== undefined && { input }), ...over },
      this.engine,
      this.checkout,
      FOUND,
    );
  }

  /** Starts a shell script as an engine would be, and reads what it says. */
  async start(
    script: string,
    env: Record<string, string> = {},
    input?: string,
    over: Partial<SpawnPlan> = {},
  ): Promise<SealedRun> {
    const spool = aSpool(this.home, `spool-${this.#spawned++}`);
    const lines: string[] = [];
    let end: (exit: ExitFacts) => void = () => undefined;
    const exited = new Promise<ExitFacts>((resolve) => (end = resolve));
    const handlers = {
      lines: (chunk: { lines: readonly string[] }) => void lines.push(...chunk.lines),
      exited: (exit: ExitFacts) => end(exit),
      written: () => undefined,
    };
    const marker = `${this.checkout.sessionId}-${this.home}`;
    const run = await EngineRun.spawn(
      await this.plan(script, env, input, over),
      spool,
      marker,
      [],
      handlers,
    );
    run.follow();
    return { run, lines, exited, stderr: () => readFileSync(spool.err, 'utf8'), marker, handlers };
  }

  /** Everything that a script printed, once it and all it started are gone. */
  async say(
    script: string,
    env: Record<string, string> = {},
    over: Partial<SpawnPlan> = {},
  ): Promise<string> {
    const { exited, lines, stderr } = await this.start(script, env, undefined, over);
    await exited;
    return [...lines, stderr()].join('\n');
  }
}

export type SealedRun = {
  run: EngineRun;
  lines: string[];
  exited: Promise<ExitFacts>;
  stderr(): string;
  marker: string;
  handlers: Parameters<typeof EngineRun.adopt>[3];
};
