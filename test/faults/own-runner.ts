import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runnerPage } from '../../protocol/http.ts';
import { until } from '../support/until.ts';
import type { World } from '../e2e/world.ts';

const MAIN = fileURLToPath(new URL('../../runner/main.ts', import.meta.url));

/**
 * A runner that the test starts and kills itself, as on another machine: registered over the API,
 * connected to an address of the test's choosing.
 */
export class OwnRunner {
  readonly #world: World;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  output = '';

  private constructor(world: World, env: NodeJS.ProcessEnv) {
    this.#world = world;
    this.#env = env;
  }

  /** `more`: what its environment has beside, or instead of, that of the installation. */
  static async register(
    world: World,
    url: string,
    more: NodeJS.ProcessEnv = {},
  ): Promise<OwnRunner> {
    const response = await world.call('/v1/runners', { name: 'elsewhere' });
    const { runnerId, token } = z
      .object({ runnerId: z.string(), token: z.string() })
      .parse(await response.json());
    return new OwnRunner(world, {
      ...world.installation.env,
      ...more,
      PILOTHOUSE_URL: url,
      PILOTHOUSE_RUNNER_ID: runnerId,
      PILOTHOUSE_RUNNER_TOKEN: token,
    });
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it and waits until the server has heard of its engines. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, 'runner', 'start'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child = child;
    await this.#world.untilRunnerIsReady();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || !this.running) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  /** Waits until the server knows whether it is there. */
  untilPresence(presence: 'online' | 'offline'): Promise<unknown> {
    return until(
      `the runner to be ${presence}`,
      async () => {
        const { items } = await this.#world.get(runnerPage, '/v1/runners');
        return items.every((runner) => runner.presence === presence);
      },
      { withinMs: 60_000, tell: () => this.output },
    );
  }
}
