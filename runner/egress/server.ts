import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../failure.ts';
import { parseJson } from '../json.ts';
import { listenWhereBefore } from '../lasting/listen.ts';
import { controlTokenOf, isSame } from '../lasting/tokens.ts';
import { dial, dialStraight } from './dial.ts';
import { networkRules } from './rules.ts';
import { ClosedSession, type Dial } from './session.ts';

export type EgressOptions = {
  /** The proxy's own directory; the process is in it, so that the names of sockets are short. */
  root: string;
  /** The files in which the runner's gates say on which port they are. */
  portFiles: Record<'gate' | 'model', string>;
  key: Buffer;
  env: NodeJS.ProcessEnv;
  /** The runner says that it is over. */
  ended(): void;
};

/** The network of every closed session of this machine, and the runner's way to tell it of them. */
export class Egress {
  readonly #options: EgressOptions;
  readonly #sessions = new Map<string, ClosedSession>();
  readonly #control: Server;
  /** Times that the runner called, for whoever decides whether it is still of use. */
  heard = 0;

  constructor(options: EgressOptions) {
    this.#options = options;
    this.#control = createServer((incoming, response) => {
      this.#serve(incoming, response).catch(() => response.destroy());
    });
  }

  get busy(): boolean {
    return [...this.#sessions.values()].some(({ busy }) => busy);
  }

  /** Takes up what an earlier process left, and listens for the runner. Returns the port. */
  async listen(): Promise<number> {
    const names = readdirSync(this.#options.root).filter((name) => name.startsWith('ses_'));
    for (const name of names) {
      try {
        const found = await ClosedSession.find(name, this.#dial);
        if (found) this.#sessions.set(name, found);
      } catch (error) {
        // It stays closed until the runner speaks of it again, and closes nobody else's network.
        process.stderr.write(`the network of ${name} stays closed: ${messageOf(error)}\n`);
      }
    }
    return listenWhereBefore(this.#control, this.#options.root);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) session.close(false);
    this.#control.closeAllConnections();
    await new Promise<void>((resolve) => this.#control.close(() => resolve()));
  }

  readonly #dial: Dial = (way): Promise<Socket> => {
    const { portFiles, env } = this.#options;
    if (way.to === 'host') return dial(way, env);
    const port = way.to === 'machine' ? way.port : readPort(portFiles[way.to]);
    return dialStraight({ host: '127.0.0.1', port });
  };

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.heard += 1;
    const { method, url = '/', headers } = incoming;
    const end = (status: number) => void response.writeHead(status).end();
    const token = `Bearer ${controlTokenOf(this.#options.key)}`;
    if (!isSame(headers.authorization ?? '', token)) return end(401);
    const [, sessionId = ''] = /^\/control\/(\w*)$/.exec(url) ?? [];
    if (sessionId === '') {
      end(204);
      return method === 'DELETE' ? this.#options.ended() : undefined;
    }
    if (!sessionId.startsWith('ses_')) return end(400);
    if (method === 'DELETE') {
      this.#sessions.get(sessionId)?.close(true);
      this.#sessions.delete(sessionId);
      return end(204);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const parsed = networkRules.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
    if (!parsed.success) return end(400);
    const session = this.#sessions.get(sessionId) ?? new ClosedSession(sessionId, this.#dial);
    this.#sessions.set(sessionId, session);
    await (method === 'PATCH' ? session.add(parsed.data) : session.rule(parsed.data));
    end(204);
  }
}

/** Where a gate is now; 0 where it never was, which nobody listens on. */
const readPort = (path: string): number =>
  existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;

/** Where the runner's gates keep their ports, seen from the directory of the runner. */
export const portFilesIn = (runner: string): EgressOptions['portFiles'] => ({
  gate: join(runner, 'gate.port'),
  model: join(runner, 'model-gate', 'port'),
});
