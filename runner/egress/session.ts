import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../json.ts';
import { replaceFile } from '../replace-file.ts';
import { bridgePath, portsPath, refusedPath, rulesPath } from './files.ts';
import { join, openProxy } from './proxy.ts';
import { noteRefused } from './refused.ts';
import { networkRules, PROXY_PORT, type NetworkRules, type Way } from './rules.ts';

/** It stands in the session as perl, and as node where there is none. */
const BRIDGES = {
  pl: fileURLToPath(new URL('./bridge.pl', import.meta.url)),
  mjs: fileURLToPath(new URL('./bridge.ts', import.meta.url)),
};

export type Dial = (way: Exclude<Way, { to: 'nobody' }>) => Promise<Socket>;

/**
 * The network of one closed session: a socket for each of its loopback ports, in a directory that
 * its seal alone shows. `place` is short, as the name of a socket has to be: relative to the process.
 */
export class ClosedSession {
  readonly #place: string;
  readonly #dial: Dial;
  readonly #servers = new Map<number, Server | HttpServer>();
  readonly #sockets = new Set<Socket>();
  #rules: NetworkRules = { ports: [], hosts: [] };

  constructor(place: string, dial: Dial) {
    this.#place = place;
    this.#dial = dial;
    mkdirSync(portsPath(place), { recursive: true, mode: 0o700 });
    copyFileSync(BRIDGES.pl, bridgePath(place, 'pl'));
    copyFileSync(BRIDGES.mjs, bridgePath(place, 'mjs'));
  }

  /** The rules that an earlier process had, for a session that outlived it; null for none. */
  static async find(place: string, dial: Dial): Promise<ClosedSession | null> {
    if (!existsSync(rulesPath(place))) return null;
    const kept = networkRules.safeParse(parseJson(readFileSync(rulesPath(place), 'utf8')));
    if (!kept.success) return null;
    const session = new ClosedSession(place, dial);
    await session.rule(kept.data);
    return session;
  }

  get busy(): boolean {
    return this.#sockets.size > 0;
  }

  /** What it reaches from now on. Resolves once it does. */
  async rule(rules: NetworkRules): Promise<void> {
    this.#rules = rules;
    replaceFile(rulesPath(this.#place), JSON.stringify(rules));
    const wanted = [PROXY_PORT, ...rules.ports.map(({ port }) => port)];
    for (const port of this.#servers.keys()) if (!wanted.includes(port)) this.#shut(port);
    await Promise.all(
      wanted.filter((port) => !this.#servers.has(port)).map((port) => this.#open(port)),
    );
  }

  /** Lets it reach more, beside what it reaches. */
  async add({ ports, hosts }: NetworkRules): Promise<void> {
    const added = ports.map(({ port }) => port);
    const others = this.#rules.ports.filter(({ port }) => !added.includes(port));
    const all = [...new Set([...this.#rules.hosts, ...hosts])];
    await this.rule({ ports: [...others, ...ports], hosts: all });
  }

  /** Ends it with everything under way. `forget`: the session is over. */
  close(forget: boolean): void {
    for (const port of this.#servers.keys()) this.#shut(port);
    for (const socket of this.#sockets) socket.destroy();
    if (forget) rmSync(this.#place, { recursive: true, force: true });
  }

  #shut(port: number): void {
    this.#servers.get(port)?.close();
    this.#servers.delete(port);
    rmSync(this.#socketOf(port), { force: true });
  }

  #socketOf(port: number): string {
    return `${portsPath(this.#place)}/${port}`;
  }

  async #open(port: number): Promise<void> {
    const server =
      port === PROXY_PORT
        ? openProxy({
            rules: () => this.#rules,
            dial: this.#dial,
            refused: (host) => noteRefused(refusedPath(this.#place), host),
          })
        : createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) =>
            this.#lead(near, port),
          );
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#servers.set(port, server);
    const path = this.#socketOf(port);
    // One that an earlier process left listens no more.
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  }

  #lead(near: Socket, port: number): void {
    near.on('error', () => near.destroy());
    const way = this.#rules.ports.find((each) => each.port === port);
    if (!way) return void near.destroy();
    this.#dial(way).then(
      (far) => join(near, far),
      () => near.destroy(),
    );
  }
}
