import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../runner/cli/connect.ts';
import { buildParts, CONSOLE_PART, WORKER_PART } from '../../../runner/host/build.ts';
import { readInstance } from '../../../runner/host/instance.ts';
import { isAlive } from '../../../runner/host/orphans.ts';
import { layoutOf, PRODUCT_ROOT } from '../../../runner/host/layout.ts';
import {
  environmentFor,
  runPilothouse,
  signIn,
  startInstallation,
  until,
  type Installation,
} from '../../support/installation.ts';
import { listProcessesOf } from '../../support/processes.ts';
import { temporaryDirectory } from './temporary.ts';

// Several real starts, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const LINUX = process.platform === 'linux';

/** Starts one that is ended with the test, whatever becomes of the test. */
async function start(home: string, args: readonly string[] = []): Promise<Installation> {
  const installation = await startInstallation(home, args);
  onTestFinished(async () => {
    await installation.end('SIGINT').catch(() => undefined);
  });
  return installation;
}

/** One start for the tests of a group whose states do not conflict. */
function sharedInstallation(args: readonly string[] = []): { it: Installation } {
  const shared = {} as { it: Installation };
  const home = mkdtempSync(join(tmpdir(), 'pilothouse-'));
  beforeAll(async () => {
    shared.it = await startInstallation(home, args);
  });
  afterAll(async () => {
    await shared.it?.end('SIGINT').catch(() => undefined);
    rmSync(home, { recursive: true, force: true });
  });
  return shared;
}

// Asked of the API: a process for each look would take most of the time.
const listRunners = ({ env }: Installation) => connect({}, env).api.listRunners();
const presence = async (installation: Installation) =>
  (await listRunners(installation).catch(() => []))[0]?.presence;

/** Ends an installation and tells what is left of it. */
async function end(installation: Installation, signal: 'SIGINT' | 'SIGTERM') {
  const before = LINUX ? listProcessesOf(installation.data).length : 3;
  const exitCode = await installation.end(signal);
  return {
    processesBefore: before,
    exitCode,
    processes: LINUX ? listProcessesOf(installation.data) : [],
    instance: readInstance(layoutOf(installation.data).instanceFile),
    answers: await fetch(installation.url).then(
      () => true,
      () => false,
    ),
  };
}
const GONE = { exitCode: 0, processes: [], instance: null, answers: false };
const pidIn = (path: string) => Number.parseInt(readFileSync(path, 'utf8'), 10);

// What is built is built before the first test, so that no test's time depends on it.
beforeAll(() => buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]));

describe('starting', () => {
  it('says with --help what can be chosen', async () => {
    const { exitCode, stdout, stderr } = await runPilothouse(['up', '--help'], environmentFor('/'));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const option of ['--port', '--data', '--no-runner', '--host', '--allow-host']) {
      expect(stdout).toContain(option);
    }
  });
});

describe('an installation without a runner', () => {
  const outside = LINUX ? ['--host', '127.0.0.2'] : [];
  const shared = sharedInstallation(['--no-runner', '--allow-host', 'box.example', ...outside]);

  it('keeps what holds a token for its owner alone', () => {
    const layout = layoutOf(shared.it.data);
    expect(statSync(layout.root).mode & 0o777).toBe(0o700);
    expect(statSync(layout.instanceFile).mode & 0o777).toBe(0o600);
    expect(statSync(layout.identityFile).mode & 0o777).toBe(0o600);
  });

  it('registers none', async () => {
    expect(await listRunners(shared.it)).toEqual([]);
    expect(existsSync(layoutOf(shared.it.data).runnerPidFile)).toBe(false);
  });

  it('refuses another host name, and answers to one that was allowed', async () => {
    expect(await statusFor(shared.it, 'evil.example')).toBe(403);
    expect(await statusFor(shared.it, 'box.example')).toBe(200);
  });

  it.skipIf(!LINUX)(
    'opens another address on purpose, with a warning and a code to scan',
    async () => {
      await shared.it.printed(/Scan to sign in on a phone/);
      expect(shared.it.output()).toMatch(
        /also open at http:\/\/127\.0\.0\.2:\d+: everyone on that network/,
      );
      expect(shared.it.output()).toMatch(/[▀▄█]{10}/);
      const opened = shared.it.url.replace('127.0.0.1', '127.0.0.2');
      expect((await fetch(new URL('/v1/health', opened))).status).toBe(200);
    },
  );

  it('says to a second start on its data that it runs there, and goes on', async () => {
    const { data, url, pid, env } = shared.it;
    const second = await runPilothouse(['up', '--port', '0'], env);
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toBe(
      `Pilothouse already runs on ${data}, at ${url} (process ${pid}). Use that one: \`pilothouse link\` prints a sign-in link. Or start another with --data DIRECTORY --port PORT.\n`,
    );
    expect((await fetch(new URL('/v1/health', url))).status).toBe(200);
  });
});

describe('starting where that is not possible', () => {
  it('names a busy port and the option that helps', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const home = temporaryDirectory();
    const { exitCode, stderr } = await runPilothouse(
      ['up', '--port', String(port), '--data', join(home, 'data')],
      environmentFor(home),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^Port ${port} on 127.0.0.1 is used by another program\\. .*--port ${port + 1}\\n$`,
      ),
    );
  });

  it('says that the data directory cannot be written', async () => {
    const home = temporaryDirectory();
    writeFileSync(join(home, 'file'), '');
    const data = join(home, 'file', 'data');
    const { exitCode, stderr } = await runPilothouse(['up', '--data', data], environmentFor(home));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The data directory .* cannot be written .*--data DIRECTORY\n$/);
  });

  it.each([
    [['--port', 'http']],
    [['--port', '70000']],
    [['--allow-host', 'https://box.example/']],
    [['--unknown']],
  ])('refuses %j as wrong usage', async (args) => {
    const { exitCode, stderr } = await runPilothouse(['up', ...args], environmentFor('/'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: /);
  });
});

// In order: each test goes on with what the one before left.
describe('an installation with a runner', () => {
  const shared = sharedInstallation();

  it('serves the console, prints the engines and a link that signs in once', async () => {
    const page = await fetch(shared.it.url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    const first = await signIn(shared.it);
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/i);
    expect((await signIn(shared.it)).status).toBe(401);
    await shared.it.printed(/Rehearsal\s+\S+/);
  });

  it.skipIf(!LINUX)('starts a workerd that died again, with its data', async () => {
    const { workerdPidFile } = layoutOf(shared.it.data);
    const killed = pidIn(workerdPidFile);
    process.kill(killed, 'SIGKILL');
    await until(async () => (await presence(shared.it)) === 'online', 'the runner is linked again');
    expect(pidIn(workerdPidFile)).not.toBe(killed);
  });

  it.skipIf(!LINUX)('starts a runner that died again, and links it', async () => {
    const { runnerPidFile } = layoutOf(shared.it.data);
    const killed = pidIn(runnerPidFile);
    process.kill(killed, 'SIGKILL');
    const other = () => existsSync(runnerPidFile) && pidIn(runnerPidFile) !== killed;
    await until(other, 'there is another runner');
    await until(async () => (await presence(shared.it)) === 'online', 'it is linked');
    expect(isAlive(killed)).toBe(false);
  });

  it.skipIf(!LINUX)('leaves no process and no instance when it is ended by SIGTERM', async () => {
    const { processesBefore, ...left } = await end(shared.it, 'SIGTERM');
    expect(processesBefore).toBeGreaterThanOrEqual(3);
    expect(left).toEqual(GONE);
  });
});

describe('starting again', () => {
  it('finds everything as it was, after a stop by SIGINT that left no process', async () => {
    const home = temporaryDirectory();
    const before = await start(home);
    await before.printed(/Engines on this machine/);
    const [runner] = await listRunners(before);
    const launched = await runPilothouse(
      ['launch', '--engine', 'rehearsal', '--json', 'Keep this'],
      before.env,
    );
    const { sessionId } = JSON.parse(launched.stdout) as { sessionId: string };
    expect(await end(before, 'SIGINT')).toMatchObject(GONE);

    const after = await start(home);
    await after.printed(/Engines on this machine/);
    const { stdout } = await runPilothouse(['sessions', 'show', sessionId, '--json'], after.env);
    expect(JSON.parse(stdout)).toMatchObject({ summary: { sessionId, title: 'Keep this' } });
    expect((await listRunners(after)).map(({ runnerId }) => runnerId)).toEqual([runner?.runnerId]);
    if (!LINUX) return;

    await after.end('SIGKILL');
    await until(
      () => listProcessesOf(after.data).length === 0,
      'workerd and the runner ended by themselves',
    );
    expect(readInstance(layoutOf(after.data).instanceFile)).not.toBeNull();
    const last = await start(home);
    expect((await fetch(new URL('/v1/health', last.url))).status).toBe(200);
    expect(await listRunners(last)).toHaveLength(1);
  });

  it.skipIf(!LINUX)(
    'is possible after an end in the middle of a start, which left nothing',
    async () => {
      const home = temporaryDirectory();
      const data = join(home, 'data');
      const starting = startInstallation(home).catch((error: unknown) => error);
      await until(() => listProcessesOf(data).length > 1, 'workerd is being started');
      process.kill(Math.min(...listProcessesOf(data)), 'SIGTERM');
      await starting;
      await until(() => listProcessesOf(data).length === 0, 'everything has ended');
      expect(readInstance(layoutOf(data).instanceFile)).toBeNull();
    },
  );
});

/** The status for a request that names another host, which `fetch` does not let us send. */
function statusFor(installation: Installation, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL('/v1/health', installation.url),
      { headers: { host } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    asked.once('error', reject);
    asked.end();
  });
}
