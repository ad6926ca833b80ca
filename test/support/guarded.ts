import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import type { GatePush } from '../../runner/gate/gate-session.ts';
import type { GuardRefusal } from '../../runner/gate/guard-desk.ts';
import { FLUSH, packetOf } from '../../runner/gate/pkt-line.ts';
import { GateServer } from '../../runner/gate/server.ts';
import type { Checkout } from '../../runner/guard/checkout.ts';
import { Keeper } from '../../runner/seal/keeper.ts';
import { sealPlaces } from '../../runner/seal/places.ts';
import { Guards } from '../../runner/seal/guards.ts';
import type { Watched } from '../../runner/witness/watch.ts';
import {
  aDirectory,
  aRepository,
  gitIn,
  limitsFor,
  SESSION,
} from '../runner/guard/repositories.ts';
import { actRulesOf } from './policy-rules.ts';

const made: GuardedRoom[] = [];
afterAll(() => Promise.all(made.map((room) => room.stop())));

type Said = { status: number | null; said: string };

/** An open session in a person's repository, with its guard around what it runs, and a remote. */
export class GuardedRoom {
  readonly root = aDirectory();
  readonly repository: string;
  readonly remote = join(aDirectory(), 'remote.git');
  readonly seen: GatePush[] = [];
  readonly logged: string[] = [];
  policy: Partial<MergePolicy> | null = {};
  watched: Watched | undefined;
  now = 0;
  /** What the person's environment holds beside. */
  env: Record<string, string> = {};
  #gate = this.#gateOfARunner();
  guards = this.#guardsOfARunner();

  constructor(repository = aRepository()) {
    this.repository = repository;
    gitIn(repository, 'clone', '--quiet', '--bare', repository, this.remote);
    gitIn(repository, 'remote', 'add', 'origin', this.remote);
    gitIn(repository, 'fetch', '--quiet', 'origin');
    made.push(this);
  }

  /** Where its guard lies. */
  get guard(): string {
    return sealPlaces(join(this.root, 'runner'), SESSION).guard;
  }

  get checkout(): Checkout {
    const { repository: directory } = this;
    return { mode: 'inPlace', sessionId: SESSION, directory, branch: 'main', baseCommit: null };
  }

  /** The runner ends; what it answered, nobody answers. */
  async stop(): Promise<void> {
    this.#gate.leave(SESSION);
    await this.#gate.close();
  }

  /** Who removes what else of the session there is. */
  keeper(): Keeper {
    return new Keeper({
      root: join(this.root, 'runner'),
      env: {},
      limits: () => limitsFor('/'),
      log: () => undefined,
    });
  }

  /** The next one begins, and takes the session up. */
  async restart(): Promise<void> {
    this.#gate = this.#gateOfARunner();
    this.guards = this.#guardsOfARunner();
    await this.guards.attend(this.checkout);
  }

  /** Refs that the guard let go, and what it refused. */
  get passed(): string[] {
    return this.seen.flatMap(({ guard }) => guard?.passed.map(({ ref }) => ref) ?? []);
  }
  get refused(): readonly GuardRefusal[] {
    return this.seen.flatMap(({ guard }) => guard?.refused ?? []);
  }

  tip(branch: string): string {
    return gitIn(this.remote, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  }

  /** A file of a person's, such as a hook, which can be run where `mode` says so. */
  put(path: string, content: string, mode = 0o755): void {
    mkdirSync(dirname(join(this.repository, path)), { recursive: true });
    writeFileSync(join(this.repository, path), content, { mode });
  }

  /** A person's command line of a forge, which says what it is asked. */
  giveForge(): void {
    const bin = aDirectory();
    const gh = '#!/bin/sh\necho "gh was asked: $* <$(cat)>"; exit 7\n';
    writeFileSync(join(bin, 'gh'), gh, { mode: 0o755 });
    this.env = { PATH: `${bin}:${process.env['PATH']}` };
  }

  /** Runs a script as an engine of the session would. */
  async run(script: string, directory = this.repository, input = ''): Promise<Said> {
    const argv = ['/bin/sh', '-c', script] as const;
    const plan = { argv, directory, env: this.#personal };
    const { env } = await this.guards.put(plan, this.checkout);
    return say(script, directory, env, input);
  }

  /** What the runner answers its guard, as it comes over the wire. */
  async ask(said: object): Promise<string> {
    const { port, pathname } = new URL(readFileSync(join(this.guard, 'address'), 'utf8'));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(packetOf(`git-guard ${pathname}\0`) + packetOf(JSON.stringify(said)) + FLUSH);
    return text(socket);
  }

  /** The same in a shell of the person's own. */
  byHand(script: string, directory = this.repository, input = ''): Promise<Said> {
    return say(script, directory, this.#personal, input);
  }

  get #personal(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.root,
      GIT_CONFIG_NOSYSTEM: '1',
      ...this.env,
    };
  }

  #gateOfARunner(): GateServer {
    return new GateServer(join(this.root, 'runner'), (_level, message) =>
      this.logged.push(message),
    );
  }

  #guardsOfARunner(): Guards {
    let count = 0;
    return new Guards({
      root: join(this.root, 'runner'),
      gate: () => this.#gate,
      sessions: () => ({
        pushed: (_session, push) => void this.seen.push(push),
        watchedOf: () => this.watched,
      }),
      rules: () => this.policy && actRulesOf(this.policy),
      now: () => this.now,
      makeUuid: () => `push-${(count += 1)}`,
      log: (_level, message) => void this.logged.push(message),
    });
  }
}

function say(
  script: string,
  cwd: string,
  env: Record<string, string>,
  input: string,
): Promise<Said> {
  const child = spawn('/bin/sh', ['-c', script], { cwd, env, timeout: 30_000 });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said += String(part)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, said })));
}
