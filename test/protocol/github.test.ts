import { describe, expect, it } from 'vitest';
import { connectGithubRequest, githubLaunch } from '../../protocol/github.ts';
import { aConnection } from '../support/forge/channel-builders.ts';

const reads = (over: Record<string, unknown>) =>
  connectGithubRequest.safeParse({ ...aConnection(), ...over }).success;
const launchReads = (over: Record<string, unknown>) =>
  githubLaunch.safeParse({ ...aConnection().launch, ...over }).success;

describe('a connection to GitHub', () => {
  it('polls for owners, members and collaborators where nobody says otherwise', () => {
    expect(connectGithubRequest.parse(aConnection())).toMatchObject({
      label: 'pilothouse',
      associations: ['OWNER', 'MEMBER', 'COLLABORATOR'],
      delivery: 'poll',
      apiUrl: 'https://api.github.com',
      webhookSecret: null,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a repository without an owner', { repository: 'site' }],
    ['a path in place of a repository', { repository: '../../user/repos' }],
    ['a repository with a query', { repository: 'octo/site?x=1' }],
    ['an address that anybody reads along', { apiUrl: 'http://github.example.com' }],
    ['an address with a name in it', { apiUrl: 'https://me@github.example.com' }],
    ['nobody who may ask', { associations: [] }],
    ['an empty label', { label: '  ' }],
    ['a token with a line break', { token: 'ghp_one\r\nx-evil: 1' }],
    ['a webhook without a secret', { delivery: 'webhook' }],
    ['a secret that is a word', { delivery: 'webhook', webhookSecret: 'short' }],
  ])('is refused with %s', (_, over) => {
    expect(reads(over)).toBe(false);
  });

  it('takes an address of its own, on loopback too', () => {
    expect(reads({ apiUrl: 'https://github.example.com/api/v3' })).toBe(true);
    expect(reads({ apiUrl: 'http://127.0.0.1:8080' })).toBe(true);
  });

  it.each<[string, Record<string, unknown>]>([
    ['without a limit', { budgetMicroUsd: null }],
    ['without a directory', { directory: null }],
    ['with a policy that is none', { policy: { mode: 'all' } }],
  ])('launches nothing %s', (_, over) => {
    expect(launchReads(over)).toBe(false);
  });

  it('keeps no objective and no work to go on from in what is fixed', () => {
    const fixed = githubLaunch.parse({ ...aConnection().launch, objective: 'x', from: 'ses_1' });
    expect(Object.keys(fixed)).not.toContain('objective');
    expect(Object.keys(fixed)).not.toContain('from');
  });
});
