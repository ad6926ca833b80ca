import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealedArgv } from '../../../runner/seal/argv.ts';
import {
  openEnvironment,
  powerlessEnvironment,
  sealedEnvironment,
} from '../../../runner/seal/environment.ts';
import { cacheDirectory, privatePathOf } from '../../../runner/seal/places.ts';
import { toolchainOf, type Ground } from '../../../runner/seal/toolchain.ts';
import { decideEngine } from '../../../runner/process/terminate.ts';

describe('the command line of a seal', () => {
  it('is this, for this room', () => {
    const argv = sealedArgv(
      {
        bubblewrap: '/usr/bin/bwrap',
        uid: 1000,
        gid: 100,
        directory: '/d/checkouts/ses_1/sub',
        network: null,
        mounts: [
          { kind: 'show', from: '/usr' },
          { kind: 'link', to: 'usr/bin', at: '/bin' },
          { kind: 'empty', at: '/run' },
          { kind: 'give', from: '/d/seals/ses_1/tmp', at: '/tmp' },
          { kind: 'give', from: '/d/checkouts/ses_1' },
        ],
      },
      ['/usr/bin/engine', '--flag', 'a b'],
    );
    expect(argv.join(' ')).toBe(
      '/usr/bin/bwrap --unshare-user --unshare-pid --unshare-ipc --uid 1000 --gid 100 --proc /proc --dev /dev ' +
        '--ro-bind /usr /usr --symlink usr/bin /bin --tmpfs /run --bind /d/seals/ses_1/tmp /tmp ' +
        '--bind /d/checkouts/ses_1 /d/checkouts/ses_1 --remount-ro / --chdir /d/checkouts/ses_1/sub ' +
        '-- /usr/bin/engine --flag a b',
    );
    expect(argv.at(-1)).toBe('a b');
  });

  it('has a network of its own where there is one, and runs nothing without it', () => {
    const network = { ports: '/d/egress/ses_1/ports', node: '/usr/bin/node' };
    const room = { bubblewrap: '/usr/bin/bwrap', uid: 1000, gid: 100, directory: '/w' };
    const argv = sealedArgv({ ...room, mounts: [], network }, ['/usr/bin/engine', 'a b']);
    expect(argv).toContain('--unshare-net');
    expect(argv.join(' ')).toContain('--ro-bind /d/egress/ses_1/ports /run/ports --remount-ro /');
    const inside = argv.slice(argv.indexOf('--') + 1);
    expect(inside.slice(0, 2)).toEqual(['/bin/sh', '-c']);
    expect(inside.slice(3)).toEqual([
      '/usr/bin/node',
      '/run/ports/bridge',
      '/usr/bin/engine',
      'a b',
    ]);
    const [shell = '', ...args] = inside;
    const run = (node: string) => spawnSync(shell, [...args.slice(0, 2), node, 'x', 'echo', 'RAN']);
    // Something that says "open" by the third descriptor, and something that does not.
    const fake = join(mkdtempSync(join(tmpdir(), 'pilothouse-bridge-')), 'node');
    writeFileSync(fake, '#!/bin/sh\nprintf open >&3\n', { mode: 0o700 });
    expect(String(run(fake).stdout)).toBe('RAN\n');
    const without = run('/bin/false');
    expect(without.status).toBe(71);
    expect(String(without.stdout)).toBe('');
    expect(String(without.stderr)).toContain('could not be opened');
  });
});

const ENV = {
  PATH: '/usr/bin',
  HOME: '/home/ada',
  HTTPS_PROXY: 'http://proxy:3128',
  ANTHROPIC_API_KEY: 'k',
  GITHUB_TOKEN: 'k',
  AWS_SECRET_ACCESS_KEY: 'k',
  SSH_AUTH_SOCK: '/run/a',
  GIT_SSH_COMMAND: 'ssh -i key',
  TMUX: '/tmp/tmux',
  TMPDIR: '/var/folders/x',
  XDG_RUNTIME_DIR: '/run/user/1',
  DATABASE_PASSWORD: 'k',
};
const KEPT = { engine: ['ANTHROPIC_API_KEY', 'GITHUB_TOKEN'], person: ['DATABASE_PASSWORD'] };
const ORDINARY = {
  PATH: '/usr/bin',
  HOME: '/home/ada',
  HTTPS_PROXY: 'http://proxy:3128',
  ANTHROPIC_API_KEY: 'k',
  DATABASE_PASSWORD: 'k',
};

describe('the environment of a session without power', () => {
  it('keeps settings and the engine’s own credential, and loses what is power', () => {
    expect(sealedEnvironment(ENV, KEPT)).toEqual(ORDINARY);
  });

  it('keeps the places of the machine where there is no seal', () => {
    expect(powerlessEnvironment(ENV, KEPT)).toEqual({
      ...ORDINARY,
      TMPDIR: '/var/folders/x',
      XDG_RUNTIME_DIR: '/run/user/1',
    });
  });

  it('has the token of a forge only where a person named it, not because an engine could use it', () => {
    const { GITHUB_TOKEN } = powerlessEnvironment(ENV, { engine: [], person: ['GITHUB_TOKEN'] });
    expect(GITHUB_TOKEN).toBe('k');
  });
});

describe('the environment of an open session', () => {
  it('is the person’s own, but that its git works in no other repository than it stands in', () => {
    const own = {
      GIT_AUTHOR_NAME: 'Ada',
      GIT_SSH_COMMAND: 'ssh -x',
      GITHUB_TOKEN: 'k',
      PATH: '/bin',
    };
    const other = mkdtempSync(join(tmpdir(), 'pilothouse-other-'));
    spawnSync('git', ['init', '-q', other]);
    const there = { GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: 'x' };
    expect(openEnvironment({ ...own, ...there })).toEqual(own);
    const here = mkdtempSync(join(tmpdir(), 'pilothouse-here-'));
    spawnSync('git', ['init', '-q', here]);
    const top = (env: Record<string, string>) => {
      const args = ['rev-parse', '--show-toplevel'];
      const run = spawnSync('git', args, { cwd: here, env, encoding: 'utf8' });
      return run.stdout.trim();
    };
    const env = { PATH: process.env['PATH'] ?? '', GIT_DIR: there.GIT_DIR, GIT_WORK_TREE: other };
    expect(top(env)).toBe(realpathSync(other));
    expect(top(openEnvironment(env))).toBe(realpathSync(here));
  });
});

describe('the tools of a seal', () => {
  const ground = (existing: readonly string[], links: Record<string, string> = {}): Ground => ({
    home: '/home/ada',
    exists: (path) => existing.includes(path),
    real: (path) => links[path] ?? path,
    hidden: ['/home/ada', '/home/ada/.pilothouse/runner', '/srv/shop'],
  });

  it('are the directories on PATH with their libraries, and nothing of the system twice', () => {
    const existing = ['/usr/bin', '/srv/node/bin', '/srv/node/lib', '/home/ada/bin'];
    expect(
      toolchainOf('/usr/bin:/srv/node/bin:relative:/home/ada/bin', [], ground(existing)),
    ).toEqual(['/home/ada/bin', '/srv/node/bin', '/srv/node/lib']);
  });

  it('come with the packages around a program, wherever it lies', () => {
    const at = '/srv/engines/node_modules/.bin/engine';
    const real = '/srv/engines/node_modules/engine/cli.js';
    expect(
      toolchainOf('', [at], ground(['/srv/engines/node_modules', at, real], { [at]: real })),
    ).toEqual(['/srv/engines/node_modules']);
  });

  it('are never a place that holds what must not be seen', () => {
    const existing = [
      '/home/ada',
      '/srv',
      '/srv/shop/bin',
      '/home/ada/.local/bin',
      '/home/ada/.local/share/keyrings',
    ];
    expect(
      toolchainOf(
        '/home/ada:/srv:/home/ada/.local/bin',
        ['/home/ada/engine'],
        ground([...existing, '/home/ada/engine']),
      ),
    ).toEqual(['/home/ada/.local/bin', '/home/ada/engine']);
  });
});

describe('the private places of a seal', () => {
  it('stand for those of the home, and for those that an engine has elsewhere', () => {
    const places = { home: '/d/home', own: '/d/own' };
    const inside = (path: string) => privatePathOf(path, '/home/ada', ['/srv/codex'], places);
    expect(inside('/home/ada/.claude/x.json')).toBe('/d/home/.claude/x.json');
    expect(inside('/srv/codex/auth.json')).toBe('/d/own/0/auth.json');
    expect(() => inside('/etc/passwd')).toThrow('in no directory');
  });

  it('are another for the downloads of each repository', () => {
    expect(cacheDirectory('/d', '/a/.git')).not.toBe(cacheDirectory('/d', '/b/.git'));
  });
});

describe('the engine behind a seal', () => {
  const row = (pid: number, parent: number, ticks: number, zombie = false) => ({
    pid,
    parent,
    startedAt: `boot:${ticks}`,
    session: 1,
    zombie,
  });
  const table = [row(10, 1, 5), row(11, 10, 6), row(30, 11, 90), row(12, 11, 7), row(13, 12, 8)];

  it('is the first that its first process started, not a tool that was left to that', () => {
    expect(decideEngine(table, row(10, 1, 5), 2).pid).toBe(12);
  });

  it('is the process itself when nothing stands around it, or nothing has started yet', () => {
    expect(decideEngine(table, row(13, 12, 8), 0).pid).toBe(13);
    expect(decideEngine([row(10, 1, 5)], row(10, 1, 5), 2).pid).toBe(10);
  });
});
