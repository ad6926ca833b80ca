import { describe, expect, it } from 'vitest';
import {
  checkCheckouts,
  checkDataDirectory,
  checkDisk,
  checkEngines,
  checkLimits,
  checkLink,
  checkSystem,
  checkWatches,
} from '../../../runner/doctor/checks.ts';
import { checkGit, checkLfs } from '../../../runner/doctor/git.ts';

const GIB = 1024 ** 3;

describe('the doctor', () => {
  it('names the system, and WSL as what it is', () => {
    expect(checkSystem('darwin', '25.0.0', 'v24.1.0').message).toBe('macOS, Node v24.1.0');
    expect(checkSystem('linux', '6.6.0-microsoft-standard-WSL2', 'v24.1.0').message).toBe(
      'linux (WSL), Node v24.1.0',
    );
  });

  it('refuses Windows with the way to WSL2', () => {
    expect(checkSystem('win32', '10', 'v24.1.0')).toMatchObject({
      status: 'problem',
      remedy: expect.stringMatching(/wsl --install/),
    });
  });

  it.each([
    ['git version 2.39.5', 'ok'],
    ['git version 2.50.1 (Apple Git-155)', 'ok'],
    ['git version 3.0.0', 'ok'],
    ['git version 2.35.0', 'ok'],
    ['git version 2.34.1', 'warning'],
    ['git version 2.29.2', 'problem'],
    ['git version 1.99.0', 'problem'],
    ['git of my own', 'warning'],
    [null, 'problem'],
  ])('takes %j as %s', (output, status) => {
    expect(checkGit(output, 'apt').status).toBe(status);
  });

  it('says of a git that cannot make a merge again what it costs, and the command that helps', () => {
    const old = 'git version 2.34.1';
    expect(checkGit(old, 'apt')).toMatchObject({
      message: expect.stringContaining('every push of a sealed or fenced session is refused'),
      remedy: expect.stringContaining('ppa:git-core/ppa'),
    });
    expect(checkGit(old, 'brew').remedy).toBe('`brew install git`');
    expect(checkGit(null, null).remedy).toBe(
      'No command is known for this system: install git with its package manager.',
    );
  });

  it('says what sessions have of Git LFS where it is installed, and nothing where it is not', () => {
    expect(checkLfs(null)).toBeNull();
    expect(checkLfs('git-lfs/3.4.1 (GitHub; linux amd64; go 1.22.2)\n')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^Git LFS 3\.4\.1: .*push new ones through it/),
    });
    expect(checkLfs('something else')?.message).toMatch(/^Git LFS: /);
  });

  it.each([
    [50 * GIB, 'ok'],
    [GIB, 'warning'],
    [GIB / 10, 'problem'],
  ])('takes %i free bytes as %s', (bytes, status) => {
    expect(checkDisk(bytes, '/data').status).toBe(status);
  });

  it('warns when others can look into the data, and refuses what cannot be written', () => {
    const facts = { exists: true, writable: true, mode: 0o40700 };
    expect(checkDataDirectory('/data', facts).status).toBe('ok');
    expect(checkDataDirectory('/data', { ...facts, mode: 0o40755 })).toMatchObject({
      status: 'warning',
      remedy: '`chmod 700 /data`',
    });
    expect(checkDataDirectory('/data', { ...facts, writable: false }).status).toBe('problem');
    expect(checkDataDirectory('/data', { exists: false, writable: false, mode: 0 }).status).toBe(
      'ok',
    );
  });

  it('warns of few file watches, and has nothing to say where there is no limit', () => {
    expect(checkWatches(8_192)).toMatchObject({
      status: 'warning',
      remedy: expect.stringMatching(/sysctl/),
    });
    expect(checkWatches(524_288)?.status).toBe('ok');
    expect(checkWatches(null)).toBeNull();
  });

  it('tells an instance that is silent from one that is not there', () => {
    expect(checkLink({ kind: 'none' }).status).toBe('ok');
    expect(checkLink({ kind: 'answers', url: 'http://x', version: '1' }).status).toBe('ok');
    expect(checkLink({ kind: 'silent', url: 'http://x', reason: 'refused' }).status).toBe(
      'problem',
    );
  });

  it('gives the remedy for an engine that is missing, which is no problem of the machine', () => {
    const engine = {
      engineId: 'claude',
      label: 'Claude Code',
      ready: false,
      version: null,
      payer: 'unknown' as const,
      credential: null,
      approvals: [],
      problem: 'It is not installed.',
      remedy: 'npm install --global it',
    };
    expect(checkEngines([engine])).toEqual([
      {
        check: 'engine claude',
        status: 'warning',
        message: 'It is not installed.',
        remedy: 'npm install --global it',
      },
    ]);
    const ready = { ...engine, ready: true, version: '2.1', credential: 'ANTHROPIC_API_KEY' };
    expect(checkEngines([ready])[0]).toMatchObject({
      status: 'ok',
      message: 'Claude Code 2.1 is ready, signed in with ANTHROPIC_API_KEY',
    });
  });

  it('tells of a ready engine what is not as it should be, and what to do', () => {
    const engine = {
      engineId: 'gemini',
      label: 'Gemini CLI',
      ready: true,
      version: '0.61.0',
      payer: 'unknown',
      credential: null,
      approvals: ['ask', 'bypass'],
      warnings: [{ problem: 'It was slow.', remedy: 'See why.' }],
      refusedModes: [{ mode: 'bypass', problem: 'It is off. Turn it on.' }],
      problem: null,
      remedy: null,
    } as const;
    const [found] = checkEngines([
      {
        ...engine,
        approvals: [...engine.approvals],
        warnings: [...engine.warnings],
        refusedModes: [...engine.refusedModes],
      },
    ]);
    expect(found).toEqual({
      check: 'engine gemini',
      status: 'warning',
      message: 'Gemini CLI 0.61.0 is ready. It was slow. Not with the approvals mode `bypass`.',
      remedy: 'See why. It is off. Turn it on.',
    });
  });

  it('takes limits that cannot be read for a problem, and none for the defaults', () => {
    expect(checkLimits(null, 'line 3: nonsense')).toMatchObject({
      status: 'problem',
      message: 'line 3: nonsense',
    });
    expect(checkLimits(null, null).message).toMatch(/safe defaults/);
    expect(checkLimits('/x/limits.toml', null).message).toBe('/x/limits.toml is read and holds.');
    expect(checkLimits('/x/limits.toml', null, { secretPatterns: 3 }).message).toMatch(
      /secret patterns.*: 3\./,
    );
  });
});

describe('the checkouts of sessions', () => {
  it('are counted, and measured when that is quick', () => {
    expect(checkCheckouts(0, 0, '/c')).toMatchObject({ status: 'ok', check: 'checkouts' });
    expect(checkCheckouts(1, 1024 ** 3, '/c').message).toBe('One checkout, 1.1 GB, at /c');
    expect(checkCheckouts(3, null, '/c').message).toContain('3 checkouts, of a size not measured');
  });
});
