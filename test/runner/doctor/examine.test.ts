import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runnerId as runnerIdSchema } from '../../../protocol/ids.ts';
import { doctorReport, type DoctorFinding } from '../../../protocol/machine.ts';
import { runDoctor } from '../../../runner/doctor/doctor.ts';
import { EXIT } from '../../../runner/failure.ts';
import { writeInstance } from '../../../runner/host/instance.ts';
import { layoutOf } from '../../../runner/host/layout.ts';
import { runCommand } from '../../support/command-line.ts';
import { FakeCloud } from '../../support/fake-cloud.ts';
import { temporaryDirectory } from '../host/temporary.ts';

/** The environment of a person with an empty home directory. */
function aHome(): { home: string; data: string; env: NodeJS.ProcessEnv } {
  const home = temporaryDirectory();
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  return { home, data, env: { HOME: home, PATH: process.env['PATH'], PILOTHOUSE_DATA: data } };
}
const of = (findings: readonly DoctorFinding[], check: string) =>
  findings.find((finding) => finding.check === check);

describe('examining this machine', () => {
  it('looks at everything and changes nothing', async () => {
    const { env } = aHome();
    const before = { ...env };
    const report = doctorReport.parse(await runDoctor(env));
    expect(env).toEqual(before);
    const checks = report.findings.map(({ check }) => check);
    for (const check of ['system', 'git', 'data', 'disk', 'limits', 'link', 'engine rehearsal'])
      expect(checks).toContain(check);
    expect(new Set(checks).size).toBe(checks.length);
    expect(checks[0]).toBe('system');
  });

  it('warns of a data directory that others can look into', async () => {
    const { data, env } = aHome();
    chmodSync(data, 0o755);
    expect(of((await runDoctor(env)).findings, 'data')).toMatchObject({
      status: 'warning',
      remedy: `\`chmod 700 ${data}\``,
    });
  });

  it('takes the free space of the nearest directory that is there', async () => {
    const { data, env } = aHome();
    const far = join(data, 'not', 'yet', 'there');
    const { findings } = await runDoctor({ ...env, PILOTHOUSE_DATA: far });
    expect(of(findings, 'disk')?.message).toContain(`GiB free at ${far}`);
    expect(of(findings, 'data')?.message).toContain('is made at the first start');
  });

  it('names the file of limits that it read', async () => {
    const { home, env } = aHome();
    const file = join(home, 'limits.toml');
    writeFileSync(file, 'bypass = false\n');
    const { findings } = await runDoctor({ ...env, PILOTHOUSE_LIMITS: file });
    expect(of(findings, 'limits')).toMatchObject({
      status: 'ok',
      message: `${file} is read and holds.`,
    });
  });
});

describe('the instance that this machine works for', () => {
  /** A real server that answers `/v1/health` with this. */
  const serve = async (body: string, status = 200) => {
    const cloud = await FakeCloud.listen();
    onTestFinished(() => cloud.close());
    cloud.garble(/health/, body, status);
    return cloud.url;
  };

  it('is found by the file in the data directory', async () => {
    const { data, env } = aHome();
    const url = await serve('{"ok":true,"version":"9.9.9"}');
    writeInstance(layoutOf(data).instanceFile, { url, pid: 1, cliToken: 't', runnerId: null });
    expect(of((await runDoctor(env)).findings, 'link')).toMatchObject({
      status: 'ok',
      message: `${url} answers, version 9.9.9`,
    });
  });

  it('is that of the environment before that of the file', async () => {
    const { data, env } = aHome();
    const url = await serve('{"ok":true,"version":"9.9.9"}');
    writeInstance(layoutOf(data).instanceFile, {
      url: 'http://127.0.0.1:1',
      pid: 1,
      cliToken: 't',
      runnerId: null,
    });
    const { findings } = await runDoctor({ ...env, PILOTHOUSE_URL: url });
    expect(of(findings, 'link')?.status).toBe('ok');
  });

  it.each(['<html>', '{}', '{"ok":false,"version":"1"}', '{"ok":true}'])(
    'does not answer when it says %j',
    async (body) => {
      const { env } = aHome();
      const url = await serve(body);
      const { findings } = await runDoctor({ ...env, PILOTHOUSE_URL: url });
      expect(of(findings, 'link')?.status).toBe('problem');
    },
  );
});

describe('the runner that the instance here keeps', () => {
  const findRunner = async (
    hostPid: number,
    runner: 'run_here' | null,
    runnerPid: number | null,
  ) => {
    const { data, env } = aHome();
    const { instanceFile, runnerPidFile } = layoutOf(data);
    const runnerId = runner && runnerIdSchema.parse(runner);
    writeInstance(instanceFile, { url: 'http://x', pid: hostPid, cliToken: 't', runnerId });
    if (runnerPid !== null) writeFileSync(runnerPidFile, String(runnerPid));
    return of((await runDoctor(env)).findings, 'runner');
  };

  it('is a problem when it has ended, with the log that tells why', async () => {
    expect(await findRunner(process.pid, 'run_here', process.pid)).toMatchObject({ status: 'ok' });
    const ended = await findRunner(process.pid, 'run_here', null);
    expect(ended).toMatchObject({ status: 'problem' });
    expect(ended?.remedy).toMatch(/runner\.log/);
  });

  it('is not missed where there is none to keep', async () => {
    expect(await findRunner(process.pid, null, null)).toBeUndefined();
    expect(await findRunner(2 ** 30, 'run_here', null)).toBeUndefined();
  });
});

describe('pilothouse runner doctor', () => {
  it('ends with 0 and the report for a person, who gets a verdict', async () => {
    const { data, env } = aHome();
    const { exitCode, stdout, stderr } = await runCommand(['runner', 'doctor', '--data', data], {
      HOME: env['HOME'],
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.ok, stderr: '' });
    expect(stdout).toMatch(/^✓ system +linux|^✓ system +macOS/);
    expect(stdout).toMatch(
      /\n\n(No problems\.|\d+ warnings?; nothing keeps sessions from running\.)\n$/,
    );
  });

  it('ends with 1 and says nothing more than its report when there is a problem', async () => {
    const { data, env } = aHome();
    const ended = await runCommand(['runner', 'doctor', '--data', data, '--json'], {
      HOME: env['HOME'],
      PILOTHOUSE_URL: 'http://127.0.0.1:1',
    });
    expect({ exitCode: ended.exitCode, stderr: ended.stderr }).toEqual({
      exitCode: EXIT.failed,
      stderr: '',
    });
    const { findings } = doctorReport.parse(JSON.parse(ended.stdout));
    expect(of(findings, 'link')?.status).toBe('problem');
  });
});
