import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../../runner/host/orphans.ts';
import { superviseRunner } from '../../../runner/host/runner-process.ts';
import { FakeRelay } from '../../support/fake-relay.ts';
import { until } from '../../support/until.ts';
import { temporaryDirectory } from './temporary.ts';

/** A runner that is kept running, against a relay of its own. */
async function aRunner(over: Record<string, string> = {}) {
  const home = temporaryDirectory();
  const relay = await FakeRelay.listen();
  const pidFile = join(home, 'runner.pid');
  let log = '';
  const runner = superviseRunner({
    env: {
      HOME: home,
      PILOTHOUSE_URL: relay.url,
      PILOTHOUSE_DATA: join(home, 'data'),
      PILOTHOUSE_RUNNER_ID: 'run_1',
      PILOTHOUSE_RUNNER_TOKEN: 'token-of-the-runner',
      ...over,
    },
    pidFile,
    log: (text) => {
      log += text;
    },
  });
  onTestFinished(async () => {
    await runner.stop();
    await relay.close();
  });
  const readPid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : null);
  return { relay, runner, pidFile, readPid, log: () => log };
}

describe('a runner that is kept running', () => {
  it('says hello with its own token, and leaves its process id', async () => {
    const { relay, readPid } = await aRunner();
    await until('a hello', () => relay.hellos.length > 0);
    expect(relay.hellos[0]?.runnerId).toBe('run_1');
    expect(relay.tokens[0]).toBe('Bearer token-of-the-runner');
    expect(isAlive(readPid() ?? 0)).toBe(true);
  });

  it('brings its token in the environment: no user of the machine reads it in a list', async () => {
    const { relay, readPid } = await aRunner();
    await until('a hello', () => relay.hellos.length > 0);
    if (process.platform !== 'linux') return;
    expect(readFileSync(`/proc/${readPid()}/cmdline`, 'utf8')).not.toContain('token-of-the-runner');
  });

  it('is started again when it was killed, and says hello again', async () => {
    const { relay, readPid, log } = await aRunner();
    await until('a hello', () => relay.hellos.length > 0);
    const first = readPid() ?? 0;
    process.kill(first, 'SIGKILL');
    await until('a second hello', () => relay.hellos.length > 1);
    expect(readPid()).not.toBe(first);
    expect(log()).toContain('the runner ended (SIGKILL); starting it again in 250 ms\n');
  });

  it('that does not answer for a while is neither replaced nor killed (L6)', async () => {
    const { relay, readPid, log } = await aRunner();
    await until('a hello', () => relay.hellos.length > 0);
    const pid = readPid() ?? 0;
    process.kill(pid, 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    process.kill(pid, 'SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isAlive(pid)).toBe(true);
    expect(readPid()).toBe(pid);
    expect(log()).not.toContain('starting it again');
  });

  it('is ended by a stop, leaves no process id, and is not started again', async () => {
    const { relay, runner, readPid, pidFile } = await aRunner();
    await until('a hello', () => relay.hellos.length > 0);
    const pid = readPid() ?? 0;
    await runner.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(pidFile)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(existsSync(pidFile)).toBe(false);
  });

  it('may be stopped twice, and while it waits to be started again', async () => {
    const { runner, log, pidFile } = await aRunner({ PILOTHOUSE_RUNNER_ID: 'nobody' });
    await until('an end', () => log().includes('starting it again'));
    await runner.stop();
    await runner.stop();
    const told = log();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(log()).toBe(told);
    expect(existsSync(pidFile)).toBe(false);
  });

  it('that cannot run says why in the log, each time it is tried', async () => {
    const { log } = await aRunner({ PILOTHOUSE_RUNNER_ID: 'nobody' });
    await until('two ends', () => log().split('starting it again').length > 2);
    expect(log()).toMatch(/PILOTHOUSE_RUNNER_ID/);
    expect(log()).toMatch(/again in 250 ms[\s\S]*again in 500 ms/);
  });
});
