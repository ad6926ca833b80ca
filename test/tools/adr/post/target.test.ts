import { describe, expect, it } from 'vitest';
import { decideTarget } from '../../../../tools/adr/post/target.ts';

const KEY = { PILOTHOUSE_DECISIONS_KEY: 'phd_key' };
const decide = (
  instance: string,
  env: Record<string, string> = KEY,
  branch: string | null = null,
  gitBranch: string | null = 'main',
) => decideTarget(instance, branch, gitBranch, env);
const urlOf = (target: ReturnType<typeof decide>) => ('url' in target ? target.url.href : null);

describe('the address of an instance', () => {
  it('is given without a path, and the branch follows as a parameter', () => {
    expect(urlOf(decide('https://p.example.com', KEY, 'a b&c'))).toBeNull();
    expect(urlOf(decide('https://p.example.com', KEY, 'fix/a&b'))).toBe(
      'https://p.example.com/v1/decisions/reports?branch=fix%2Fa%26b',
    );
  });
  it.each(['http://localhost:8080', 'http://127.0.0.1:80', 'http://[::1]:80'])(
    'may be plain HTTP on this machine: %s',
    (instance) => expect(urlOf(decide(instance))).not.toBeNull(),
  );
  it.each([
    'http://p.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'https://user:word@p.example.com',
    'ftp://p.example.com',
    'file:///etc/passwd',
    'p.example.com',
  ])('is refused where the key would be readable or nothing would answer: %s', (instance) => {
    expect(decide(instance)).toHaveProperty('missing');
  });
});

describe('the key', () => {
  it('comes from the environment, without the line break of a secret file', () => {
    expect(
      decide('https://p.example.com', { PILOTHOUSE_DECISIONS_KEY: 'phd_key\n' }),
    ).toHaveProperty('key', 'phd_key');
  });
  it('that is missing is said with what to do', () => {
    expect(decide('https://p.example.com', {})).toMatchObject({
      missing: expect.stringContaining('PILOTHOUSE_DECISIONS_KEY') as string,
    });
  });
});

describe('the branch', () => {
  const branchOf = (env: Record<string, string>, branch?: string, gitBranch?: string | null) => {
    const target = decide('https://p.example.com', { ...KEY, ...env }, branch ?? null, gitBranch);
    return 'url' in target ? target.url.searchParams.get('branch') : null;
  };

  it('is what was asked for, before all else', () => {
    expect(branchOf({ GITHUB_REF_NAME: 'main' }, 'release')).toBe('release');
  });
  it('of a pull request is its own and not the one it goes to', () => {
    expect(branchOf({ GITHUB_HEAD_REF: 'fix', GITHUB_REF_NAME: '12/merge' })).toBe('fix');
    expect(branchOf({ GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' })).toBe('main');
  });
  it('is the one that git has checked out where no build service tells it', () => {
    expect(branchOf({}, undefined, 'topic')).toBe('topic');
  });
  it('has to be named where nothing knows it', () => {
    const target = decide('https://p.example.com', KEY, null, null);
    expect(target).toMatchObject({ missing: expect.stringContaining('--branch') as string });
  });
});
