import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands in the way of tests with the real git-lfs, to be told where they are skipped. */
export const lfsProblem: string | null = (() => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'git-lfs is not installed: apt-get install git-lfs';
  }
})();

/**
 * A server of Git LFS on loopback (git-lfs, docs/api/batch.md, basic transfers): it takes and gives
 * files by their SHA-256 to whoever has the login, and to nobody else.
 */
export class LfsServer {
  readonly objects = new Map<string, Buffer>();
  readonly login = { username: 'ada', password: 'the-login-of-the-forge' };
  /** Refuses uploads, as a forge that is out of room does. */
  full = false;
  refused = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/lfs`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { username, password } = this.login;
    const right = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (request.headers.authorization !== right) {
      this.refused += 1;
      return void response.writeHead(401, { 'lfs-authenticate': 'Basic realm="lfs"' }).end();
    }
    const oid = /\/files\/([0-9a-f]{64})$/.exec(request.url ?? '')?.[1];
    if (request.url?.endsWith('/objects/batch')) return this.#batch(body, response);
    // No locks are kept here.
    if (oid === undefined) return void response.writeHead(404).end();
    if (request.method === 'GET') return void response.end(this.objects.get(oid));
    const isRight = createHash('sha256').update(body).digest('hex') === oid;
    if (isRight) this.objects.set(oid, body);
    response.writeHead(isRight ? 200 : 422).end();
  }

  #batch(body: Buffer, response: ServerResponse): void {
    const { operation, objects } = JSON.parse(body.toString()) as {
      operation: 'upload' | 'download';
      objects: { oid: string; size: number }[];
    };
    response.setHeader('content-type', 'application/vnd.git-lfs+json');
    if (operation === 'upload' && this.full)
      return void response.writeHead(507).end(JSON.stringify({ message: 'no room is left' }));
    const told = objects.map(({ oid, size }) => {
      const has = this.objects.has(oid);
      if (operation === 'download' && !has)
        return { oid, size, error: { code: 404, message: 'nobody gave it' } };
      const action = { href: `${this.url}/files/${oid}` };
      return operation === 'upload' && has
        ? { oid, size }
        : { oid, size, authenticated: false, actions: { [operation]: action } };
    });
    response.end(JSON.stringify({ transfer: 'basic', objects: told }));
  }
}
