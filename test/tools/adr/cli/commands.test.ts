import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runAdr } from '../../../../tools/adr/cli/program.ts';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  problemsOf,
  recordText,
  recordWithRule,
} from '../../../support/decision-repository.ts';

let repository: Repository;
afterEach(() => repository.dispose());

async function adr(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true)),
  ];
  try {
    return { code: await runAdr([...args, '--root', repository.root]), out, err };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
const BARS = [
  '--constrains',
  'no second door',
  '--violable',
  'an import',
  '--unchecked',
  'it compiles',
];

describe('adr init', () => {
  it.each(['madr', 'nygard'])(
    'begins records of style %s that the check finds clean',
    async (style) => {
      repository = makeRepository();
      expect((await adr('init', '--style', style)).code).toBe(0);
      expect(problemsOf(await repository.check())).toEqual([]);
      expect((await adr('init')).err).toMatch(/already/);
    },
  );
});

describe('adr new', () => {
  it('writes a proposal under the next number, never one that was used', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordText(),
      'docs/adr/0002-b.md': recordText({ number: 2, title: 'B' }),
    });
    repository.remove('docs/adr/0002-b.md');
    repository.commit();
    const { code, out } = await adr('new', 'One door: the gate’s', ...BARS, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ number: 3, path: 'docs/adr/0003-one-door-the-gate-s.md' });
    expect(repository.read('docs/adr/0003-one-door-the-gate-s.md')).toMatch(
      /status: proposed[\s\S]*no second door/,
    );
  });

  it('says when a comment would do, and writes nothing', async () => {
    repository = makeRepository({ [RECORD_PATH]: recordText() });
    const { code, err } = await adr('new', 'Tabs', ...BARS.slice(0, 4), '--unchecked', 'no');
    expect(code).toBe(2);
    expect(err).toMatch(/a comment beside the code would do/);
    expect(readdirSync(join(repository.root, 'docs/adr'))).toHaveLength(1);
  });

  it('without a terminal asks for the answers that are missing', async () => {
    repository = makeRepository({ [RECORD_PATH]: recordText() });
    const { code, out } = await adr('new', 'Tabs', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out).error).toMatchObject({ code: 'bars' });
  });
});

describe('adr supersede', () => {
  it('writes both sides, which the check finds clean', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordText(),
      'docs/adr/0002-b.md': recordText({ number: 2, status: 'proposed' }),
    });
    expect((await adr('supersede', '1', '2')).err).toMatch(/0002 is proposed/);
    expect((await adr('supersede', '1', '2', '--accept')).code).toBe(0);
    expect(problemsOf(await repository.check())).toEqual([]);
    expect((await adr('graph')).out).toMatch(/adr0002 -->\|supersedes\| adr0001/);
    expect((await adr('graph', '--as', 'dot')).out).toMatch(/"0002" -> "0001"/);
  });
});

describe('adr list, show and why', () => {
  it('say of each rule whether it is enforced or advisory', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordWithRule('forbid', "paths: ['src/**']\ntext: x"),
    });
    expect((await adr('list')).out).toMatch(/enforced {2}the-rule \(forbid\)/);
    expect((await adr('show', 'ADR-0001')).out).toMatch(/enforced {2}the-rule/);
    expect((await adr('why', join(repository.root, 'src/new.ts'))).out).toMatch(
      /enforced {2}the-rule/,
    );
    const lib = join(repository.root, 'lib/a.ts');
    expect((await adr('why', lib)).out).toMatch(/No decision governs/);
    const text = repository.read(RECORD_PATH);
    repository.write({ [RECORD_PATH]: text.replace('status: accepted', 'status: [') });
    expect((await adr('why', lib)).out).toMatch(
      /^No decision that can be read governs .*\n0001 cannot be read/,
    );
    expect(JSON.parse((await adr('why', lib, '--json')).out)).toMatchObject({ unread: ['0001'] });
    expect((await adr('list')).out).toMatch(/^0001 {2}unknown /);
    repository.write({ [RECORD_PATH]: text });
    const absent = await adr('show', '9');
    expect([absent.code, absent.err]).toEqual([
      2,
      'There is no decision record 9. Records have numbers up to 0001; `pilothouse-adr list` shows them.\n',
    ]);
  });
});

describe('adr why', () => {
  const begin = (): void => {
    repository = makeRepository({
      [RECORD_PATH]: recordWithRule(
        'forbid',
        "paths: ['src/**']\nexcept: [src/c.ts]\ntext: x",
        'waivers:\n  - { rule: the-rule, path: src/b.ts, owner: ann, reason: it goes in May, expires: 2999-01-01 }',
      ),
      'src/a.ts': '',
      'src/b.ts': '',
      'src/c.ts': '',
      '.adr.json': '{ "directory": "docs/adr", "exclude": ["old/**"] }',
    });
  };
  const why = (path: string) => adr('why', join(repository.root, path));

  it.each([
    ['a file', 'src/a.ts', /^0001 A decision\n {2}enforced {2}the-rule .*src\/a\.ts is looked at/],
    ['one that is waived', 'src/b.ts', /Waived until 2999-01-01 by ann: it goes in May\./],
    ['one yet to be written', 'src/d.ts', /^src\/d\.ts is not there \(yet\)\.\n0001/],
    ['one that nothing governs', 'src/c.ts', /^No decision governs src\/c\.ts\.$/m],
    ['one that is excluded', 'old/a.ts', /is excluded from every rule/],
    ['a directory', 'src', /: 2 of 3 files in src, each of which is looked at by it/],
    ['the top', '', /2 of 5 files in \.,/],
    ['a glob', 'src/{a,c}.*', /1 of 2 files in src\/\{a,c\}\.\*,/],
  ])('tells of %s', async (_, path, words) => {
    begin();
    const { code, out } = await why(path);
    expect(out).toMatch(words);
    expect(code).toBe(0);
  });

  it.each([
    ['a place outside', '../x.ts', /is not inside of .*Name a file that is/],
    ['a glob that finds nothing', 'lib/*.ts', /No file of the repository is in .*Correct the path/],
  ])('refuses %s with a sentence', async (_, path, words) => {
    begin();
    const { code, err } = await why(path);
    expect(err).toMatch(words);
    expect(code).toBe(2);
  });
});
