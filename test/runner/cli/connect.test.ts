import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runnerId } from '../../../protocol/ids.ts';
import { connect } from '../../../runner/cli/connect.ts';
import { EXIT, Failure } from '../../../runner/failure.ts';
import { writeInstance } from '../../../runner/host/instance.ts';
import { layoutOf } from '../../../runner/host/layout.ts';
import { runCommand } from '../../support/command-line.ts';
import { FakeCloud } from '../../support/fake-cloud.ts';
import { temporaryDirectory } from '../host/temporary.ts';

const INSTANCE = {
  url: 'http://127.0.0.1:7717',
  pid: 42,
  cliToken: 'from-the-file',
  runnerId: runnerId.parse('run_local'),
};

function aDirectory(url = INSTANCE.url): string {
  const directory = temporaryDirectory();
  writeInstance(layoutOf(directory).instanceFile, { ...INSTANCE, url });
  return directory;
}
const failureOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('finding the instance', () => {
  it('reads the data directory that is named', () => {
    expect(connect({ data: aDirectory() }, {})).toMatchObject({
      url: INSTANCE.url,
      token: 'from-the-file',
      localRunnerId: 'run_local',
    });
  });

  it('reads the data directory of the environment', () => {
    expect(connect({}, { PILOTHOUSE_DATA: aDirectory() }).token).toBe('from-the-file');
  });

  it('takes an address and a token before any directory, and knows no local machine there', () => {
    const env = { PILOTHOUSE_URL: 'http://box:80', PILOTHOUSE_TOKEN: 'of-the-environment' };
    expect(connect({ data: aDirectory() }, env)).toMatchObject({
      url: 'http://box:80',
      token: 'of-the-environment',
      localRunnerId: null,
    });
  });

  it.each([
    { PILOTHOUSE_URL: 'http://box:80' },
    { PILOTHOUSE_TOKEN: 'alone' },
    { PILOTHOUSE_URL: 'http://box:80', PILOTHOUSE_TOKEN: '' },
    { PILOTHOUSE_URL: '', PILOTHOUSE_TOKEN: 'x' },
  ])('does not mix half of the environment with the file: %j', (env) => {
    expect(connect({ data: aDirectory() }, env)).toMatchObject({
      url: INSTANCE.url,
      token: 'from-the-file',
    });
  });

  it('says where it looked and what to do when nothing runs there', () => {
    const data = temporaryDirectory();
    const failure = failureOf(() => connect({ data }, {}));
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      exitCode: EXIT.unreachable,
      code: 'not_running',
      message: expect.stringContaining(`not running on ${data}. Start it with npm start`),
    });
  });

  it('takes a file that is half written for nothing that runs', () => {
    const data = temporaryDirectory();
    writeFileSync(join(data, 'instance.json'), '{"url":"http://127.0.0.1:7717","cliTok');
    expect(failureOf(() => connect({ data }, {}))).toMatchObject({ code: 'not_running' });
  });
});

describe('a command on the instance of a directory', () => {
  it('uses the token that the directory holds', async () => {
    const cloud = await FakeCloud.listen();
    onTestFinished(() => cloud.close());
    const data = temporaryDirectory();
    writeInstance(layoutOf(data).instanceFile, {
      ...INSTANCE,
      url: cloud.url,
      cliToken: cloud.token,
    });
    const { exitCode } = await runCommand(['runner', 'status', '--data', data], {});
    expect(exitCode).toBe(EXIT.ok);
    expect(cloud.asked[0]?.authorization).toBe(`Bearer ${cloud.token}`);
  });
});
