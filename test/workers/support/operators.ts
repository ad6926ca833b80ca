import { env } from 'cloudflare:workers';
import { z } from 'zod';
import {
  type InstanceId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  type OperatorId,
  operatorId,
  runnerId as runnerIdSchema,
} from '../../../protocol/ids.ts';
import type { InstanceChange } from '../../../protocol/operator-http.ts';
import type { OperatorBody } from '../../../protocol/operator.ts';
import type { TerminalCall, TerminalPane } from '../../../protocol/terminal.ts';
import type { ForeseenAct } from '../../../protocol/terminal-command.ts';
import type { Command, CommandResult } from '../../../protocol/command.ts';
import { relayFrame, type RelayFrame } from '../../../protocol/runner-frames.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { appendDefinition, type Saver } from '../../../workers/operators/append.ts';
import { changeInstance, makeInstance } from '../../../workers/operators/instances.ts';
import { makeCliToken, registerRunner, startEmpty, type RegisteredRunner } from './http.ts';
import { PeerRunner } from './peers.ts';

export const SAVER: Saver = {
  kind: 'cli',
  name: 'test',
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  runnerId: null,
  decisions: null,
  tokenHash: null,
  expiresAt: null,
};

export const PANE = 'tmux:own:1.2:%3';
const OPERATOR = operatorId.parse('opr_watcher');

/** An operator of tmux with every tool, and of any terminal unless said otherwise. */
export const aDefinition = (over: Partial<OperatorBody> = {}): OperatorBody => ({
  name: 'Watcher',
  instructions: 'Watch the build.',
  ceiling: {
    tools: [
      'tmux_list_sessions',
      'tmux_create_session',
      'tmux_capture_pane',
      'tmux_run_command',
      'tmux_send_keys',
      'tmux_kill_session',
    ],
    surfaceOptions: { tmux: { backends: ['tmux'], targets: 'any', prefix: null } },
  },
  brain: null,
  ...over,
});

export const aPane = (over: Partial<TerminalPane> = {}): TerminalPane => ({
  target: PANE,
  backend: 'tmux',
  session: 'agent-build',
  title: '',
  program: 'bash',
  directory: '/code/shop',
  size: { columns: 80, rows: 24 },
  state: 'shell',
  agent: null,
  ours: true,
  ...over,
});

type TerminalCommand = Extract<
  Command,
  { method: 'terminal/look' | 'terminal/read' | 'terminal/call' }
>;

const SERVED: ReadonlySet<string> = new Set(['terminal/look', 'terminal/read', 'terminal/call']);

/** A machine with one pane, which answers as its runner would, and writes down what it is asked. */
export class TerminalPeer {
  readonly asked: TerminalCommand[] = [];
  pane: TerminalPane | null = aPane();
  acts: ForeseenAct[] = [];
  linesSha256: string | null = null;
  /** The answer to a write; null answers nothing. */
  answer: ((command: TerminalCommand) => CommandResult | null) | null = null;
  readonly #done = new Map<string, CommandResult>();

  constructor(peer: PeerRunner) {
    // What was under way asks as soon as the link is there, which may be before anybody listens.
    for (const frame of peer.frames) this.#hear(peer, frame);
    peer.socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string' || data === 'pong') return;
      this.#hear(peer, relayFrame.parse(JSON.parse(data)));
    });
  }

  #hear(peer: PeerRunner, frame: RelayFrame): void {
    if (frame.type !== 'command' || !SERVED.has(frame.command.method)) return;
    const command = frame.command as TerminalCommand;
    this.asked.push(command);
    const result = this.#done.get(command.id) ?? this.#resultOf(command);
    if (!result) return;
    if (command.method === 'terminal/call') this.#done.set(command.id, result);
    peer.result(command.id, result);
  }

  /** As if nothing had ever reached it. */
  forget(): void {
    this.#done.clear();
  }

  /** The writes that reached the machine in time to be carried out, each once. */
  get writes(): TerminalCall[] {
    const calls = this.asked.filter(
      ({ method, deadlineAt }) => method === 'terminal/call' && deadlineAt > 0,
    );
    return [...new Map(calls.map(({ id, params }) => [id, params.call])).values()];
  }

  #resultOf(command: TerminalCommand): CommandResult | null {
    if (command.deadlineAt < Date.now()) return { ok: false, code: 'expired', message: 'too late' };
    if (command.method === 'terminal/look') {
      const { pane, acts, linesSha256 } = this;
      return { ok: true, value: { pane, acts, ruled: null, linesSha256 } };
    }
    return this.answer
      ? this.answer(command)
      : { ok: true, value: VALUES[command.params.call.tool] };
  }
}

const VALUES: Partial<Record<TerminalCall['tool'], unknown>> = {
  tmux_list_sessions: { sessions: [] },
  tmux_capture_pane: { text: 'ready', omitted: 0 },
  tmux_run_command: {
    status: 'ended',
    exitCode: 0,
    receipt: 'delivered',
    text: 'ok',
    omitted: 0,
    target: PANE,
  },
  tmux_send_keys: { receipt: 'queued', bytes: 1, sha256: 'a' },
  tmux_kill_session: { closed: true },
};

export type House = {
  runner: RegisteredRunner;
  peer: PeerRunner;
  machine: TerminalPeer;
  cli: string;
  instanceId: InstanceId;
  change(change: InstanceChange): Promise<void>;
  /** Puts as many further calls on record as made just now. */
  makeMany(calls: number): Promise<void>;
};

const MANY_CALLS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
  INSERT INTO gate_decisions SELECT 'acc_local', 'usr_local', ?1, 'many-' || i, 0, 'opr_watcher',
  'run_operated', 'tmux_capture_pane', NULL, ?2, '{"kind":"mcp","id":"k"}', 1, 'read', 'x', 1,
  'allow', NULL, '', '[]', NULL, NULL, NULL FROM n`;

/** An installation with a machine that is online and an instance of an operator on it. */
export async function startOperating(
  body: OperatorBody = aDefinition(),
  id: OperatorId = OPERATOR,
): Promise<House> {
  await startEmpty();
  const runner = await registerRunner(runnerIdSchema.parse('run_operated'));
  const peer = await PeerRunner.online(runner);
  const machine = new TerminalPeer(peer);
  const cli = z.string().parse(await makeCliToken());
  const row = { operatorId: id, version: 1, body, at: Date.now() };
  await appendDefinition(openDatabase(env.DB), SAVER, row);
  const request = {
    operatorId: id,
    runnerId: runner.runnerId,
    agreedVersion: 1,
    name: 'mine',
    narrowing: {},
    boundTarget: null,
    brain: null,
    budgetMicroUsd: null,
  };
  const instanceId = await makeInstance(env, SAVER, request, Date.now());
  const change = (asked: InstanceChange) =>
    changeInstance(env, SAVER, instanceId, asked, Date.now());
  const makeMany = async (calls: number) => {
    await env.DB.prepare(MANY_CALLS).bind(instanceId, Date.now(), calls).run();
  };
  return { runner, peer, machine, cli, instanceId, change, makeMany };
}
