import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** Calls of a session that wait at most; more are none of the runner's own bridge. */
const WAITING_MAX = 16;
/** How long a server in the session may take to accept, in ms. */
const ACCEPT_MS = 10_000;

type Waiter = { take(socket: Socket): void; fail(): void };

/**
 * The way into the network of a session that is kept to its model. Its bridge calls a socket beside
 * those of its ports, and waits to be told a port: the runner enters no namespace, which it could
 * only as root. What it is led to is the session's own in any case.
 */
export class Inward {
  readonly #idle: Socket[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #close: () => void;
  #closed = false;

  private constructor(server: Server, close: () => void) {
    this.#close = close;
    server.on('connection', (socket: Socket) => this.#offered(socket));
  }

  /** Listens in the directory of a session's ports. Rejects where there is none. */
  static async open(ports: string): Promise<Inward> {
    const path = join(ports, 'inward');
    for (const each of [path, `${path}.new`]) rmSync(each, { force: true });
    const directory = openSync(ports, 'r');
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    const way = new Inward(server, () => {
      server.close();
      closeSync(directory);
      rmSync(path, { force: true });
    });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        // The name of a socket is short (unix(7)), and that of a data directory need not be.
        server.listen(`/proc/self/fd/${directory}/inward.new`, resolve);
      });
    } catch (error) {
      closeSync(directory);
      throw error;
    }
    // It is seen as soon as it has its name, and has to answer by then.
    renameSync(`${path}.new`, path);
    server.on('error', () => undefined);
    return way;
  }

  #offered(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    const waiter = this.#waiters.shift();
    if (waiter) return waiter.take(socket);
    if (this.#idle.length >= WAITING_MAX) return void socket.destroy();
    this.#idle.push(socket);
  }

  /** A connection to a port of the session's network. Rejects where nothing accepts in time. */
  dial(port: number, address: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error(`nothing in the session accepted at port ${port}`));
      const waiter: Waiter = {
        fail: failed,
        take: (socket) => {
          const gone = () => {
            clearTimeout(timer);
            failed();
          };
          socket.once('close', gone);
          socket.once('readable', () => {
            const sign: Buffer | null = socket.read(1) as Buffer | null;
            clearTimeout(timer);
            if (sign?.toString() === '+') {
              socket.off('close', gone);
              resolve(socket);
            } else socket.destroy();
          });
          socket.write(`${port} ${address}\n`);
        },
      };
      const timer = setTimeout(() => {
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        failed();
      }, ACCEPT_MS);
      const socket = this.#idle.shift();
      if (socket) waiter.take(socket);
      else this.#waiters.push(waiter);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const socket of this.#idle) socket.destroy();
    for (const waiter of this.#waiters) waiter.fail();
    this.#close();
  }
}
