import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../../runner/host/orphans.ts';
import { workerdEnvironment } from '../../../runner/host/workerd.ts';
import { until } from '../../support/until.ts';
import { temporaryDirectory } from './temporary.ts';

const run = promisify(execFile);

/** An executable in workerd's place, and the environment that starts it through the guard. */
function aWorkerd(script: string) {
  const directory = temporaryDirectory();
  const path = join(directory, 'workerd');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const pidFile = join(directory, 'workerd.pid');
  const env = { ...process.env, ...workerdEnvironment(pidFile), PILOTHOUSE_WORKERD: path };
  return { pidFile, env, guard: workerdEnvironment(pidFile)['MINIFLARE_WORKERD_PATH'] ?? '' };
}

describe('the environment of workerd', () => {
  const env = workerdEnvironment('/data/workerd.pid');

  it('has it started through our guard, and the guard can be run', () => {
    expect(env['MINIFLARE_WORKERD_PATH']).toMatch(/runner\/host\/workerd\.sh$/);
    accessSync(env['MINIFLARE_WORKERD_PATH'] ?? '', constants.X_OK);
  });

  it('names an executable that is there and says its version', async () => {
    const { stdout } = await run(env['PILOTHOUSE_WORKERD'] ?? '', ['--version']);
    expect(stdout).toMatch(/^workerd \d{4}-\d{2}-\d{2}/);
  });

  it('tells nobody anything and looks for no location', () => {
    expect(env).toMatchObject({
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
    });
  });
});

describe('the guard of workerd', () => {
  it('passes the arguments on as they are', async () => {
    const { guard, env } = aWorkerd('for each in "$@"; do echo "[$each]"; done');
    const { stdout } = await run(guard, ['serve', '--opt=a b', '', '*', '$HOME'], { env });
    expect(stdout).toBe('[serve]\n[--opt=a b]\n[]\n[*]\n[$HOME]\n');
  });

  it('passes nothing of a person’s environment on, where keys are', async () => {
    const { guard, env } = aWorkerd('env');
    const secret = 'sk-ant-canary-0123456789';
    const { stdout } = await run(guard, [], { env: { ...env, ANTHROPIC_API_KEY: secret } });
    expect(stdout).not.toContain(secret);
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
      .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? ''));
    expect(new Set(names)).toEqual(
      new Set(['PATH', 'PILOTHOUSE_WORKERD_PID_FILE', 'TMPDIR', 'TZ']),
    );
  });

  it('leaves the process id by which the next start finds what a killed host left', async () => {
    const { guard, env, pidFile } = aWorkerd('echo $$');
    const { stdout } = await run(guard, [], { env });
    expect(readFileSync(pidFile, 'utf8')).toBe(stdout);
  });

  it('ends with the exit code of workerd', async () => {
    const { guard, env } = aWorkerd('exit 7');
    await expect(run(guard, [], { env })).rejects.toMatchObject({ code: 7 });
  });

  it('does not end at a Ctrl-C that reaches the whole group', async () => {
    const { guard, env } = aWorkerd('echo ready; sleep 0.5; echo done');
    const child = spawn(guard, [], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const output = text(child.stdout);
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill('SIGINT');
    child.kill('SIGHUP');
    expect(await output).toBe('ready\ndone\n');
  });

  it.skipIf(process.platform !== 'linux')('does not outlive a host that is killed', async () => {
    const { guard, env, pidFile } = aWorkerd('exec sleep 60');
    const script = `require('node:child_process').spawn(${JSON.stringify(guard)}, [], { stdio: 'ignore' });
      process.stdout.write('x'); setInterval(() => undefined, 1000);`;
    const host = spawn(process.execPath, ['-e', script], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    await once(host.stdout, 'data');
    const readPid = () => {
      try {
        return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || null;
      } catch {
        return null;
      }
    };
    const pid = await until('the process id', readPid);
    await until('workerd to be what runs', () =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'),
    );
    host.kill('SIGKILL');
    expect(await until('workerd to end', () => !isAlive(pid))).toBe(true);
  });
});
