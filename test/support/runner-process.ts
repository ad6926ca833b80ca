import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptInput } from '../../runner/engines/rehearsal/script.ts';
import { runnerId } from '../../protocol/ids.ts';
import { Daemon, type DaemonOptions } from '../../runner/daemon.ts';
import { layoutOf } from '../../runner/host/layout.ts';
import type { FakeRelay } from './fake-relay.ts';

const MAIN = new URL('../../runner/main.ts', import.meta.url).pathname;

/** A directory of a test, with a work place and a data directory for runners, gone afterwards. */
export class TestMachine {
  readonly root = mkdtempSync(join(tmpdir(), 'pilothouse-runner-'));
  readonly data = join(this.root, 'data');
  readonly work = join(this.root, 'work');
  readonly env: NodeJS.ProcessEnv;
  readonly #runners: RunnerProcess[] = [];
  readonly #daemons: Daemon[] = [];

  constructor(script?: ScriptInput) {
    mkdirSync(this.work, { recursive: true });
    const limits = join(this.root, 'limits', 'limits.toml');
    this.env = {
      PATH: process.env['PATH'],
      HOME: this.root,
      PILOTHOUSE_DATA: this.data,
      PILOTHOUSE_LIMITS: limits,
    };
    this.limit(`directories = ["${this.root}"]`);
    if (script) this.play(script);
  }

  /** What `limits.toml` says from now on. */
  limit(text: string): void {
    mkdirSync(join(this.root, 'limits'), { recursive: true });
    writeFileSync(join(this.root, 'limits', 'limits.toml'), `${text}\n`);
  }

  /** What the rehearsal engine does from its next start on. */
  play(script: ScriptInput): void {
    const path = join(this.root, 'script.json');
    writeFileSync(path, JSON.stringify(script));
    this.env['PILOTHOUSE_REHEARSAL_SCRIPT'] = path;
  }

  /** Starts `pilothouse runner start` as a process of its own. */
  startRunner(relay: FakeRelay): RunnerProcess {
    const runner = new RunnerProcess({
      ...this.env,
      PILOTHOUSE_URL: relay.url,
      PILOTHOUSE_RUNNER_ID: 'run_test1',
      PILOTHOUSE_RUNNER_TOKEN: 'token-of-the-test-runner',
    });
    this.#runners.push(runner);
    return runner;
  }

  /** Starts a runner inside the test's own process, with times of the test's choosing. */
  startDaemon(relay: FakeRelay, over: Partial<DaemonOptions> = {}): TestDaemon {
    const refusals: string[] = [];
    const log: string[] = [];
    const daemon = new Daemon({
      config: {
        url: relay.url,
        runnerId: RUNNER,
        token: 'token-of-the-test-runner',
        layout: layoutOf(this.data),
      },
      env: this.env,
      log: (_level, message) => void log.push(message),
      onRefused: (reason, sentence) => void refusals.push(`${reason}: ${sentence}`),
      ...over,
    });
    this.#daemons.push(daemon);
    daemon.start();
    return { daemon, refusals, log };
  }

  async remove(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.stop();
    for (const runner of this.#runners) await runner.stop();
    await rm(this.root, { recursive: true, force: true });
  }
}

export type TestDaemon = { daemon: Daemon; refusals: readonly string[]; log: readonly string[] };

const RUNNER = runnerId.parse('run_test1');

export class RunnerProcess {
  readonly child: ChildProcess;
  output = '';
  readonly closed: Promise<number | null>;

  constructor(env: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, [MAIN, 'runner', 'start'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const collect = (chunk: Buffer) => (this.output += chunk.toString());
    this.child.stdout?.on('data', collect);
    this.child.stderr?.on('data', collect);
    this.closed = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** SIGKILL, as a crash or a power cut: nothing of the runner's own runs any more. */
  async crash(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }

  /** What a killed host leaves its runner: no channel, and nobody who reads what it says. */
  async abandon(): Promise<number | null> {
    const exited = once(this.child, 'exit');
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.child.disconnect();
    const [exitCode] = await exited;
    // Streams that were closed from this end keep `close` from coming.
    this.child.emit('close', exitCode);
    return this.closed;
  }

  async stop(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.closed;
  }
}
