import { Transform } from 'node:stream';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Pair = { near: Socket; far: Socket };

/**
 * A piece of network between two ends that can be cut, slowed and restored. It knows bytes only.
 */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #target: number;
  #mode: 'passing' | 'cut' = 'passing';
  #pieceMs = 0;
  /** How many connections were let through. */
  accepted = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#accept(near));
  }

  /** Listens on loopback before it is known where to lead: `leadTo` says that. */
  static async listen(): Promise<TcpProxy> {
    const proxy = new TcpProxy(0);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  leadTo(url: string): void {
    this.#target = Number(new URL(url).port);
  }

  /** Ends every connection without a close frame and takes no new one. */
  cut(): void {
    this.#mode = 'cut';
    this.#destroyAll();
  }

  /** Lets each piece of every connection, of 64 KB at most, wait so long after the one before it. */
  slow(pieceMs: number): void {
    this.#pieceMs = pieceMs;
  }

  restore(): void {
    this.#mode = 'passing';
    this.#pieceMs = 0;
  }

  /** Loses every byte of the connections that are there, and closes none of them. */
  freeze(): void {
    for (const { near, far } of this.#pairs)
      for (const socket of [near, far]) socket.unpipe().resume();
  }

  async close(): Promise<void> {
    this.#destroyAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(near: Socket): void {
    if (this.#mode === 'cut') return void near.destroy();
    const far = connect(this.#target, '127.0.0.1');
    const pair = { near, far };
    this.#pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    this.accepted++;
    near.pipe(this.#late()).pipe(far);
    far.pipe(this.#late()).pipe(near);
  }

  /** One piece after another, each so much later than it came. */
  #late(): Transform {
    return new Transform({
      transform: (piece, _encoding, done) => {
        if (this.#pieceMs === 0) done(null, piece);
        else setTimeout(() => done(null, piece), this.#pieceMs);
      },
    });
  }

  #destroyAll(): void {
    for (const { near, far } of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    this.#pairs.clear();
  }
}
