import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pullRequestAsk } from '../../../runner/broker/ask.ts';
import { writeBody } from '../../../runner/broker/body.ts';
import { openPullRequest, type Broker } from '../../../runner/broker/open.ts';
import { readToken } from '../../../runner/broker/token.ts';
import { aDirectory } from '../guard/repositories.ts';
import { PullForge } from './forge.ts';

let forge: PullForge;
let remembered: number[] = [];
beforeEach(async () => {
  remembered = [];
  forge = await PullForge.open();
});
afterEach(() => forge.close());

const ask = (over: object = {}) =>
  pullRequestAsk.parse({ title: 'Say goodbye', head: 'feature', ...over });
function aBroker(over: Partial<Broker> = {}): Broker {
  return {
    facts: async () => ({
      own: [{ name: 'feature', tip: null }],
      defaultBranch: 'main',
      has: (name) => name === 'main',
    }),
    addresses: async () => ['https://forge.example/octo/site.git'],
    mode: 'pr',
    forges: [{ host: 'forge.example', apiUrl: forge.apiUrl, tokenVariable: 'FORGE_TOKEN' }],
    env: { FORGE_TOKEN: forge.token },
    redact: (text) => text,
    remember: async ({ number }) => void remembered.push(number),
    ...over,
  };
}
const EXISTS = { status: 422, body: { message: 'Validation Failed' } };

describe('the broker', () => {
  it('opens a pull request with the runner’s own token, and does nothing else', async () => {
    expect(await openPullRequest(ask({ draft: true }), aBroker())).toEqual({
      head: 'feature',
      base: 'main',
      outcome: 'done',
      by: 'forge',
      reason: null,
      url: forge.urlOf(1),
    });
    expect(forge.opened).toMatchObject([
      { title: 'Say goodbye', head: 'feature', base: 'main', draft: true },
    ]);
    expect(new Set(forge.seen)).toEqual(
      new Set(['GET /api/repos/octo/site/pulls', 'POST /api/repos/octo/site/pulls']),
    );
  });

  it('answers a second ask with the one that is open', async () => {
    await openPullRequest(ask(), aBroker());
    expect(await openPullRequest(ask({ title: 'Again' }), aBroker())).toMatchObject({
      outcome: 'not_done',
      reason: `it is open already: ${forge.urlOf(1)}`,
      url: forge.urlOf(1),
    });
    expect(forge.opened).toHaveLength(1);
    // The second was there, whoever opened it.
    expect(remembered).toEqual([1]);
  });

  it('has no secret in its words, and no other repository', async () => {
    const redact = (text: string) => text.replaceAll('hunter22', '[redacted]');
    await openPullRequest(ask({ title: 'By hunter22', body: 'hunter22' }), aBroker({ redact }));
    expect(JSON.stringify(forge.opened)).not.toContain('hunter22');
    const elsewhere = aBroker({ repository: 'octo/other' });
    expect((await openPullRequest(ask(), elsewhere)).reason).toMatch(/octo\/site alone.*--repo/);
    expect(await openPullRequest(ask(), aBroker({ repository: 'Octo/Site' }))).toMatchObject({
      url: forge.urlOf(1),
    });
  });

  it('is remembered as the session’s, and not where a person landed it', async () => {
    await openPullRequest(ask(), aBroker({ words: 'person' }));
    expect(remembered).toEqual([]);
  });

  it('finds the one that another ask opened at the same moment', async () => {
    const both = await Promise.all([
      openPullRequest(ask(), aBroker()),
      openPullRequest(ask(), aBroker()),
    ]);
    expect(both.map(({ url }) => url)).toEqual([forge.urlOf(1), forge.urlOf(1)]);
    expect(forge.opened).toHaveLength(1);
  });

  it('knows one that was opened although the forge did not say so', async () => {
    forge.instead.push({ method: 'POST', keep: true, answer: 'hang up' });
    expect(await openPullRequest(ask(), aBroker())).toMatchObject({
      outcome: 'done',
      url: forge.urlOf(1),
    });
  });

  it('knows its own at a second ask, where the forge was silent at the first', async () => {
    const own = [{ name: 'feature', tip: 'a'.repeat(40) }];
    const facts = async () => ({ own, defaultBranch: 'main', has: () => true });
    forge.instead.push({ method: 'POST', keep: true, answer: 'hang up' });
    // The look before it is answered, and the look after it is not.
    forge.silentFrom = 3;
    expect(await openPullRequest(ask(), aBroker({ facts }))).toMatchObject({ outcome: 'unknown' });
    forge.silentFrom = null;
    expect(remembered).toEqual([]);
    expect(await openPullRequest(ask(), aBroker({ facts }))).toMatchObject({ url: forge.urlOf(1) });
    expect(remembered).toEqual([1]);
  });

  it.each([
    ['a person opened', 'Mine', 'a'.repeat(40)],
    ['is at another commit', writeBody('x'), 'b'.repeat(40)],
  ])('does not take for its own one that %s from its branch', async (_what, body, sha) => {
    const own = [{ name: 'feature', tip: 'a'.repeat(40) }];
    const facts = async () => ({ own, defaultBranch: 'main', has: () => true });
    const pull = { title: 'x', head: 'feature', base: 'main', draft: false };
    forge.opened.push({ ...pull, body, sha });
    expect(await openPullRequest(ask(), aBroker({ facts }))).toMatchObject({ url: forge.urlOf(1) });
    expect(remembered).toEqual([]);
  });

  it('says that it is not known where the forge breaks and shows nothing', async () => {
    forge.instead.push({ method: 'POST', keep: false, answer: { status: 502, body: {} } });
    const answer = await openPullRequest(ask(), aBroker());
    expect(answer).toMatchObject({ outcome: 'unknown', by: 'forge', url: null });
    expect(answer.reason).toMatch(/answered 502.*not known.*ask again/);
  });

  it.each<[string, Partial<Broker>, RegExp, string]>([
    ['the policy allows none', { mode: 'none' }, /policy/, 'policy'],
    ['the remote is a directory', { addresses: async () => ['/srv/x'] }, /on no forge/, 'policy'],
    ['there is no token', { env: {} }, /no variable FORGE_TOKEN/, 'policy'],
    ['the token is not taken', { env: { FORGE_TOKEN: 'old' } }, /does not take the login/, 'forge'],
  ])('opens nothing where %s, and says what to do', async (_name, over, reason, by) => {
    const answer = await openPullRequest(ask(), aBroker(over));
    expect(answer).toMatchObject({ outcome: 'not_done', by, url: null });
    expect(answer.reason).toMatch(reason);
    expect(forge.opened).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain(forge.token);
  });

  it.each<[string, { status: number; body: unknown }, RegExp]>([
    ['has no right there', { status: 403, body: {} }, /may not open pull requests in octo\/site/],
    ['sends it elsewhere', { status: 307, body: {} }, /answered 307/],
    ['sees no difference', EXISTS, /answered 422: Validation Failed/],
  ])('passes on why the forge opened none: it %s', async (_name, answer, reason) => {
    forge.instead.push({ method: 'POST', keep: false, answer });
    const told = await openPullRequest(ask(), aBroker());
    expect(told).toMatchObject({ outcome: 'not_done', by: 'forge' });
    expect(told.reason).toMatch(reason);
  });

  it('opens nothing where it cannot be seen what is open', async () => {
    forge.instead.push({ method: 'GET', keep: false, answer: 'hang up' });
    expect((await openPullRequest(ask(), aBroker())).reason).toMatch(/did not answer; ask again/);
    expect(forge.opened).toEqual([]);
  });
});

describe('the login of a machine', () => {
  it('is that of gh, for the host that is meant', async () => {
    const bin = aDirectory();
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'gh'), '#!/bin/sh\n[ "$3" = --hostname ] && echo "of-$4"\n', {
      mode: 0o755,
    });
    const place = { host: 'github.com', tokenVariable: null };
    expect(await readToken(place, { PATH: `${bin}:/usr/bin:/bin` })).toBe('of-github.com');
    expect(await readToken(place, { PATH: '/nowhere' })).toBeNull();
  });
});
