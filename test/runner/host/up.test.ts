import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildParts, CONSOLE_PART, WORKER_PART } from '../../../runner/host/build.ts';
import { readInstance } from '../../../runner/host/instance.ts';
import { isAlive } from '../../../runner/host/orphans.ts';
import { layoutOf, PRODUCT_ROOT } from '../../../runner/host/layout.ts';
import {
  environmentFor,
  listProcessesOf,
  runPilothouse,
  signIn,
  startInstallation,
  until,
  type Installation,
} from '../../support/installation.ts';
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
const listRunners = async (installation: Installation) => {
  const { stdout } = await runPilothouse(['runner', 'status', '--json'], installation.env);
  return (JSON.parse(stdout) as { items: { runnerId: string; presence: string }[] }).items;
};
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

  it('serves the console, prints the engines and a link that signs in once', async () => {
    const installation = await start(temporaryDirectory());
    const page = await fetch(installation.url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    const first = await signIn(installation);
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/i);
    expect((await signIn(installation)).status).toBe(401);
    await installation.printed(/Rehearsal\s+\S+/);
  });

  it('keeps what holds a token for its owner alone', async () => {
    const { data } = await start(temporaryDirectory(), ['--no-runner']);
    const layout = layoutOf(data);
    expect(statSync(layout.root).mode & 0o777).toBe(0o700);
    expect(statSync(layout.instanceFile).mode & 0o777).toBe(0o600);
    expect(statSync(layout.identityFile).mode & 0o777).toBe(0o600);
  });

  it('registers no runner with --no-runner', async () => {
    const installation = await start(temporaryDirectory(), ['--no-runner']);
    expect(await listRunners(installation)).toEqual([]);
    expect(existsSync(layoutOf(installation.data).runnerPidFile)).toBe(false);
  });

  it('refuses another host name, and answers to one that was allowed', async () => {
    const installation = await start(temporaryDirectory(), [
      '--no-runner',
      '--allow-host',
      'box.example',
    ]);
    expect(await statusFor(installation, 'evil.example')).toBe(403);
    expect(await statusFor(installation, 'box.example')).toBe(200);
  });

  it.skipIf(!LINUX)(
    'opens another address on purpose, with a warning and a code to scan',
    async () => {
      const installation = await start(temporaryDirectory(), [
        '--no-runner',
        '--host',
        '127.0.0.2',
      ]);
      await installation.printed(/Scan to sign in on a phone/);
      expect(installation.output()).toMatch(
        /also open at http:\/\/127\.0\.0\.2:\d+: everyone on that network/,
      );
      expect(installation.output()).toMatch(/[▀▄█]{10}/);
      const opened = installation.url.replace('127.0.0.1', '127.0.0.2');
      expect((await fetch(new URL('/v1/health', opened))).status).toBe(200);
    },
  );
});

describe('starting where that is not possible', () => {
  it('says which installation already runs on the data, and leaves it alone', async () => {
    const home = temporaryDirectory();
    const installation = await start(home, ['--no-runner']);
    const second = await runPilothouse(['up', '--port', '0'], installation.env);
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toBe(
      `Pilothouse already runs on ${installation.data}, at ${installation.url} (process ${installation.pid}). Use that one: \`pilothouse link\` prints a sign-in link. Or start another with --data DIRECTORY --port PORT.\n`,
    );
    expect((await fetch(new URL('/v1/health', installation.url))).status).toBe(200);
  });

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

describe.skipIf(!LINUX)('stopping', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s leaves no process and no instance',
    async (signal) => {
      const installation = await start(temporaryDirectory());
      await installation.printed(/Engines on this machine/);
      expect(listProcessesOf(installation.data).length).toBeGreaterThanOrEqual(3);
      expect(await installation.end(signal)).toBe(0);
      expect(listProcessesOf(installation.data)).toEqual([]);
      expect(readInstance(layoutOf(installation.data).instanceFile)).toBeNull();
      await expect(fetch(installation.url)).rejects.toThrow(/fetch failed/);
    },
  );

  it('in the middle of a start leaves nothing either', async () => {
    const home = temporaryDirectory();
    const data = join(home, 'data');
    const starting = startInstallation(home).catch((error: unknown) => error);
    await until(() => listProcessesOf(data).length > 1, 'workerd is being started');
    process.kill(Math.min(...listProcessesOf(data)), 'SIGTERM');
    await starting;
    await until(() => listProcessesOf(data).length === 0, 'everything has ended');
    expect(readInstance(layoutOf(data).instanceFile)).toBeNull();
  });
});

describe('starting again', () => {
  it('finds everything as it was', async () => {
    const home = temporaryDirectory();
    const before = await start(home);
    await before.printed(/Engines on this machine/);
    const [runner] = await listRunners(before);
    const launched = await runPilothouse(
      ['launch', '--engine', 'rehearsal', '--json', 'Keep this'],
      before.env,
    );
    const { sessionId } = JSON.parse(launched.stdout) as { sessionId: string };
    expect(await before.end('SIGINT')).toBe(0);

    const after = await start(home);
    await after.printed(/Engines on this machine/);
    const { stdout } = await runPilothouse(['sessions', 'show', sessionId, '--json'], after.env);
    expect(JSON.parse(stdout)).toMatchObject({ summary: { sessionId, title: 'Keep this' } });
    expect((await listRunners(after)).map(({ runnerId }) => runnerId)).toEqual([runner?.runnerId]);
  });

  it.skipIf(!LINUX)('works after the host was killed, and nothing of it outlives it', async () => {
    const home = temporaryDirectory();
    const before = await start(home);
    await before.printed(/Engines on this machine/);
    await before.end('SIGKILL');
    await until(
      () => listProcessesOf(before.data).length === 0,
      'workerd and the runner ended by themselves',
    );
    expect(readInstance(layoutOf(before.data).instanceFile)).not.toBeNull();

    const after = await start(home);
    expect((await fetch(new URL('/v1/health', after.url))).status).toBe(200);
    expect(await listRunners(after)).toHaveLength(1);
  });
});

describe.skipIf(!LINUX)('a part that dies by itself', () => {
  it('workerd: is started again, with its data', async () => {
    const installation = await start(temporaryDirectory());
    await installation.printed(/Engines on this machine/);
    const killed = pidIn(layoutOf(installation.data).workerdPidFile);
    process.kill(killed, 'SIGKILL');
    const { workerdPidFile } = layoutOf(installation.data);
    const presence = async () => (await listRunners(installation).catch(() => []))[0]?.presence;
    await until(async () => (await presence()) === 'online', 'the runner is linked again');
    expect(pidIn(workerdPidFile)).not.toBe(killed);
  });

  it('the runner: is started again and linked again', async () => {
    const installation = await start(temporaryDirectory());
    await installation.printed(/Engines on this machine/);
    const { runnerPidFile } = layoutOf(installation.data);
    const killed = pidIn(runnerPidFile);
    process.kill(killed, 'SIGKILL');
    const other = () => existsSync(runnerPidFile) && pidIn(runnerPidFile) !== killed;
    await until(other, 'there is another runner');
    const presence = async () => (await listRunners(installation))[0]?.presence;
    await until(async () => (await presence()) === 'online', 'it is linked');
    expect(isAlive(killed)).toBe(false);
  });
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
