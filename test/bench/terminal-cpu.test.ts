import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cpuShare, parseTicks } from './terminal-cpu.ts';

describe.runIf(process.platform === 'linux')('what a process used of the processor', () => {
  it('is read past a name with parentheses and spaces', () => {
    const stat = '7 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 101 102 103 104 20 0 1 0 999';
    expect(parseTicks(stat)).toEqual({ own: 203, children: 207 });
  });

  it('is more for one that works than for one that waits', async () => {
    const busy = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
    const idle = spawn('sleep', ['30'], { stdio: 'ignore' });
    const share = (pid: number | undefined) => cpuShare(() => [pid ?? -1], 400);
    const [working, waiting] = [await share(busy.pid), await share(idle.pid)];
    busy.kill('SIGKILL');
    idle.kill('SIGKILL');
    expect(working).toBeGreaterThan(waiting);
  });
});
