import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readRunnerConfig } from '../../../runner/config.ts';
import { confirmByName } from '../../../runner/cli/confirm-by-name.ts';
import { EXIT } from '../../../runner/failure.ts';
import { startHost } from '../../../runner/host/host.ts';
import { runCommand, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { temporaryDirectory } from '../host/temporary.ts';

const TOKEN = 'token-of-the-attic-machine';

/** An instance that takes one code; `refuse` has it refuse whatever comes. */
async function anInstance(refuse: string | null = null) {
  const claims: unknown[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      claims.push(JSON.parse(text));
      response.setHeader('content-type', 'application/json');
      response.statusCode = refuse === null ? 201 : 401;
      const error = { code: refuse, message: 'Used.', retryable: false, context: {} };
      response.end(
        JSON.stringify(
          refuse === null
            ? { runnerId: 'run_attic', token: TOKEN }
            : { error: { ...error, requestId: 'r' } },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, claims };
}

describe('pilothouse runner pair', () => {
  const pair = (data: string, ...args: string[]) =>
    runCommand(['runner', 'pair', ...args, '--name', 'attic', '--data', data], {
      PILOTHOUSE_PAIRING_CODE: 'K7QF-2MXD-9PRT',
    });

  it('keeps who the machine is for its owner alone, and runner start goes by that', async () => {
    const { url, claims } = await anInstance();
    const data = temporaryDirectory();
    const done = await pair(data, `${url}/machines`);
    expect(done).toMatchObject({ exitCode: EXIT.ok, stderr: '' });
    expect(done.stdout).toContain('runner start');
    expect(done.stdout).not.toContain(TOKEN);
    expect(claims).toEqual([{ code: 'K7QF-2MXD-9PRT', name: 'attic', runnerId: null }]);
    const file = join(data, 'runner', 'paired.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const config = readRunnerConfig({ PILOTHOUSE_DATA: data, PILOTHOUSE_URL: 'http://other.test' });
    expect(config).toMatchObject({ url, runnerId: 'run_attic', token: TOKEN });
  });

  it('keeps a runner of this machine itself out of the directory', async () => {
    const { url } = await anInstance();
    const data = temporaryDirectory();
    await pair(data, url);
    const begun = startHost(
      {
        dataDirectory: data,
        // Refused before it comes to that: no port is this one.
        port: -1,
        runner: true,
        open: null,
        allowHosts: [],
        commandName: 'pilothouse',
      },
      () => undefined,
    );
    await expect(begun).rejects.toMatchObject({
      code: 'data_in_use',
      message: expect.stringContaining('--no-runner'),
    });
  });

  it('says as whom its directory is paired already, and keeps that where it is refused', async () => {
    const data = temporaryDirectory();
    const first = await anInstance();
    await pair(data, first.url);
    await pair(data, first.url);
    expect(first.claims[1]).toMatchObject({ runnerId: 'run_attic' });
    const other = await anInstance('pairing_used');
    expect(await pair(data, other.url)).toMatchObject({
      exitCode: EXIT.refused,
      stderr: expect.stringContaining('one directory is of one instance'),
    });
    expect(other.claims).toEqual([]);
    expect(readFileSync(join(data, 'runner', 'paired.json'), 'utf8')).toContain(first.url);
  });

  it('leaves nothing behind where the code is refused, or the address is none', async () => {
    const data = temporaryDirectory();
    const { url } = await anInstance('pairing_used');
    expect(await pair(data, url)).toMatchObject({ exitCode: EXIT.refused });
    expect(await pair(data, 'laptop')).toMatchObject({ exitCode: EXIT.usage });
    expect(existsSync(join(data, 'runner', 'paired.json'))).toBe(false);
  });
});

describe('the access of a machine', () => {
  let cloud: FakeCloud;
  beforeEach(async () => {
    cloud = await FakeCloud.listen();
    cloud.runners.push(aRunner('run_1', 'laptop'), aRunner('run_2', 'attic', { revokedAt: 1 }));
  });
  afterEach(() => cloud.close());

  it('is given by a code, with what to run there', async () => {
    const { stdout } = await runOn(cloud, 'runner', 'invite', '--runner', 'attic');
    expect(stdout).toMatch(/^SENT-1NE1-C0DE\n/);
    expect(stdout).toContain(`runner pair ${cloud.url}`);
    expect(cloud.asked.at(-1)).toMatchObject({ path: '/v1/pairings', body: { runnerId: 'run_2' } });
  });

  it('is listed while its code waits, which is withdrawn by whom it lets in', async () => {
    const none = await runOn(cloud, 'runner', 'withdraw');
    expect(none).toMatchObject({
      exitCode: EXIT.refused,
      stderr: expect.stringContaining('runner revoke'),
    });
    await runOn(cloud, 'runner', 'invite');
    await runOn(cloud, 'runner', 'invite', '--runner', 'attic');
    const { stdout } = await runOn(cloud, 'runner', 'invites');
    expect(stdout).toMatch(/run_2 +for attic, good for 10 min\nrun_paired +for a new machine/);
    expect(stdout).not.toContain('SENT');
    const which = await runOn(cloud, 'runner', 'withdraw');
    expect(which).toMatchObject({
      exitCode: EXIT.refused,
      stderr: expect.stringContaining('run_2 (attic), run_paired (a new machine)'),
    });
    const done = await runOn(cloud, 'runner', 'withdraw', 'attic', '--json');
    expect(JSON.parse(done.stdout)).toEqual({ runnerId: 'run_2', withdrawn: true });
    expect((await runOn(cloud, 'runner', 'withdraw')).exitCode).toBe(EXIT.ok);
    expect((await runOn(cloud, 'runner', 'invites')).stdout).toContain('No code waits');
  });

  it('is taken back by a program that says so alone', async () => {
    const unsaid = await runOn(cloud, 'runner', 'revoke', 'laptop');
    expect(unsaid).toMatchObject({
      exitCode: EXIT.usage,
      stderr: expect.stringContaining('Say --yes to do it.'),
    });
    expect(cloud.asked.some(({ method }) => method === 'POST')).toBe(false);
    const said = await runOn(cloud, 'runner', 'revoke', 'laptop', '--yes');
    expect(said).toMatchObject({ exitCode: EXIT.ok });
    expect(said.stdout).toContain('laptop may not come any more. 1 session was ended.');
    expect(cloud.asked.at(-1)).toMatchObject({ path: '/v1/runners/run_1/revoke' });
  });

  it('that was taken back is shown so', async () => {
    expect((await runOn(cloud, 'runner', 'status')).stdout).toMatch(/run_2 +attic +revoked/);
  });

  it.each([
    ['laptop\n', true],
    ['Laptop', false],
    ['', false],
  ])('is taken back by a person who types the name: %j', async (typed, done) => {
    const asked = confirmByName('It ends.', 'laptop', undefined, true, async () => typed);
    if (done) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ code: 'not_confirmed' });
  });
});
