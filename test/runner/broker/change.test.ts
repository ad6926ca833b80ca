import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changePullRequest, type Changer } from '../../../runner/broker/change.ts';
import { parseForgeAsk, type ChangeAsk } from '../../../runner/broker/forge-ask.ts';
import { parseSelector } from '../../../runner/broker/which.ts';
import { PullForge } from './forge.ts';

let forge: PullForge;
beforeEach(async () => {
  forge = await PullForge.open();
  for (const head of ['feature', 'theirs'])
    forge.opened.push({ title: 'Old', body: 'Old', head, base: 'main', draft: false });
});
afterEach(() => forge.close());

function ask(over: object): ChangeAsk {
  const parsed = parseForgeAsk(over);
  if (!parsed.ok || !('which' in parsed.ask)) throw new Error(JSON.stringify(parsed));
  return parsed.ask as ChangeAsk;
}
const aChanger = (over: Partial<Changer> = {}): Changer => ({
  facts: async () => ({
    own: [{ name: 'feature', tip: null }],
    defaultBranch: 'main',
    has: (name) => ['main', 'dev', 'feature'].includes(name),
  }),
  work: async () => ({ own: [{ name: 'feature', tip: null }], opened: [1] }),
  addresses: async () => ['https://forge.example/octo/site.git'],
  mode: 'pr',
  forges: [{ host: 'forge.example', apiUrl: forge.apiUrl, tokenVariable: 'FORGE_TOKEN' }],
  env: { FORGE_TOKEN: forge.token },
  redact: (text) => text.replaceAll('hunter22', '[redacted]'),
  ...over,
});
const written = () => forge.seen.filter((each) => !each.startsWith('GET'));

describe('a pull request that the session opened', () => {
  it('gets another title, text and base, and nothing that was not asked for', async () => {
    const told = await changePullRequest(
      ask({ do: 'edit', which: '#1', title: 'New', body: '/merge hunter22', base: 'dev' }),
      aChanger(),
    );
    expect(told).toMatchObject({ outcome: 'done', by: 'forge', url: forge.urlOf(1) });
    expect(forge.opened[0]).toMatchObject({ title: 'New', base: 'dev' });
    expect(forge.opened[0]?.body).toMatch(
      /^Opened by a session[^]*```text\n\/merge \[redacted\]\n/,
    );
    await changePullRequest(ask({ do: 'edit', which: '1', title: 'Newer' }), aChanger());
    expect(forge.opened[0]).toMatchObject({ title: 'Newer', base: 'dev' });
  });

  it('is commented on with words that order no bot and hold no secret', async () => {
    const told = await changePullRequest(
      ask({ do: 'comment', local: 'feature', body: '@team /merge hunter22' }),
      aChanger(),
    );
    expect(told).toMatchObject({ outcome: 'done', change: { kind: 'comment', number: 1 } });
    expect(told.url).toContain('issuecomment-1');
    expect(forge.comments[0]?.body).toMatch(
      /^Written by a session[^]*```text\n@team \/merge \[red/,
    );
  });

  it.each<[string, object, Partial<Changer>, RegExp]>([
    ['is of somebody else', { which: 'theirs' }, {}, /did not open #2.*it opened #1/],
    [
      'is of nobody',
      { which: '2' },
      { work: async () => ({ own: [], opened: [] }) },
      /opened none/,
    ],
    ['is in another repository', { which: 'https://forge.example/a/b/pull/1' }, {}, /no pull req/],
    ['is named with another', { which: '1', repository: 'a/b' }, {}, /octo\/site alone/],
    ['may not be opened', { which: '1' }, { mode: 'none' }, /policy/],
    ['cannot be reached', { which: '1' }, { env: {} }, /no variable FORGE_TOKEN/],
  ])('is left alone where it %s', async (_name, over, changer, reason) => {
    for (const what of [
      { do: 'comment', body: 'x' },
      { do: 'edit', title: 'x' },
    ]) {
      const told = await changePullRequest(ask({ ...what, ...over }), aChanger(changer));
      expect(told).toMatchObject({ outcome: 'not_done', by: 'policy', change: { kind: what.do } });
      expect(told.reason).toMatch(reason);
    }
    expect(written()).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['nothing is said of it', {}, /--title, --body or --base/],
    ['its base is nowhere', { base: 'gone' }, /no branch gone/],
    ['its base is itself', { base: 'feature' }, /into itself/],
  ])('is not changed where %s', async (_name, over, reason) => {
    const told = await changePullRequest(ask({ do: 'edit', which: '1', ...over }), aChanger());
    expect(told.reason).toMatch(reason);
    expect(written()).toEqual([]);
  });

  it('may have been written on where the forge breaks off', async () => {
    forge.instead.push({ method: 'POST', keep: true, answer: 'hang up' });
    const told = await changePullRequest(ask({ do: 'comment', which: '1', body: 'x' }), aChanger());
    expect(told).toMatchObject({ outcome: 'unknown', by: 'forge' });
    expect(told.reason).toMatch(/not known whether it was written; gh pr view 1/);
  });
});

describe('what a session asks a forge for', () => {
  it.each<[object, RegExp]>([
    [{ do: 'merge', which: '1' }, /Invalid/],
    [{ do: 'close', which: '1' }, /Invalid/],
    [{ do: 'edit', which: '1', state: 'closed' }, /state/],
    [{ do: 'edit', which: '1', labels: ['automerge'] }, /labels/],
    [{ do: 'comment', body: ' ' }, /^body: say/],
    [{ do: 'comment', body: 'x'.repeat(20_001) }, /^body: has at most 20000/],
    [{ do: 'list', limit: 101 }, /^limit: is at most 100/],
  ])('is refused where it is more than that: %j', (raw, reason) => {
    expect(parseForgeAsk(raw)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });

  it.each<[string, object]>([
    ['7', { kind: 'number', number: 7 }],
    ['#7', { kind: 'number', number: 7 }],
    ['https://github.com/Octo/site/pull/7/files', { kind: 'number', number: 7 }],
    ['octo:feature', { kind: 'branch', name: 'feature' }],
    ['feature', { kind: 'branch', name: 'feature' }],
    ['mallory:feature', { kind: 'wrong' }],
    ['https://evil.example/octo/site/pull/7', { kind: 'wrong' }],
    ['https://github.com/octo/site/issues/7', { kind: 'wrong' }],
  ])('is about %s', (text, selector) => {
    const here = { host: 'github.com', repository: 'octo/site' };
    expect(parseSelector(text, here)).toMatchObject(selector);
  });
});
