import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { readInstance } from '../../runner/host/instance.ts';
import { layoutOf } from '../../runner/host/layout.ts';
import { installEngine } from '../../tools/engines/install.ts';
import {
  runPilothouse,
  startInstallation,
  type Finished,
  type Installation,
} from '../support/installation.ts';
import { claudeEnv } from '../support/model-api/raw-claude.ts';
import type { Script } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { until } from '../support/until.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/**
 * A person's machine for one test: a home, a repository with a bare remote, an installation of
 * Pilothouse, the real claude and a model API on loopback.
 */
export class ClaudeWorld {
  readonly home = mkdtempSync(join(tmpdir(), 'pilothouse-e2e-'));
  readonly repository = join(this.home, 'project');
  readonly remote = join(this.home, 'remote.git');
  readonly api: ModelApi;
  installation!: Installation;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(api: ModelApi, apiKey: string | null) {
    this.api = api;
    this.#env = {
      ...claudeEnv(this.home, api.url, apiKey),
      PILOTHOUSE_CLAUDE: installEngine('claude'),
    };
  }

  /** `apiKey: null` is a machine on which nobody has logged in. */
  static async start(script: Script, apiKey: string | null): Promise<ClaudeWorld> {
    const world = new ClaudeWorld(await startModelApi(script), apiKey);
    world.#makeRepository();
    await world.startInstallation();
    return world;
  }

  async startInstallation(): Promise<void> {
    this.installation = await startInstallation(this.home, [], this.#env);
    await until(
      'the runner to report its engines',
      async () => {
        const { items } = await this.get(runnerPage, '/v1/runners');
        return items.some(
          ({ presence, machine }) => presence === 'online' && machine?.engines.length,
        );
      },
      { withinMs: 30_000, tell: () => this.installation.output() },
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

  git(...args: string[]): string {
    return git(this.repository, ...args);
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

  async launch(objective: string, ...options: string[]): Promise<string> {
    const launched = await this.json(
      z.object({ sessionId: z.string() }),
      'launch',
      '--engine',
      'claude',
      ...options,
      objective,
    );
    return launched.sessionId;
  }

  /** Calls the API as the command line does. */
  async get<S extends z.ZodType>(schema: S, path: string): Promise<z.infer<S>> {
    const instance = readInstance(layoutOf(this.installation.data).instanceFile);
    const response = await fetch(new URL(path, this.installation.url), {
      headers: { authorization: `Bearer ${instance?.cliToken}` },
    });
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
      { withinMs: 60_000, tell: () => `It is ${last}. ${this.installation.output()}` },
    );
  }

  /** Waits until so many turns have ended and the session has come to rest. */
  untilTurns(sessionId: string, ended: number): Promise<SessionDetail> {
    let last: unknown = null;
    return until(
      `${ended} turns to end`,
      async () => {
        const detail = await this.detail(sessionId);
        last = detail.view.turns.map((turn) => `${turn.state} ${turn.outcome}`);
        return detail.view.turns.filter((turn) => turn.state === 'ended').length >= ended
          ? detail
          : null;
      },
      { withinMs: 60_000, tell: () => JSON.stringify(last) },
    );
  }

  /** Allows whatever the session asks, each request once, until its first turn has ended. */
  async approveUntilEnd(sessionId: string): Promise<void> {
    const answered = new Set<string>();
    await until(
      'the first turn to end',
      async () => {
        const { view } = await this.detail(sessionId);
        for (const { requestId } of view.pendingApprovals) {
          if (answered.has(requestId)) continue;
          answered.add(requestId);
          await this.cli('sessions', 'approve', sessionId, requestId);
        }
        return view.turns[0]?.state === 'ended';
      },
      { withinMs: 90_000, tell: () => `${answered.size} requests were allowed` },
    );
  }

  async stop(): Promise<void> {
    await this.installation.end('SIGINT');
    await this.api.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}
