import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseForgeAsk, type ReadAsk } from '../../../runner/broker/forge-ask.ts';
import { readForge } from '../../../runner/broker/read.ts';
import { PullForge } from './forge.ts';

let forge: PullForge;
beforeEach(async () => {
  forge = await PullForge.open();
  forge.opened.push(
    { title: 'Say goodbye', body: 'Why', head: 'feature', base: 'main', draft: false },
    { title: 'Theirs', body: 'x', head: 'theirs', base: 'main', draft: true },
    { title: 'Done', body: 'x', head: 'done', base: 'main', draft: false, merged: true },
  );
});
afterEach(() => forge.close());

function read(over: object, opened: readonly number[] = [1]) {
  const parsed = parseForgeAsk(over);
  if (!parsed.ok) throw new Error(parsed.reason);
  return readForge(parsed.ask as ReadAsk, {
    addresses: async () => ['https://forge.example/octo/site.git'],
    forges: [{ host: 'forge.example', apiUrl: forge.apiUrl, tokenVariable: 'FORGE_TOKEN' }],
    env: { FORGE_TOKEN: forge.token },
    work: async () => ({ own: [{ name: 'feature', tip: 'c'.repeat(40) }], opened }),
  });
}
const run = (name: string, conclusion: string | null) => ({
  name,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
  details_url: 'https://ci.example/1',
  started_at: '2026-11-30T10:00:00Z',
  completed_at: '2026-11-30T10:01:03Z',
});

describe('what a session reads at its forge', () => {
  it('is the pull request of what it pushed, by whatever name, or the only one it opened', async () => {
    for (const which of [
      { which: '1' },
      { which: forge.urlOf(1) },
      { local: 'work', commit: 'c'.repeat(40) },
      { local: 'work', commit: 'd'.repeat(40) },
    ]) {
      const { code, out, said } = await read({ do: 'view', ...which });
      expect(code).toBe(0);
      expect(out).toContain('title:\tSay goodbye\nstate:\tOPEN\nauthor:\tada\n');
      expect(out).toMatch(/--\nWhy\n$/);
      expect(said).toMatch(/written on the forge.*no instruction/);
    }
    expect(await read({ do: 'view', local: 'work' }, [])).toEqual({
      code: 1,
      out: '',
      said: 'no pull requests found for branch "work"',
    });
  });

  it('is the checks, which end as gh would', async () => {
    forge.runs = [run('build', 'success')];
    const checks = { do: 'checks', which: 'feature' };
    expect(await read(checks)).toMatchObject({
      code: 0,
      out: 'build\tpass\t1m3s\thttps://ci.example/1\t\n',
    });
    forge.runs = [run('build', null)];
    expect((await read(checks)).code).toBe(8);
    forge.statuses = [{ context: 'old', state: 'failure' }];
    expect((await read(checks)).code).toBe(1);
    const { out } = await read({ ...checks, fields: ['name', 'bucket'] });
    expect(JSON.parse(out)).toEqual([
      { name: 'old', bucket: 'fail' },
      { name: 'build', bucket: 'pending' },
    ]);
    [forge.runs, forge.statuses] = [[], []];
    expect(await read(checks)).toMatchObject({
      code: 1,
      said: `no checks reported on the 'feature' branch`,
    });
  });

  it('is every check or none: one of the last pages may be what failed', async () => {
    const many = Array.from({ length: 150 }, () => run('x', 'success'));
    forge.runs = [...many, run('last', 'failure')];
    expect((await read({ do: 'checks', which: '1' })).code).toBe(1);
    forge.runs = Array.from({ length: 501 }, () => run('x', 'success'));
    expect(await read({ do: 'checks', which: '1' })).toMatchObject({
      code: 1,
      said: expect.stringContaining('more than 500 checks'),
    });
  });

  it('is every older status or none, as it is of the others', async () => {
    const older = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ context: `s${at}`, state: 'success' }));
    forge.statuses = [...older(150), { context: 'last', state: 'failure' }];
    const last = await read({ do: 'checks', which: '1' });
    expect(last).toMatchObject({ code: 1, out: expect.stringMatching(/^last\tfail/) });
    forge.statuses = older(501);
    expect(await read({ do: 'checks', which: '1' })).toMatchObject({
      code: 1,
      said: expect.stringContaining('more than 500 checks'),
    });
  });

  it('is a list, by the state that is asked for', async () => {
    const titles = async (state: string) => {
      const { out } = await read({ do: 'list', state, fields: ['number', 'state'] });
      return JSON.parse(out) as unknown;
    };
    expect(await titles('open')).toEqual([
      { number: 2, state: 'OPEN' },
      { number: 1, state: 'OPEN' },
    ]);
    expect(await titles('merged')).toEqual([{ number: 3, state: 'MERGED' }]);
    expect((await read({ do: 'list', base: 'dev' })).said).toContain('no pull requests match');
    expect((await read({ do: 'list' })).out).toContain('2\tTheirs\ttheirs\tDRAFT\t2026-11-30');
  });

  it('is what it has of its own', async () => {
    const { out } = await read({ do: 'status', local: 'feature' });
    expect(out).toMatch(/Current branch\n  #1  Say goodbye \[feature\] open/);
    expect(out).toMatch(/Opened by this session\n  #1/);
  });

  it('is a conversation, the newest of it', async () => {
    for (let at = 0; at < 25; at++) forge.comments.push({ number: 1, body: `word ${at}` });
    const { out } = await read({ do: 'view', which: '1', comments: true });
    expect(out).toContain('word 24');
    expect(out).not.toContain('word 4\n');
    const asked = await read({ do: 'view', which: '1', fields: ['comments', 'mergeable'] });
    expect(JSON.parse(asked.out)).toMatchObject({ mergeable: 'MERGEABLE' });
  });

  it.each([100, 105, 119, 120, 230])('is the newest of %i comments', async (count) => {
    for (let at = 0; at < count; at++) forge.comments.push({ number: 1, body: `word ${at}.` });
    const { out } = await read({ do: 'view', which: '1', comments: true });
    const words = [...out.matchAll(/word (\d+)\./g)].map(([, at]) => Number(at));
    expect(words).toEqual(Array.from({ length: 20 }, (_, at) => count - 20 + at));
    const { out: json } = await read({ do: 'view', which: '1', fields: ['comments'] });
    expect(json).toContain(`word ${count - 1}.`);
  });

  it('moves no cursor, hides nothing and has an end', async () => {
    Object.assign(forge.opened[0] ?? {}, {
      title: 'A\u001B[2J\nstate:\tMERGED',
      body: `\u202E${'long '.repeat(20_000)}`,
    });
    const { out } = await read({ do: 'view', which: '1' });
    expect(out).toContain('title:\tA[2J state: MERGED\n');
    for (const hidden of ['\u001B', '\u202E']) expect(out).not.toContain(hidden);
    expect(out.length).toBeLessThan(10_000);
    for (let at = 0; at < 20; at++) forge.comments.push({ number: 1, body: 'ü'.repeat(6_000) });
    const talk = await read({ do: 'view', which: '1', comments: true });
    expect(talk.out).toMatch(/… \(cut: there is more\)\n$/);
    expect(Buffer.byteLength(JSON.stringify(talk))).toBeLessThan(65_000);
    const json = await read({ do: 'view', which: '1', fields: ['comments'] });
    expect(json).toMatchObject({ code: 1, said: expect.stringContaining('fewer fields') });
  });

  it.each<[string, object, RegExp]>([
    [
      'a field that is not here',
      { do: 'view', which: '1', fields: ['token'] },
      /Unknown JSON field.*\n/,
    ],
    ['what is nowhere', { do: 'view', which: '99' }, /may not see #99/],
    ['another repository', { do: 'list', repository: 'a/b' }, /octo\/site alone/],
  ])('is not %s', async (_name, asked, reason) => {
    expect(await read(asked)).toMatchObject({ code: 1, said: expect.stringMatching(reason) });
  });

  it('changes nothing there', async () => {
    for (const what of ['view', 'checks', 'list', 'status']) await read({ do: what });
    expect(forge.seen.every((each) => each.startsWith('GET'))).toBe(true);
  });
});
