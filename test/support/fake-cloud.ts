import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import type { z } from 'zod';
import { consoleFrame, feedFrame, type FeedFrame } from '../../protocol/console-frames.ts';
import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import type { RunnerSummary } from '../../protocol/http.ts';
import { launchId, runnerId, type SessionId } from '../../protocol/ids.ts';
import type { Presence } from '../../protocol/machine.ts';
import type { FakeSession } from './fake-session.ts';
import type { BrainKey } from '../../protocol/brain-keys.ts';
import { MockOperators } from '../../console/mock/operators.ts';
import { MockPairings } from '../../console/mock/machines.ts';
import { MockPolicies } from '../../console/mock/policies.ts';
import { answerRequest, refuse, type Answers } from './fake-cloud-routes.ts';

export type Asked = {
  method: string;
  path: string;
  query: Record<string, string>;
  authorization: string | undefined;
  body: unknown;
};

const FIRST_LAUNCH = launchId.parse('lau_1');

/** What the network or a broken server does to one route instead of its answer. */
type Fault = { path: RegExp; status: number; body: string };

/**
 * The cloud as the command line meets it, over real HTTP and a real WebSocket: it keeps records,
 * reduces them with the product's own reducer, and sends nothing that the protocol's schemas do
 * not accept, unless a test asks for a fault.
 */
export class FakeCloud implements Answers {
  readonly token = 'cli-token-of-the-tests';
  readonly asked: Asked[] = [];
  readonly runners: RunnerSummary[] = [];
  readonly sessions = new Map<SessionId, FakeSession>();
  brainKeys: BrainKey[] = [];
  readonly pairings = new MockPairings();
  readonly policies = new MockPolicies();
  readonly operators = new MockOperators();
  /** Answers of the ledgers, by the path that asks for them. */
  readonly ledgers = new Map<string, unknown>();
  /** Played right after the request that it is for was accepted. */
  afterLaunch: (session: FakeSession) => void = (session) =>
    void session.append([
      { type: 'launch/staged', launchId: FIRST_LAUNCH, stage: 'spawned', process: null },
    ]);
  afterInstruct: (session: FakeSession) => void = () => undefined;
  presence: Presence = 'online';
  /** Entries after which each connection is cut, in their order; a missing one is never cut. */
  cuts: number[] = [];
  /** How many entries before the asked position are sent again. */
  overlap = 0;
  /** Entries in one frame. */
  frameEntries = 3;
  /** Positions that viewers asked to begin after, in the order of their connections. */
  readonly subscribed: number[] = [];
  readonly #faults: Fault[] = [];
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #viewers = new Map<WebSocket, SessionId>();
  readonly #connections = new Set<Socket>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.on('close', () => this.#connections.delete(socket));
    });
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async listen(): Promise<FakeCloud> {
    const cloud = new FakeCloud();
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve));
    return cloud;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Begins a session's record with these events. */
  addSession(session: FakeSession, ...events: FeedEvent[]): FakeSession {
    this.sessions.set(session.sessionId, session);
    session.append(events);
    return session;
  }

  /** Adds to a session's record and shows it to whoever watches. */
  append(session: FakeSession, ...events: FeedEvent[]): void {
    this.#show(session.sessionId, { type: 'entries', entries: session.append(events) });
  }

  /** Shows a frame that is in no record: text on its way, presence. */
  show(session: FakeSession, frame: FeedFrame): void {
    this.#show(session.sessionId, frame);
  }

  /** Sends viewers a text that no server of ours would write. */
  showText(text: string): void {
    for (const viewer of this.#viewers.keys()) viewer.send(text);
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Refuses every request whose path matches, in the one form of errors. */
  refuse(path: RegExp, code: ErrorCode, message: string = ERRORS[code].sentence): void {
    this.#faults.push({ path, ...refuse(code, message) });
  }

  /** Answers every request whose path matches with a text of any form. */
  garble(path: RegExp, body: string, status = 200): void {
    this.#faults.push({ path, status, body });
  }

  /** Takes every refusal and garbled answer back. */
  mend(): void {
    this.#faults.length = 0;
  }

  /** What was asked for by a method, as its path and body. */
  requests(method: string): { path: string; body: unknown }[] {
    return this.asked
      .filter((asked) => asked.method === method)
      .map(({ path, body }) => ({ path, body }));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const text = await readText(request);
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      authorization: request.headers.authorization,
      body: text === '' || isBytes(request) ? undefined : JSON.parse(text),
    };
    this.asked.push(asked);
    const fault = this.#faultOf(url.pathname) ?? this.#refusalOf(request);
    const { status, body } = fault ?? answerRequest(this, asked);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  }

  #faultOf(path: string): Fault | undefined {
    return this.#faults.find((fault) => fault.path.test(path));
  }

  #refusalOf(request: IncomingMessage): { status: number; body: string } | null {
    if (request.headers.authorization === `Bearer ${this.token}`) return null;
    return refuse('unauthenticated');
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = new URL(request.url ?? '/', this.url).pathname;
    const id = /^\/v1\/sessions\/([^/]+)\/socket$/.exec(path)?.[1] as SessionId | undefined;
    const session = id && this.sessions.get(id);
    const refused =
      this.#faultOf(path) ??
      this.#refusalOf(request) ??
      (session ? null : refuse('session_not_found'));
    if (refused || !session) {
      const body = refused?.body ?? '';
      socket.end(
        `HTTP/1.1 ${refused?.status ?? 404} Refused\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (viewer) => this.#watch(viewer, session));
  }

  #watch(viewer: WebSocket, session: FakeSession): void {
    viewer.on('close', () => this.#viewers.delete(viewer));
    viewer.once('message', (data: Buffer) => {
      const { after } = consoleFrame.parse(JSON.parse(data.toString()));
      const connection = this.subscribed.push(after);
      const { entries, view } = session;
      const { presence } = this;
      send(viewer, { type: 'snapshot', view, upTo: entries.length, presence });
      const from = Math.max(0, after - this.overlap);
      const cut = this.cuts[connection - 1];
      const until = cut === undefined ? entries.length : Math.min(entries.length, from + cut);
      for (const part of framesOf(entries.slice(from, until), this.frameEntries))
        send(viewer, { type: 'entries', entries: part });
      if (cut === undefined) this.#viewers.set(viewer, session.sessionId);
      else viewer.close();
    });
  }

  #show(sessionId: SessionId, frame: FeedFrame): void {
    for (const [viewer, watched] of this.#viewers) if (watched === sessionId) send(viewer, frame);
  }
}

function send(viewer: WebSocket, frame: z.input<typeof feedFrame>): void {
  viewer.send(JSON.stringify(feedFrame.parse(frame)));
}

function framesOf(entries: readonly FeedEntry[], size: number): FeedEntry[][] {
  const frames: FeedEntry[][] = [];
  for (let at = 0; at < entries.length; at += size) frames.push(entries.slice(at, at + size));
  return frames;
}

/** A machine as the list shows it, with engines of these ids that are ready. */
export function aRunner(
  id: string,
  name: string,
  over: Partial<RunnerSummary> & { engines?: readonly string[] } = {},
): RunnerSummary {
  const { engines = ['rehearsal'], ...more } = over;
  return {
    runnerId: runnerId.parse(id),
    name,
    presence: 'online',
    lastSeenAt: null,
    revokedAt: null,
    machine: {
      hostname: name,
      platform: 'linux',
      arch: 'x64',
      nodeVersion: 'v24.0.0',
      pilothouseVersion: '0.1.0',
      homeDirectory: '/home/person',
      limits: {
        source: null,
        directories: [],
        engines: [],
        bypass: false,
        noOutputMaxMs: 86_400_000,
        minimumGrade: 'open',
        defaultGrade: null,
      },
      seal: { available: true, problem: null, remedy: null },
      engines: engines.map((engineId) => ({
        engineId,
        label: engineId,
        ready: true,
        version: '1.0.0',
        payer: 'unknown',
        credential: null,
        approvals: ['ask'],
        sealable: true,
        problem: null,
        remedy: null,
      })),
    },
    ...more,
  };
}

const isBytes = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'application/octet-stream';
