import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** In scripts, where the far end is: its own address comes in its place. */
export const FAR_ADDRESS = 'http://far.invalid';
const LOGIN = 'far-login-3f9d1c72';
const DONE = 'done';

/** Where each command line keeps its login below a home, and the variable that moves it. */
const LOGINS: Readonly<Record<string, readonly [path: string, variable: string]>> = {
  gh: ['.config/gh/hosts.yml', 'GH_CONFIG_DIR'],
  glab: ['.config/glab-cli/config.yml', 'GLAB_CONFIG_DIR'],
  wrangler: ['.config/.wrangler/default.toml', 'WRANGLER_HOME'],
  kubectl: ['.kube/config', 'KUBE_HOME'],
  helm: ['.kube/config', 'KUBE_HOME'],
  terraform: ['.terraform.d/credentials.tfrc.json', 'TF_HOME'],
  docker: ['.docker/config.json', 'DOCKER_CONFIG'],
  fly: ['.fly/config.yml', 'FLY_CONFIG_DIR'],
};

/** A command line that sends what it was told, with the login of whoever runs it. */
const programOf = (name: string, url: string): string => {
  const [path = '', variable = ''] = LOGINS[name] ?? [];
  return `#!/bin/sh
login=$(cat "\${${variable}:-$HOME/${dirname(path)}}/${path.split('/').at(-1)}" 2>/dev/null)
[ -n "$login" ] || { echo "${name}: not logged in" >&2; exit 1; }
exec curl -sf --max-time 30 -H "authorization: Bearer $login" --data-urlencode "${name}=$*" ${url}/${name}
`;
};

/**
 * A forge, a cloud and a registry on loopback, and command lines by which a person with a login
 * tells them what to do. What comes with the login is done and kept; all else is refused.
 */
export class FarEnd {
  readonly tools: string;
  readonly url: string;
  readonly #directory: string;
  readonly #server: Worker;
  readonly #path = process.env['PATH'] ?? '';

  private constructor(directory: string, server: Worker, port: number) {
    this.#directory = directory;
    this.#server = server;
    this.tools = join(directory, 'tools');
    this.url = `http://127.0.0.1:${port}`;
    mkdirSync(this.tools);
    for (const name of Object.keys(LOGINS))
      writeFileSync(join(this.tools, name), programOf(name, this.url), { mode: 0o755 });
    process.env['PATH'] = `${this.tools}${delimiter}${this.#path}`;
  }

  /** Listens, and puts its command lines first on the `PATH` of this process and what it starts. */
  static async start(): Promise<FarEnd> {
    const directory = mkdtempSync(join(tmpdir(), 'far-end-'));
    const file = join(directory, DONE);
    writeFileSync(file, '');
    const server = new Worker(new URL('far-server.ts', import.meta.url), {
      workerData: { file, login: LOGIN },
    });
    const [port] = (await once(server, 'message')) as [number];
    return new FarEnd(directory, server, port);
  }

  /** What it was told with the login, a line each: method, path and what was sent. */
  get done(): string[] {
    return readFileSync(join(this.#directory, DONE), 'utf8').split('\n').filter(Boolean);
  }

  /** What was done that names a thing. */
  doneTo(thing: string): string[] {
    const named = new RegExp(`(?<![\\w-])${thing}(?![\\w-])`);
    return this.done.filter((each) => named.test(each));
  }

  /** Logs a person in: their home has the logins of every command line, and npm's own. */
  logIn(home: string): void {
    const files = [
      ...Object.values(LOGINS).map(([path]) => [path, LOGIN] as const),
      ['.npmrc', `//${new URL(this.url).host}/:_authToken=${LOGIN}\n`] as const,
    ];
    for (const [path, text] of files) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text, { mode: 0o600 });
    }
  }

  /** A script of the ways to get here, with its address in it. */
  addressed(script: string): string {
    return script.replaceAll(FAR_ADDRESS, this.url);
  }

  async close(): Promise<void> {
    process.env['PATH'] = this.#path;
    await this.#server.terminate();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
