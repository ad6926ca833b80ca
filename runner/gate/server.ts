import { spawn } from 'node:child_process';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import type { SessionId } from '../../protocol/ids.ts';
import { parseForgeAsk } from '../broker/forge-ask.ts';
import { sayPullRequest, type PullRequest } from '../broker/open.ts';
import { failWith, type ForgeSaid } from '../broker/show.ts';
import { messageOf } from '../failure.ts';
import { gitEnvironment } from '../guard/git.ts';
import { parseJson } from '../json.ts';
import type { Log } from '../log.ts';
import { packetOf, PacketReader } from './pkt-line.ts';
import type { GateSession } from './gate-session.ts';
import { MAX_ASK_BYTES } from './guard-desk.ts';
import { sendObject } from './lfs-download.ts';
import { decideWithOptions } from './push-options.ts';
import type { Quarantine } from './quarantine.ts';
import { receivePush } from './receive.ts';

/** Most that one push brings of git's own objects, in bytes: git ends one of more while it comes in. */
const PUSH_MAX_BYTES = 1024 ** 3;
/** A connection that asks for nothing is closed. */
const REQUEST_WITHIN_MS = 10_000;
/** How long contents that were fetched lie here, in ms: a checkout fetches hundreds, one after another. */
export const FORGET_AFTER_MS = 5_000;

/**
 * The only remote of the sessions that hold no power: git's own protocol on a loopback port, as
 * `git daemon` speaks it. Whoever calls names a session and proves it by a token that only that
 * session's checkout holds.
 */
export class GateServer {
  readonly #root: string;
  readonly #pushMaxBytes: number;
  readonly #log: Log;
  readonly #key: Buffer;
  readonly #sessions = new Map<string, GateSession>();
  /** Who answers what the guards of open sessions ask, which push past the gate. */
  readonly #guards = new Map<string, (asked: string) => object>();
  readonly #sockets = new Set<Socket>();
  readonly #forgetting = new Set<Quarantine>();
  #listening: Promise<Server> | null = null;

  /** `root`: the runner's own directory, where the key and the port are kept across restarts. */
  constructor(root: string, log: Log, pushMaxBytes = PUSH_MAX_BYTES) {
    this.#root = root;
    this.#pushMaxBytes = pushMaxBytes;
    this.#log = log;
    this.#key = readOrMakeKey(join(root, 'gate.key'));
  }

  /** The address of a session's remote. Engines outlive the runner, so the port is kept. */
  async urlOf(sessionId: SessionId): Promise<string> {
    const server = await this.#start();
    const { port } = server.address() as AddressInfo;
    return `git://127.0.0.1:${port}/${sessionId}/${this.tokenOf(sessionId)}`;
  }

  /** What only the session's own checkout holds: to be redacted from everything that is told. */
  tokenOf(sessionId: string): string {
    return createHmac('sha256', this.#key).update(sessionId).digest('hex').slice(0, 40);
  }

  open(sessionId: SessionId, session: GateSession): void {
    this.#sessions.set(sessionId, session);
    this.#start().catch((error: unknown) => {
      this.#log('error', 'the gate cannot be opened', { reason: messageOf(error) });
    });
  }

  /** Answers the guard of an open session: `answer` is given JSON, and what it returns is sent as such. */
  openGuard(sessionId: SessionId, answer: (asked: string) => object): void {
    this.#guards.set(sessionId, answer);
  }

  leave(sessionId: SessionId): void {
    this.#sessions.delete(sessionId);
    this.#guards.delete(sessionId);
  }

  async close(): Promise<void> {
    const server = await this.#listening;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  #start(): Promise<Server> {
    this.#listening ??= this.#listen().catch((error: unknown) => {
      this.#listening = null;
      throw error;
    });
    return this.#listening;
  }

  async #listen(): Promise<Server> {
    const path = join(this.#root, 'gate.port');
    const kept = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    const server = createServer((socket) => void this.#serve(socket));
    await listenOn(server, kept).catch(() => listenOn(server, 0));
    server.unref();
    writeFileSync(path, String((server.address() as AddressInfo).port), { mode: 0o600 });
    return server;
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // What a broken connection means is told by the programs at its ends.
    socket.on('error', () => socket.destroy());
    const late = setTimeout(() => socket.destroy(), REQUEST_WITHIN_MS);
    try {
      const packets = new PacketReader(socket);
      const request = parseRequest((await packets.read()) ?? '');
      const { service } = request;
      const asks = service === 'pull-request' || service === 'lfs-object';
      const guard = this.#guards.get(request.sessionId);
      const isKnown = this.#isToken(request.sessionId, request.token);
      if (service === 'guard' && guard && isKnown) {
        const answer = guard((await packets.readList(MAX_ASK_BYTES)).join(''));
        clearTimeout(late);
        return void socket.end(packetOf(JSON.stringify(answer)));
      }
      const asked = (asks ? await packets.read() : null) ?? '';
      packets.release();
      clearTimeout(late);
      const session = this.#sessions.get(request.sessionId);
      if (!session || !isKnown || service === 'guard')
        return void socket.end(packetOf('ERR no session of this machine has this address'));
      await session.quarantine.use(async () => {
        if (service === 'lfs-object') return sendObject(session, asked, socket);
        if (service === 'pull-request')
          return void socket.end(packetOf(JSON.stringify(await answerAsk(session, asked))));
        await session.quarantine.refresh();
        await this.#run(service, session, socket);
      });
      if (service === 'lfs-object') this.#forgetSoon(session.quarantine);
    } catch (error) {
      clearTimeout(late);
      this.#log('error', 'a push or fetch of a session failed at the gate', {
        reason: messageOf(error),
      });
      socket.end(packetOf(`ERR ${messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 400)}`));
    }
  }

  /** All that were fetched meanwhile at once: nothing else may go on in the gate while it looks. */
  #forgetSoon(quarantine: Quarantine): void {
    if (this.#forgetting.has(quarantine)) return;
    this.#forgetting.add(quarantine);
    setTimeout(() => {
      this.#forgetting.delete(quarantine);
      quarantine.forgetObjects().catch((error: unknown) => {
        this.#log('warning', 'fetched files could not be cleared away', {
          reason: messageOf(error),
        });
      });
    }, FORGET_AFTER_MS).unref();
  }

  #isToken(sessionId: string, token: string): boolean {
    const right = Buffer.from(this.tokenOf(sessionId));
    const given = Buffer.from(token);
    return right.length === given.length && timingSafeEqual(right, given);
  }

  async #run(service: GitService, session: GateSession, socket: Socket): Promise<void> {
    const { directory } = session.quarantine;
    const args =
      service === 'receive-pack'
        ? [service, directory]
        : [service, '--strict', '--timeout=60', directory];
    const child = spawn('git', args, {
      cwd: directory,
      env: gitEnvironment(
        process.env,
        [
          ['core.hooksPath', join(directory, 'hooks')],
          ['receive.advertisePushOptions', 'true'],
          ['receive.maxInputSize', String(this.#pushMaxBytes)],
        ],
        false,
        ['core.hooksPath'],
      ),
      stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    socket.pipe(child.stdin as NodeJS.WritableStream);
    child.stdout?.pipe(socket);
    child.stdin?.on('error', () => undefined);
    socket.on('close', () => child.kill());
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    // What the types of node name are the first five alone.
    const [, , , hook, shown] = child.stdio;
    if (hook instanceof Duplex && shown instanceof Duplex) {
      for (const each of [hook, shown]) each.on('error', () => undefined);
      if (service === 'receive-pack')
        await this.#receive(session, hook, shown).catch(() => hook.destroy());
      shown.end();
    }
    await ended;
  }

  async #receive(session: GateSession, hook: Duplex, shown: Duplex): Promise<void> {
    let told = 0;
    await receivePush(
      new PacketReader(hook),
      (text) => {
        // The hook is over once everything is said that whoever pushes is shown.
        if (told++ === 0) hook.write(text);
        else shown.end(() => hook.end(text));
      },
      (commands, options) =>
        decideWithOptions(session, commands, options, (line) => shown.write(`${line}\n`)),
    );
  }
}

type GitService = 'upload-pack' | 'receive-pack';
type Service = GitService | 'pull-request' | 'lfs-object' | 'guard';

/** Parses the first line of a connection (gitprotocol-pack(5), git transport). */
export function parseRequest(line: string): { service: Service; sessionId: string; token: string } {
  const match =
    /^git-(upload-pack|receive-pack|pull-request|lfs-object|guard) \/(ses_[a-z0-9]+)\/([0-9a-f]+)\0/.exec(
      line,
    );
  if (!match) throw new Error('not a request that the gate knows');
  const [, service, sessionId = '', token = ''] = match;
  return { service: service as Service, sessionId, token };
}

/** Answers what is no push, and so has no words of git's, as a command would. */
async function answerAsk(session: GateSession, asked: string): Promise<ForgeSaid> {
  const parsed = parseForgeAsk(parseJson(asked));
  if (!parsed.ok) return failWith(parsed.reason);
  const { ask } = parsed;
  switch (ask.do) {
    case 'open': {
      await session.quarantine.refresh();
      const { do: _do, repository, ...rest } = ask;
      return sayWritten(await session.ask(rest, 'agent', repository));
    }
    case 'edit':
    case 'comment':
      await session.quarantine.refresh();
      return sayWritten(await session.change(ask));
    default:
      // What is only looked at at the forge needs no look at the remote.
      await session.quarantine.prepare();
      return session.read(ask);
  }
}

function sayWritten(pullRequest: PullRequest): ForgeSaid {
  const { url, change, outcome } = pullRequest;
  const said = sayPullRequest(pullRequest);
  // One that is open already is the answer to a second ask for it.
  const code = change ? Number(outcome !== 'done') : Number(url === null);
  return { code, out: url === null ? '' : `${url}\n`, said };
}

function readOrMakeKey(path: string): Buffer {
  if (!existsSync(path)) {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(path, randomBytes(32), { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(path);
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
