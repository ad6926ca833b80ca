import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  feedEntry,
  type EventOf,
  type FeedEntry,
  type FeedEvent,
} from '../../protocol/engine-event.ts';
import { runnerPage, sessionDetail, type SessionDetail } from '../../protocol/http.ts';
import { buildParts, CONSOLE_PART, WORKER_PART } from '../../runner/host/build.ts';
import { readInstance } from '../../runner/host/instance.ts';
import { layoutOf, PRODUCT_ROOT, type DataLayout } from '../../runner/host/layout.ts';
import {
  runPilothouse,
  startInstallation,
  type Finished,
  type Installation,
} from '../support/installation.ts';
import { endProcessesOf } from '../support/processes.ts';
import { until } from '../support/until.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/** A machine that is busy with other things still gets there. */
const LONG_MS = 120_000;

/**
 * A person's machine for one test: a home, a repository with a bare remote, and an installation
 * of Pilothouse that is started as `npm start` does.
 */
export class World {
  readonly home = mkdtempSync(join(tmpdir(), 'pilothouse-e2e-'));
  readonly repository = join(this.home, 'project');
  readonly remote = join(this.home, 'remote.git');
  readonly data = join(this.home, 'data');
  readonly layout: DataLayout = layoutOf(this.data);
  installation!: Installation;
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: (home: string) => NodeJS.ProcessEnv = () => ({})) {
    this.#env = env(this.home);
    this.#makeRepository();
  }

  /** Starts the installation, the first time or again, and waits for its runner if it has one. */
  async up(...args: string[]): Promise<void> {
    await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
    this.installation = await startInstallation(this.home, args, this.#env);
    if (!args.includes('--no-runner')) await this.untilRunnerIsReady();
  }

  untilRunnerIsReady(): Promise<unknown> {
    return until(
      'the runner to report its engines',
      async () => {
        const { items } = await this.get(runnerPage, '/v1/runners');
        return items.some(
          ({ presence, machine }) => presence === 'online' && machine?.engines.length,
        );
      },
      { withinMs: LONG_MS, tell: () => this.tell() },
    );
  }

  #makeRepository(): void {
    mkdirSync(this.repository);
    git(this.home, 'init', '-q', '--bare', '-b', 'main', this.remote);
    git(this.repository, 'init', '-q', '-b', 'main');
    git(this.repository, 'config', 'user.name', 'Dev');
    git(this.repository, 'config', 'user.email', 'dev@example.com');
    writeFileSync(join(this.repository, 'a.txt'), 'hello\n');
    git(this.repository, 'add', '.');
    git(this.repository, 'commit', '-qm', 'start');
    git(this.repository, 'remote', 'add', 'origin', this.remote);
    git(this.repository, 'push', '-q', '-u', 'origin', 'main');
  }

  /** What the machine allows; without this there is no such file. */
  writeLimits(toml: string): void {
    const directory = join(this.home, '.config', 'pilothouse');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'limits.toml'), `${toml}\n`);
  }

  /** What was written so; empty where nothing was. */
  readLimits(): string {
    const path = join(this.home, '.config', 'pilothouse', 'limits.toml');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  git(...args: string[]): string {
    return git(this.repository, ...args);
  }

  /** What helps to understand a wait that was in vain. */
  tell(): string {
    const logs = [this.layout.runnerLog, this.layout.workerLog].filter(existsSync);
    const tails = logs.map((path) => readFileSync(path, 'utf8').slice(-3_000));
    return [this.installation.output(), ...tails].join('\n');
  }

  cli(...args: string[]): Promise<Finished> {
    return runPilothouse(args, this.installation.env, this.repository);
  }

  async json<S extends z.ZodType>(schema: S, ...args: string[]): Promise<z.infer<S>> {
    const done = await this.cli(...args, '--json');
    if (done.exitCode !== 0)
      throw new Error(`pilothouse ${args.join(' ')}: ${done.stdout}${done.stderr}`);
    return schema.parse(JSON.parse(done.stdout));
  }

  async launchOn(engine: string, objective: string, ...options: string[]): Promise<string> {
    const launched = await this.json(
      z.object({ sessionId: z.string() }),
      'launch',
      '--engine',
      engine,
      ...options,
      objective,
    );
    return launched.sessionId;
  }

  get cliToken(): string {
    return readInstance(this.layout.instanceFile)?.cliToken ?? '';
  }

  /** Calls the API as the command line does; a body makes it a POST. */
  async call(path: string, body?: unknown): Promise<Response> {
    return fetch(new URL(path, this.installation.url), {
      headers: {
        authorization: `Bearer ${this.cliToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  }

  async get<S extends z.ZodType>(schema: S, path: string): Promise<z.infer<S>> {
    const response = await this.call(path);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return schema.parse(await response.json());
  }

  detail(sessionId: string): Promise<SessionDetail> {
    return this.get(sessionDetail, `/v1/sessions/${sessionId}`);
  }

  async entries(sessionId: string): Promise<FeedEntry[]> {
    const page = await this.get(
      z.object({ entries: z.array(feedEntry) }),
      `/v1/sessions/${sessionId}/entries?limit=1000`,
    );
    return page.entries;
  }

  async events<T extends FeedEvent['type']>(sessionId: string, type: T): Promise<EventOf<T>[]> {
    const entries = await this.entries(sessionId);
    return entries.flatMap(({ event }) => (event.type === type ? [event as EventOf<T>] : []));
  }

  untilState(sessionId: string, ...states: string[]): Promise<SessionDetail> {
    let last = '';
    return until(
      `session to be ${states.join(' or ')}`,
      async () => {
        const detail = await this.detail(sessionId);
        last = `${detail.view.state}: ${detail.view.reason}`;
        return states.includes(detail.view.state) ? detail : null;
      },
      { withinMs: LONG_MS, tell: () => `It is ${last}. ${this.tell()}` },
    );
  }

  /** Waits until so many turns have ended. */
  untilTurns(sessionId: string, ended: number, withinMs = LONG_MS): Promise<SessionDetail> {
    let last: unknown = null;
    return until(
      `${ended} turns to end`,
      async () => {
        const detail = await this.detail(sessionId);
        last = detail.view.turns.map(
          (turn) => `${turn.state} ${turn.outcome} ${turn.delivery}: ${turn.deliveryReason ?? ''}`,
        );
        return detail.view.turns.filter((turn) => turn.state === 'ended').length >= ended
          ? detail
          : null;
      },
      { withinMs, tell: () => `${JSON.stringify(last)} ${this.tell()}` },
    );
  }

  /** Allows whatever the session asks, each request once, until so many turns have ended. */
  async approveUntilEnd(sessionId: string, turns = 1): Promise<void> {
    const answered = new Set<string>();
    await until(
      `turn ${turns} to end`,
      async () => {
        const { view } = await this.detail(sessionId);
        for (const { requestId } of view.pendingApprovals) {
          if (answered.has(requestId)) continue;
          answered.add(requestId);
          await this.cli('sessions', 'approve', sessionId, requestId);
        }
        return view.turns[turns - 1]?.state === 'ended';
      },
      { withinMs: 90_000, tell: () => `${answered.size} requests were allowed` },
    );
  }

  async stop(): Promise<void> {
    await this.installation?.end('SIGINT');
    endProcessesOf(this.home);
    rmSync(this.home, { recursive: true, force: true });
  }
}
