import { afterEach, describe, expect, it } from 'vitest';
import {
  type Files,
  RECORD_PATH,
  type Repository,
  makeRepository,
  placesOf,
  problemsOf,
  recordWithRule,
  ruleOf,
} from '../../../support/decision-repository.ts';

/** In two parts, so that a search for switched-off tests finds none here. */
const OFF = ['it', 'skip'].join('.');

let repository: Repository | null = null;
afterEach(() => {
  repository?.dispose();
  repository = null;
});

async function check(kind: string, rule: string, files: Files) {
  repository?.dispose();
  repository = makeRepository({ [RECORD_PATH]: recordWithRule(kind, rule), ...files });
  const report = await repository.check();
  expect(problemsOf(report)).toEqual([]);
  return ruleOf(report);
}

describe('layers', () => {
  const LAYERS =
    "layers:\n  - { name: web, paths: ['web/**'] }\n  - { name: core, paths: ['core/**'], packages: [zod], bannedPackages: ['node:*'] }\nwithin: ['{web,core,new}/**']";
  const both: Files = {
    'package.json': '{ "dependencies": { "zod": "1", "ws": "1" } }',
    'web/a.ts': '',
    'core/a.ts': '',
  };

  it('may be imported from above and not from below', async () => {
    const up = {
      ...both,
      'core/b.ts': "import '../web/a.ts';",
      'web/b.ts': "import '../core/a.ts';",
    };
    expect(placesOf(await check('layers', LAYERS, up))).toEqual(['core/b.ts:1']);
  });

  it('say which packages they take', async () => {
    const files = {
      ...both,
      'core/b.ts': "import 'zod';\nimport 'ws';\nimport 'fs';",
      'web/b.ts': "import 'ws';",
    };
    expect(placesOf(await check('layers', LAYERS, files))).toEqual(['core/b.ts:2', 'core/b.ts:3']);
  });

  it('hold every file that must belong to one', async () => {
    const files = { ...both, 'new/a.ts': '', 'web/b.ts': "export * from '../new/a.ts';" };
    expect(placesOf(await check('layers', LAYERS, files))).toEqual(['new/a.ts', 'web/b.ts:1']);
  });

  it('may name what each may import', async () => {
    const may =
      "layers:\n  - { name: a, paths: ['a/**'], may: [c] }\n  - { name: b, paths: ['b/**'], may: [] }\n  - { name: c, paths: ['c/**'] }";
    const files = {
      'a/x.ts': "import '../b/x.ts';\nimport '../c/x.ts';",
      'b/x.ts': '',
      'c/x.ts': '',
    };
    expect(placesOf(await check('layers', may, files))).toEqual(['a/x.ts:1']);
  });

  it('that hold nothing say so', async () => {
    const rule = await check('layers', LAYERS, { ...both, 'core/a.ts': '', 'web/a.ts': '' });
    expect(rule.state).toBe('passed');
    const empty = await check('layers', LAYERS, { 'web/a.ts': '' });
    expect(empty.findings[0]?.message).toMatch(/layer `core` holds no file/);
    expect(empty.state).toBe('could_not_check');
  });
});

describe('forbidden code', () => {
  const TIMERS = "paths: ['src/**']\npatterns: ['setTimeout($$$)', 'eval($A)']";

  it('is found as code, not in words about it', async () => {
    const files = {
      'src/a.ts':
        '// setTimeout(x)\nconst s = "setTimeout(x)";\nsetTimeout(() => {\n  done();\n}, 5);\n',
      'src/b.tsx': 'const x = <b>{eval("1")}</b>;\n',
      'src/c.cjs': 'eval(a, b);\n',
    };
    expect(placesOf(await check('forbid', TIMERS, files))).toEqual(['src/a.ts:3', 'src/b.tsx:1']);
  });

  it('is found in Python and Go', async () => {
    const rule = "paths: ['**/*.{py,go}']\npatterns: ['print($$$)', 'fmt.Println($$$)']";
    const files = {
      'a.py': 'x = "print(1)"\nprint(x)\n',
      'a.go': 'package a\n\nfunc f() { fmt.Println("x") }\n',
    };
    expect(placesOf(await check('forbid', rule, files))).toEqual(['a.go:3', 'a.py:2']);
  });

  it('is found by a rule object where a pattern cannot say it', async () => {
    const rule =
      "paths: ['src/**']\nmatch: { kind: call_expression, has: { field: function, regex: '^fetch$' }, not: { inside: { kind: try_statement, stopBy: end } } }";
    const files = { 'src/a.ts': 'fetch(a);\ntry { fetch(b); } catch {}\n' };
    expect(placesOf(await check('forbid', rule, files))).toEqual(['src/a.ts:1']);
  });

  it('is not found where a file does not parse, and that is said', async () => {
    const rule = await check('forbid', TIMERS, { 'src/a.ts': 'setTimeout((\n' });
    expect(rule).toMatchObject({ state: 'could_not_check', examined: { count: 1 } });
  });

  it('needs no parsing where none of its words is', async () => {
    expect((await check('forbid', TIMERS, { 'src/a.ts': 'broken ((\n' })).state).toBe('passed');
  });

  it('by a pattern in a kind of file without a parser is told to be text', async () => {
    const rule = await check('forbid', TIMERS, { 'src/a.rs': 'eval(1)' });
    expect(rule.findings[0]?.message).toMatch(/look for `text`/);
  });

  it('as text is found line by line in any file', async () => {
    const rule = await check('forbid', "paths: ['**/*.sql']\ntext: '(?i:drop\\s+table)'", {
      'a.sql': 'select 1;\nDROP  TABLE x;\n',
      'a.md': 'drop table',
    });
    expect(placesOf(rule)).toEqual(['a.sql:2']);
    expect(rule.findings[0]?.excerpt).toBe('DROP  TABLE x;');
  });

  it('by a broken expression could not be checked', async () => {
    expect((await check('forbid', "paths: ['**/*.sql']\ntext: '('", { 'a.sql': '' })).state).toBe(
      'could_not_check',
    );
    const nonsense = "paths: ['**/*.ts']\nmatch: { kind: no_such_kind }";
    expect((await check('forbid', nonsense, { 'a.ts': 'x;' })).state).toBe('could_not_check');
  });
});

describe('what must be there', () => {
  it('is files, exports, tests and dependencies', async () => {
    const rule = [
      "files: ['docs/adr/*.md', 'LICENSE']",
      'exports: [{ file: src/a.ts, names: [one, two, default] }, { file: a.py, names: [f] }]',
      "tests: [{ files: ['test/**'], names: ['keeps money whole', 'is there', 'test_it'] }]",
      'dependencies: [{ manifest: package.json, names: [zod, ws] }]',
    ].join('\n');
    const found = await check('require', rule, {
      'src/a.ts': 'export const one = 1;\nconst two = 2;\nexport default two;\n',
      'a.py': 'class A:\n  def f(self):\n    pass\n',
      'test/a.test.ts': `${OFF}('is there', () => {}); test.each([1])('keeps money whole', () => {});\n`,
      'test/test_a.py': 'def test_it():\n  pass\n',
      'package.json': '{ "devDependencies": { "zod": "1" } }',
    });
    expect(found.examined.count).toBe(11);
    expect(
      found.findings
        .map((finding) => finding.message.split('. ')[0] ?? '')
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual([
      'No file is LICENSE, and one must be there',
      'No test in test/** is called "is there", and one must be',
      'a.py does not export f, and must',
      'package.json does not declare ws, and must',
      'src/a.ts does not export two, and must',
    ]);
  });

  it('is a folder of tests for each of many things', async () => {
    const rule = "forEach: { each: 'engines/*/', except: [base], files: ['test/{name}-*/*.json'] }";
    const found = await check('require', rule, {
      'engines/a/x.ts': '',
      'engines/b/x.ts': '',
      'engines/base/x.ts': '',
      'test/a-1/x.json': '{}',
    });
    expect(found.examined.count).toBe(2);
    expect(placesOf(found)).toEqual(['engines/b']);
  });

  it('for each of nothing is nothing checked', async () => {
    const found = await check('require', "forEach: { each: 'engines/*/', files: ['x'] }", {});
    expect(found.state).toBe('could_not_check');
  });

  it('in a file that does not parse is not known', async () => {
    const rule = 'exports: [{ file: a.ts, names: [x] }]';
    expect((await check('require', rule, { 'a.ts': 'export {' })).state).toBe('could_not_check');
  });
});

describe('dependencies', () => {
  it.each([
    ['package.json', '{ "dependencies": { "left-pad": "1" }, "devDependencies": { "zod": "1" } }'],
    ['pyproject.toml', '[project]\nname = "x"\ndependencies = ["Left_Pad>=1", "zod"]\n'],
    ['requirements.txt', '# x\nzod==1\nleft-pad[extra]==2\n'],
    ['go.mod', 'module x\n\nrequire (\n\tleft-pad v1.0.0\n\tzod v1.0.0 // indirect\n)\n'],
  ])('are banned in %s', async (manifest, text) => {
    const found = await check('dependencies', `manifests: ['${manifest}']\nban: [left-*]`, {
      [manifest]: text,
    });
    expect(found.examined.count).toBe(2);
    expect(found.findings.map((finding) => finding.place?.path)).toEqual([manifest]);
    expect(found.findings[0]?.excerpt).toMatch(/left.pad/i);
  });

  it('are not checked by a rule that allows all of them', async () => {
    const files = { 'package.json': '{ "dependencies": { "zod": "1" } }' };
    const open = await check('dependencies', "allow: ['*']", files);
    expect(open).toMatchObject({ state: 'could_not_check' });
    expect((await check('dependencies', "allow: ['*']\nban: [ws]", files)).state).toBe('passed');
  });

  it('may be the allowed ones only, in the sections that are meant', async () => {
    const rule = 'allow: [zod]\nsections: [dependencies]';
    const text = '{ "dependencies": { "zod": "1" }, "devDependencies": { "ws": "1" } }';
    expect((await check('dependencies', rule, { 'package.json': text })).state).toBe('passed');
    const all = await check('dependencies', 'allow: [zod]', { 'package.json': text });
    expect(all.findings[0]?.message).toMatch(/declares ws \(devDependencies\); allowed are zod/);
  });

  it('of a manifest that cannot be read are not known', async () => {
    const found = await check('dependencies', 'ban: [x]', { 'package.json': '{' });
    expect(found.state).toBe('could_not_check');
  });

  it('of no manifest at all are nothing checked', async () => {
    expect((await check('dependencies', 'ban: [x]', {})).state).toBe('could_not_check');
  });
});

describe('a command', () => {
  it('must end with 0, and its last words are kept', async () => {
    expect((await check('command', "run: ['true']", {})).state).toBe('passed');
    const failed = await check('command', "run: [sh, -c, 'echo out; echo err >&2; exit 3']", {});
    expect(failed.state).toBe('violated');
    expect(failed.findings[0]?.excerpt).toMatch(/out[\s\S]*err|err[\s\S]*out/);
  });

  it('is given to no shell unless the record says so', async () => {
    expect((await check('command', "run: [echo, 'a; exit 3']", {})).state).toBe('passed');
    expect((await check('command', "shell: 'echo a; exit 3'", {})).state).toBe('violated');
  });

  it('that cannot be started or does not end leaves it open', async () => {
    const missing = await check('command', 'run: [no-such-program-here]', {});
    expect(missing).toMatchObject({ state: 'could_not_check' });
    const endless = await check('command', "run: [sleep, '60']\ntimeoutSeconds: 0.2", {});
    expect(endless.state).toBe('could_not_check');
    expect(endless.findings[0]?.message).toMatch(/had not ended after 0.2 s/);
  });

  it('does not run where commands are not wanted', async () => {
    repository = makeRepository({ [RECORD_PATH]: recordWithRule('command', "run: ['false']") });
    const report = await repository.check({ commands: false });
    expect(ruleOf(report).state).toBe('skipped');
    expect(report.exitCode).toBe(0);
  });
});

describe('an advisory rule', () => {
  it('is told and never fails', async () => {
    const found = await check('advisory', "paths: ['*.ts']", { 'a.ts': '' });
    expect(found).toMatchObject({ level: 'advisory', state: 'passed', note: 'It is so decided.' });
  });

  it('of another kind finds what it finds, and the build passes', async () => {
    const rule = recordWithRule('forbid', "level: advisory\npaths: ['*.ts']\ntext: x");
    repository = makeRepository({ [RECORD_PATH]: rule, 'a.ts': 'x' });
    const report = await repository.check();
    expect(ruleOf(report).state).toBe('violated');
    expect(report.exitCode).toBe(0);
  });
});
