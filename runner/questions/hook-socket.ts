import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../json.ts';
import { HOOK_MAX_CHARS, hookHello } from './hook-question.ts';

export type HookLine = z.infer<typeof hookHello>;
/** What a hook is told; `none` leaves the question to the agent's own dialog. */
export type HookAnswer = { behavior: 'allow' | 'deny' | 'none'; message: string };

export type HookEvents = {
  /** False: nobody will answer it. */
  asked(line: HookLine): Promise<boolean>;
  /** The agent was told the answer. */
  taken(id: string): void;
  left(id: string): void;
  failed(error: unknown): void;
};

const NONE: HookAnswer = { behavior: 'none', message: '' };

/** Where hooks connect: one line in, an empty line once it is on record, and the answer. */
export class HookSocket {
  readonly #path: string;
  readonly #events: HookEvents;
  readonly #server: Server;
  readonly #sockets = new Map<string, Socket>();

  constructor(path: string, events: HookEvents) {
    this.#path = path;
    this.#events = events;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.on('error', (error) => events.failed(error));
  }

  /**
   * Listens for as long as the runner runs; one that was left behind is taken over. Where it cannot,
   * the runner goes on without: agents ask in their terminals.
   */
  listen(): void {
    try {
      this.#listen();
    } catch (error) {
      this.#events.failed(error);
    }
  }

  #listen(): void {
    const directory = dirname(this.#path);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(directory);
    // A directory of somebody else's could be given another socket at any moment.
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      return this.#events.failed(new Error(`${directory} is not the person’s alone`));
    rmSync(this.#path, { force: true });
    this.#server.listen(this.#path);
    this.#server.unref();
  }

  /** Whether a hook would be heard. */
  get listens(): boolean {
    return this.#server.listening;
  }

  has(id: string): boolean {
    return this.#sockets.has(id);
  }

  tell(id: string, answer: HookAnswer): void {
    this.#sockets.get(id)?.write(`${JSON.stringify(answer)}\n`);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  #accept(socket: Socket): void {
    let received = '';
    let id: string | null = null;
    socket.setEncoding('utf8');
    socket.unref();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (id === null || this.#sockets.get(id) !== socket) return;
      this.#sockets.delete(id);
      this.#events.left(id);
    });
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.length > HOOK_MAX_CHARS) socket.destroy();
      for (let end = received.indexOf('\n'); end >= 0; end = received.indexOf('\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 1);
        if (id !== null) {
          if (line === 'taken') this.#events.taken(id);
          continue;
        }
        const hello = hookHello.safeParse(parseJson(line));
        if (!hello.success) {
          socket.destroy();
          return;
        }
        id = hello.data.id;
        this.#sockets.set(id, socket);
        this.#begin(socket, hello.data);
      }
    });
  }

  #begin(socket: Socket, hello: HookLine): void {
    this.#events.asked(hello).then(
      (stands) => socket.write(stands ? '\n' : `${JSON.stringify(NONE)}\n`),
      (error: unknown) => {
        this.#events.failed(error);
        // A hook whose connection breaks would ask on and on; this one leaves it to the agent's dialog.
        if (!socket.destroyed) socket.write(`${JSON.stringify(NONE)}\n`);
      },
    );
  }
}
