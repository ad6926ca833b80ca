import { performance } from 'node:perf_hooks';
import WebSocket from 'ws';
import type { Command } from '../../protocol/command.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import { launchId, type RunnerId, type SessionId, type TurnId } from '../../protocol/ids.ts';
import { machineFacts } from '../../protocol/machine.ts';
import { PING, PONG, relayFrame } from '../../protocol/runner-frames.ts';
import { PROTOCOL_VERSION } from '../../protocol/version.ts';

const LAUNCH = launchId.parse('lau_1');
const MACHINE = machineFacts.parse({
  hostname: 'bench',
  platform: 'linux',
  arch: 'x64',
  nodeVersion: '24.0.0',
  pilothouseVersion: '0.1.0',
  homeDirectory: '/',
  limits: { source: null, directories: ['/'], engines: ['rehearsal'], bypass: false },
  engines: [],
});

/** A runner that works on nothing: every turn ends as it begins, every check fails at once. */
export class BareRunner {
  readonly #socket: WebSocket;
  readonly #beat: NodeJS.Timeout;
  #known: () => void = () => undefined;
  readonly #seqs = new Map<SessionId, number>();
  #turns: ((turn: TurnId, at: number) => void) | null = null;
  #played: SessionId | null = null;
  #checks = 0;
  #first: { sessionId: SessionId; turnId: TurnId } | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text === PONG) return;
      const frame = relayFrame.parse(JSON.parse(text));
      if (frame.type === 'command') this.#take(frame.command);
      if (frame.type === 'initialized') this.#known();
    });
    // A machine that says nothing counts as away.
    this.#beat = setInterval(() => socket.send(PING), 10_000);
  }

  static async connect(
    url: string,
    { runnerId, token }: { runnerId: RunnerId; token: string },
  ): Promise<BareRunner> {
    const address = new URL(`/v1/runners/${runnerId}/link`, url.replace('http', 'ws'));
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    const runner = new BareRunner(socket);
    const known = new Promise<void>((resolve) => (runner.#known = resolve));
    runner.#send({
      type: 'initialize',
      version: PROTOCOL_VERSION,
      capabilities: [],
      runnerId,
      machine: MACHINE,
      sessions: [],
    });
    await known;
    return runner;
  }

  /** Lets this session's Pilot go on for so many turns; what each took, with a check that costs nothing, ms. */
  async playTurns(sessionId: SessionId, count: number): Promise<number[]> {
    this.#played = sessionId;
    const samples: number[] = [];
    let turnId = await this.#begun(sessionId);
    for (let turn = 0; turn < count; turn++) {
      const next = new Promise<{ turnId: TurnId; at: number }>((resolve) => {
        this.#turns = (id, at) => resolve({ turnId: id, at });
      });
      const endedAt = performance.now();
      this.#end(sessionId, turnId, turn);
      const begun = await next;
      samples.push(begun.at - endedAt);
      turnId = begun.turnId;
      this.#begin(sessionId, turnId);
    }
    return samples;
  }

  close(): void {
    clearInterval(this.#beat);
    this.#socket.close();
  }

  async #begun(sessionId: SessionId): Promise<TurnId> {
    while (this.#first?.sessionId !== sessionId)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return this.#first.turnId;
  }

  #take(command: Command): void {
    const { sessionId } = command;
    if (sessionId === null) return;
    if (command.method === 'check/run') {
      const { title, command: line } = command.params;
      // Another failure each time, or the run would be taken for one that goes in circles.
      const tail = 'x'.repeat(++this.#checks);
      const value = { title, command: line, passed: false, exitCode: 1, durationMs: 0, tail };
      return this.#send({ type: 'result', id: command.id, result: { ok: true, value } });
    }
    this.#send({ type: 'result', id: command.id, result: { ok: true, value: {} } });
    if (command.method === 'session/start' && command.params.firstTurn) {
      const { turnId } = command.params.firstTurn;
      this.#ready(sessionId);
      this.#begin(sessionId, turnId);
      this.#first ??= { sessionId, turnId };
    }
    if (command.method === 'session/instruct' && sessionId === this.#played)
      this.#turns?.(command.params.turnId, performance.now());
  }

  #ready(sessionId: SessionId): void {
    this.#events(sessionId, [
      { type: 'launch/staged', launchId: LAUNCH, stage: 'spawned', process: null },
      {
        type: 'engine/ready',
        launchId: LAUNCH,
        engineSessionId: 'c',
        engineVersion: null,
        model: null,
        payer: 'unknown',
        credential: null,
      },
    ]);
  }

  #begin(sessionId: SessionId, turnId: TurnId): void {
    this.#events(sessionId, [
      { type: 'turn/delivered', turnId, delivery: 'confirmed', reason: null },
      { type: 'turn/started', turnId, origin: 'instruction' },
    ]);
  }

  /** Changes a file each time: a run that stands still would be ended. */
  #end(sessionId: SessionId, turnId: TurnId, number: number): void {
    const file = { path: 'a', change: 'edited', additions: 1, deletions: 0 } as const;
    const text = { text: `+${'x'.repeat(number)}`, truncated: null };
    this.#events(sessionId, [
      {
        type: 'tool/ended',
        toolId: `t${number}`,
        outcome: 'ok',
        exitCode: 0,
        output: text,
        files: [{ ...file, patch: text }],
        durationMs: 0,
      },
      {
        type: 'turn/ended',
        turnId,
        outcome: 'ok',
        error: null,
        durationMs: 0,
        usage: 'none',
        acts: 'none',
      },
    ]);
  }

  #events(sessionId: SessionId, events: readonly EngineEvent[]): void {
    const from = this.#seqs.get(sessionId) ?? 1;
    this.#seqs.set(sessionId, from + events.length);
    const sequenced = events.map((event, index) => ({
      sessionId,
      seq: from + index,
      at: Date.now(),
      event,
    }));
    this.#send({ type: 'events', events: sequenced });
  }

  #send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }
}
