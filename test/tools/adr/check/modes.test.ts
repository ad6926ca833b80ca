import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summaryText } from '../../../../tools/adr/formats/summary.ts';
import { afterEach, describe, expect, it } from 'vitest';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  placesOf,
  problemsOf,
  recordText,
  recordWithRule,
  ruleOf,
} from '../../../support/decision-repository.ts';

let repository: Repository;
afterEach(() => repository.dispose());

const GUARD = recordWithRule('imports', 'modules: [src/core.ts]');

describe('a check of a change', () => {
  const begin = (): Repository =>
    makeRepository({
      [RECORD_PATH]: GUARD,
      'src/core.ts': '',
      'src/old.ts': "import './core.ts';",
      'src/a.ts': '',
      'docs/x.md': '',
    });

  it('leaves out rules that the change does not touch', async () => {
    repository = begin();
    repository.write({ 'docs/x.md': 'more' });
    const report = await repository.check({ base: 'HEAD' });
    expect(ruleOf(report).state).toBe('skipped');
    expect(report).toMatchObject({ mode: 'change', base: 'HEAD', exitCode: 0 });
  });

  it('looks at changed importers alone', async () => {
    repository = begin();
    repository.write({
      'src/a.ts': "import './core.ts';",
      'src/new.ts': "export * from './core.ts';",
    });
    const rule = ruleOf(await repository.check({ base: 'HEAD' }));
    expect(rule.examined.count).toBe(2);
    expect(placesOf(rule)).toEqual(['src/a.ts:1', 'src/new.ts:1']);
  });

  it.each([
    ['the guarded module', 'src/core.ts', 'export const x = 1;'],
    ['what imports mean', 'tsconfig.json', '{}'],
    ['the record', RECORD_PATH, GUARD.replace('It is so', 'It was so')],
  ])('looks at every importer when %s changed', async (_, path, text) => {
    repository = begin();
    repository.write({ [path]: text });
    const rule = ruleOf(await repository.check({ base: 'HEAD' }));
    expect(placesOf(rule)).toEqual(['src/old.ts:1']);
  });

  it('counts commits since the branch began, not what others did on its base', async () => {
    repository = begin();
    repository.git('checkout', '-q', '-b', 'work');
    repository.write({ 'docs/x.md': 'mine' });
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write({ 'src/a.ts': "import './core.ts';" });
    repository.commit();
    repository.git('checkout', '-q', 'work');
    expect(ruleOf(await repository.check({ base: 'main' })).state).toBe('skipped');
  });
});

describe('a question to the reviewer', () => {
  const REVIEW = recordWithRule('review', "paths: ['src/**']\nquestion: Is it still fast enough?");
  const begin = (): Repository =>
    makeRepository({ [RECORD_PATH]: REVIEW, 'src/a.ts': '', 'b.md': '' });

  it('is asked of a change only', async () => {
    repository = begin();
    expect(ruleOf(await repository.check())).toMatchObject({ state: 'skipped' });
    expect(ruleOf(await repository.check()).note).toMatch(/Is it still fast enough/);
  });

  it('is answered by a line in a commit of the change', async () => {
    repository = begin();
    const base = repository.git('rev-parse', 'HEAD');
    repository.write({ 'src/a.ts': '1' });
    repository.commit('Change it');
    const asked = ruleOf(await repository.check({ base }));
    expect(asked.state).toBe('violated');
    expect(asked.findings[0]?.message).toMatch(/ADR-0001: <answer>/);
    repository.commit('Say it\n\nADR-0001: Measured, 3 ms.');
    expect(ruleOf(await repository.check({ base }))).toMatchObject({
      state: 'passed',
      note: 'Answered: Measured, 3 ms.',
    });
  });

  it.each([
    ['ADR-0001: yes', 'passed'],
    ['ADR-1/the-rule: yes', 'passed'],
    ['ADR-0001/another-rule: yes', 'violated'],
    ['ADR-0002: yes', 'violated'],
    ['ADR-0001:', 'violated'],
    ['see ADR-0001: yes', 'violated'],
  ])('is answered by a pull request or not: %s', async (body, state) => {
    repository = begin();
    repository.write({ 'src/a.ts': '1' });
    expect(ruleOf(await repository.check({ base: 'HEAD', body })).state).toBe(state);
  });

  it('is not asked of a change elsewhere', async () => {
    repository = begin();
    repository.write({ 'b.md': '1' });
    expect(ruleOf(await repository.check({ base: 'HEAD' })).state).toBe('skipped');
  });
});

describe('a waiver', () => {
  const DAY = Date.parse('2026-06-15T12:00:00Z');
  const begin = (expires: string, path = 'src/old.ts'): Repository =>
    makeRepository({
      [RECORD_PATH]: recordWithRule(
        'imports',
        'modules: [src/core.ts]',
        `waivers:\n  - { rule: the-rule, path: '${path}', owner: ann, reason: moves next month, expires: ${expires} }`,
      ),
      'src/core.ts': '',
      'src/old.ts': "import './core.ts';",
    });

  it('lets a finding stand to the end of its last day, and shows it', async () => {
    repository = begin('2026-06-15');
    const report = await repository.check({ nowMs: DAY });
    expect(ruleOf(report)).toMatchObject({ state: 'passed' });
    expect(ruleOf(report).findings[0]?.waiver).toEqual({
      owner: 'ann',
      reason: 'moves next month',
      expires: '2026-06-15',
    });
    expect(report.exitCode).toBe(0);
  });

  it('that ended lets nothing stand, and is named with its line', async () => {
    repository = begin('2026-06-14');
    const rule = ruleOf(await repository.check({ nowMs: DAY }));
    expect(rule.state).toBe('violated');
    expect(placesOf(rule)).toEqual([`${RECORD_PATH}:10`, 'src/old.ts:1']);
  });

  it.each([
    ['2027-06-15', null],
    ['2027-06-17', "Waived for more than a year: ann's for src/old.ts (until 2027-06-17)."],
  ])('until %s is told by its length, and holds', async (expires, note) => {
    repository = begin(expires);
    const rule = ruleOf(await repository.check({ nowMs: DAY }));
    expect(rule).toMatchObject({ state: 'passed', note });
  });

  it('that nothing needs is a finding, but not where only a part was looked at', async () => {
    repository = begin('2999-01-01', 'src/never.ts');
    repository.write({ 'src/old.ts': '' });
    const rule = ruleOf(await repository.check({ nowMs: DAY }));
    expect(rule.findings.map((one) => one.message)).toEqual([
      expect.stringMatching(/waives nothing/),
    ]);
    expect(ruleOf(await repository.check({ nowMs: DAY, base: 'HEAD' })).findings).toEqual([]);
  });
});

describe('rules that are not in force', () => {
  it.each(['proposed', 'rejected', 'deprecated'])('are left out: %s', async (status) => {
    repository = makeRepository({
      [RECORD_PATH]: GUARD.replace('status: accepted', `status: ${status}`),
      'src/core.ts': '',
      'src/a.ts': "import './core.ts';",
    });
    const report = await repository.check();
    expect(ruleOf(report)).toMatchObject({
      state: 'skipped',
      note: expect.stringContaining(status),
    });
    expect(report.exitCode).toBe(0);
  });
});

describe('proving', () => {
  const prove = async (violates: string) => {
    repository = makeRepository({
      [RECORD_PATH]: recordWithRule('imports', `modules: [src/core.ts]\n${violates}`),
      'src/core.ts': '',
      'src/a.ts': '',
    });
    return repository.check({ prove: true });
  };

  it('shows that a rule catches its fixtures, in a tree of their own', async () => {
    const report = await prove(
      'violates:\n  - { path: src/x.ts, content: "import \'./core.ts\';" }\n  - { name: two, expect: uncheckable, files: [{ path: src/y.ts, content: "void import(z);" }] }',
    );
    expect(ruleOf(report)).toMatchObject({
      state: 'passed',
      proof: { state: 'proven', fixtures: 2, caught: 2 },
    });
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('fails for a fixture that is not caught', async () => {
    const report = await prove('violates: [{ path: src/x.ts, content: "export {};" }]');
    expect(ruleOf(report).proof).toEqual({ state: 'failed', fixtures: 1, caught: 0 });
    expect(report.exitCode).toBe(2);
  });

  it.each([
    ['does not parse', 'content: "import from ;;"'],
    ['is uncheckable and does not say so', 'content: "void import(z);"'],
    ['says uncheckable and is broken', 'content: "import \'./core.ts\';", expect: uncheckable'],
  ])('takes a fixture that %s for no proof', async (_, fixture) => {
    const report = await prove(`violates: [{ path: src/x.ts, ${fixture} }]`);
    expect(ruleOf(report).proof).toEqual({ state: 'failed', fixtures: 1, caught: 0 });
  });

  it('lists a rule without fixtures as unproven, which is no fault', async () => {
    const report = await prove('');
    expect(ruleOf(report).proof?.state).toBe('unproven');
    expect(report.exitCode).toBe(0);
  });

  const proveRule = async (kind: string, rule: string, options = {}) => {
    repository = makeRepository({
      [RECORD_PATH]: recordWithRule(kind, rule),
      'docs/guide.md': 'Read me.',
      'scripts/ok.sh': 'exit 0\n',
    });
    return ruleOf(await repository.check({ prove: true, ...options }));
  };

  it.each([
    ['a file that is gone', 'require', 'files: [docs/guide.md]', 'docs/guide.md, content: null'],
    [
      'a script that fails',
      'command',
      'run: [sh, scripts/ok.sh]',
      'scripts/ok.sh, content: "exit 3"',
    ],
    [
      'a change against the history',
      'command',
      "shell: 'git diff --quiet HEAD -- docs'",
      'docs/guide.md, content: Do not read me.',
    ],
  ])('shows that a rule sees %s', async (_, kind, rule, fixture) => {
    const proven = await proveRule(kind, `${rule}\nviolates: [{ path: ${fixture} }]`);
    expect(proven.proof).toEqual({ state: 'proven', fixtures: 1, caught: 1 });
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it.each([
    ['require', 'files: [docs/guide.md]', 'docs/other.md, content: x'],
    ['command', 'run: [sh, scripts/ok.sh]', 'docs/other.md, content: x'],
    ['command', 'run: [sh, scripts/gone.sh]', 'scripts/ok.sh, content: exit 1'],
  ])(
    'takes a fixture that changes nothing for a rule of %s for no proof',
    async (kind, rule, fixture) => {
      const { proof } = await proveRule(kind, `${rule}\nviolates: [{ path: ${fixture} }]`);
      expect(proof).toEqual({ state: 'failed', fixtures: 1, caught: 0 });
    },
  );

  it('tries a command beside a link to a directory that git does not hold', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordWithRule(
        'command',
        'run: [test, -f, kept.txt]\nviolates: [{ path: kept.txt, content: null }]',
      ),
      'kept.txt': '',
    });
    symlinkSync(tmpdir(), join(repository.root, 'linked'));
    const { proof } = ruleOf(await repository.check({ prove: true }));
    expect(proof).toEqual({ state: 'proven', fixtures: 1, caught: 1 });
  });

  it('runs no command where none is to run', async () => {
    const rule = 'shell: touch ran\nviolates: [{ path: a, content: x }]';
    const { state, proof } = await proveRule('command', rule, { commands: false });
    expect([state, proof?.state]).toEqual(['skipped', 'unproven']);
  });

  it('writes nothing outside of its tree', async () => {
    const report = await prove('violates: [{ path: ../../x.ts, content: "x" }]');
    expect(ruleOf(report).findings[0]?.message).toMatch(/writes outside/);
  });
});

describe('a configuration that leaves files out', () => {
  const files = { [RECORD_PATH]: GUARD, 'src/core.ts': '', 'src/a.ts': "import './core.ts';" };

  it('is told with the result', async () => {
    repository = makeRepository({ ...files, '.adr.json': '{ "exclude": ["src/a.ts", "old/**"] }' });
    repository.write({ 'src/b.ts': '' });
    const report = await repository.check();
    expect(report).toMatchObject({ exitCode: 0, excluded: 1 });
    expect(summaryText(report)).toContain('the whole tree but for 1 excluded file,');
  });

  it('lets a change look at everything when it changes itself', async () => {
    repository = makeRepository({ ...files, '.adr.json': '{ "exclude": ["src/a.ts"] }' });
    repository.write({ '.adr.json': '{}' });
    expect(ruleOf(await repository.check({ base: 'HEAD' })).state).toBe('violated');
  });
});

describe('the exit code', () => {
  it('is 1 for what is known to be broken, also beside what is not known', async () => {
    repository = makeRepository({
      [RECORD_PATH]: GUARD,
      'src/core.ts': '',
      'src/a.ts': "import './core.ts';\nvoid import(x);",
    });
    expect((await repository.check()).exitCode).toBe(1);
  });

  it('is 2 when something is not known and nothing is broken', async () => {
    repository = makeRepository({
      [RECORD_PATH]: GUARD,
      'src/core.ts': '',
      'src/a.ts': 'void import(x);',
    });
    expect((await repository.check()).exitCode).toBe(2);
  });

  it('is 1 for a record that is broken itself', async () => {
    repository = makeRepository({ [RECORD_PATH]: recordText({ body: '[a](gone.md)' }) });
    const report = await repository.check();
    expect(problemsOf(report)).toHaveLength(1);
    expect(report.exitCode).toBe(1);
  });
});
