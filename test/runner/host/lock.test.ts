import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock } from '../../../runner/host/lock.ts';
import { temporaryDirectory } from './temporary.ts';

const LOCK_MODULE = new URL('../../../runner/host/lock.ts', import.meta.url).href;

/** A process that holds the lock until it is ended. */
async function holdElsewhere(path: string) {
  const script = `import { acquireLock } from ${JSON.stringify(LOCK_MODULE)};
    globalThis.lock = acquireLock(${JSON.stringify(path)});
    process.stdout.write('held');
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
}

describe('the lock of a data directory', () => {
  it('is taken once', () => {
    const path = join(temporaryDirectory(), 'lock');
    const lock = acquireLock(path);
    expect(lock).not.toBeNull();
    expect(acquireLock(path)).toBeNull();
    lock?.release();
  });

  it('is free again after its release', () => {
    const path = join(temporaryDirectory(), 'lock');
    acquireLock(path)?.release();
    const again = acquireLock(path);
    expect(again).not.toBeNull();
    again?.release();
  });

  it('is refused while another process holds it, and free when that was killed', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const holder = await holdElsewhere(path);
    expect(acquireLock(path)).toBeNull();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lock = acquireLock(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  it('waits for as long as it is told', async () => {
    const path = join(temporaryDirectory(), 'lock');
    await holdElsewhere(path);
    const startedAt = performance.now();
    expect(acquireLock(path, 300)).toBeNull();
    expect(performance.now() - startedAt).toBeGreaterThan(200);
  });
});
