import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endProcess, isAlive, reapOrphan } from '../../../runner/host/orphans.ts';
import { temporaryDirectory } from './temporary.ts';

/** A process that says `ready` and stays; `deaf` ones ignore SIGTERM. */
async function aProcess(env: Record<string, string>, deaf = false) {
  const script = `${deaf ? `process.on('SIGTERM', () => undefined);` : ''} process.stdout.write('ready'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, exited: once(child, 'exit') };
}

describe('what a killed host left behind', () => {
  it('is ended when it carries the evidence that it is ours', async () => {
    const pidFile = join(temporaryDirectory(), 'pid');
    const orphan = await aProcess({ OWNER: pidFile });
    writeFileSync(pidFile, `${orphan.pid}\n`);
    expect(await reapOrphan(pidFile, `OWNER=${pidFile}`, 1_000)).toBe(true);
    expect(isAlive(orphan.pid)).toBe(false);
    expect(existsSync(pidFile)).toBe(false);
  });

  it('is left alone when another program has its process id now', async () => {
    const pidFile = join(temporaryDirectory(), 'pid');
    const stranger = await aProcess({});
    writeFileSync(pidFile, String(stranger.pid));
    expect(await reapOrphan(pidFile, `OWNER=${pidFile}`, 1_000)).toBe(false);
    expect(isAlive(stranger.pid)).toBe(true);
    expect(existsSync(pidFile)).toBe(false);
  });

  it.each(['', 'nonsense', '0', '1', '-5', '999999999'])(
    'is nothing for the pid file %j',
    async (content) => {
      const pidFile = join(temporaryDirectory(), 'pid');
      writeFileSync(pidFile, content);
      expect(await reapOrphan(pidFile, 'PATH=', 100)).toBe(false);
    },
  );

  it('is nothing before its process id is written down: a healthy run is kept (L5)', async () => {
    const pidFile = join(temporaryDirectory(), 'pid');
    const run = await aProcess({ OWNER: pidFile });
    expect(await reapOrphan(pidFile, `OWNER=${pidFile}`, 1_000)).toBe(false);
    writeFileSync(pidFile, '');
    expect(await reapOrphan(pidFile, `OWNER=${pidFile}`, 1_000)).toBe(false);
    expect(isAlive(run.pid)).toBe(true);
  });
});

describe('ending a process', () => {
  it('kills one that ignores the request, after its grace', async () => {
    const deaf = await aProcess({}, true);
    const startedAt = performance.now();
    await endProcess(deaf.pid, 200);
    expect(performance.now() - startedAt).toBeGreaterThan(150);
    expect(await deaf.exited).toEqual([null, 'SIGKILL']);
  });

  it('lets one that listens end by itself', async () => {
    const child = await aProcess({});
    await endProcess(child.pid, 5_000);
    expect(await child.exited).toEqual([null, 'SIGTERM']);
  });
});
