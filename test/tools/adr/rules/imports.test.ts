import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdrRuleResult } from '../../../../protocol/adr-report.ts';
import {
  type Files,
  RECORD_PATH,
  type Repository,
  makeRepository,
  placesOf,
  recordWithRule,
  ruleOf,
} from '../../../support/decision-repository.ts';

let repositories: Repository[] = [];
const begin = (files: Files): Repository => {
  const repository = makeRepository(files);
  repositories.push(repository);
  return repository;
};
afterEach(() => {
  for (const repository of repositories) repository.dispose();
  repositories = [];
});

const GUARD = 'modules: [src/core.ts]\nallow: [src/door.ts]';
const CORE: Files = { 'src/core.ts': 'export type T = string;\nexport const core = 1;\n' };

async function check(files: Files, rule = GUARD) {
  const repository = begin({
    [RECORD_PATH]: recordWithRule('imports', rule),
    ...CORE,
    ...files,
  });
  return ruleOf(await repository.check());
}

/** A file for each case, looked at in one check; the case's code begins on the second line. */
function checkAll(
  cases: readonly (readonly string[])[],
  ending: string,
  files: Files,
  rule = GUARD,
) {
  let result: AdrRuleResult;
  const pathOf = (name: string): string =>
    `${ending === 'py' ? 'app' : 'src'}/case_${cases.findIndex(([one]) => one === name)}.${ending}`;
  beforeAll(async () => {
    const written = cases.map(([name = '', code = name]) => [pathOf(name), `\n${code}\n`]);
    result = await check({ ...files, ...Object.fromEntries(written) }, rule);
  });
  /** What is told of a case: the lines, and whether it is known to be broken. */
  return (name: string) => {
    const found = result.findings.filter(({ place }) => place?.path === pathOf(name));
    return {
      lines: found.map(({ place }) => place?.line),
      broken: found.some(({ message }) => message.includes('It is so decided.')),
    };
  };
}

const WAYS = [
  ['import', "import { core } from './core.ts';"],
  ['import without names', "import './core.ts';"],
  ['import as the compiler writes it', "import { core } from './core.js';"],
  ['import without an ending', "import { core } from './core';"],
  ['re-export of all', "export * from './core.ts';"],
  ['re-export of a name', "export { core as x } from './core.ts';"],
  ['dynamic import', "void import('./core.ts');"],
  ['dynamic import with a comment', "void import/* x */('./core.ts');"],
  ['dynamic import of a template', 'void import(`./core.ts`);'],
  ['type-only import', "import type { T } from './core.ts';"],
  ['import of a type among values', "import { type T } from './core.ts';"],
  ['type by import', "type X = import('./core.ts').T;"],
  ['import by assignment', "import core = require('./core.ts');"],
  ['require', "const { core } = require('./core.ts');"],
  ['escaped require', "const { core } = r\\u0065quire('./core.ts');"],
  ['require under another name', "const load = require; load('./core.ts');"],
  ['resolved path', "require.resolve('./core.ts');"],
  ['resolved URL', "import.meta.resolve('./core.ts');"],
  ['worker', "new Worker(new URL('./core.ts', import.meta.url));"],
  ['query of a bundler', "import raw from './core.ts?raw';"],
] as const;

describe('an import of a guarded module, in any way', () => {
  const told = checkAll(WAYS, 'ts', {});
  it.each(WAYS)('is caught: %s', (name) => {
    expect(told(name)).toEqual({ lines: [2], broken: true });
  });
});

describe('an import of a guarded module', () => {
  it('is allowed to the door, and to the module itself', async () => {
    const rule = await check({
      'src/door.ts': "export * from './core.ts';",
      'src/a.ts': "export * from './door.ts';",
    });
    expect(rule).toMatchObject({
      state: 'passed',
      examined: { count: 2, unit: 'importing files' },
    });
  });

  it('may be limited to ways of importing', async () => {
    const rule = await check(
      {
        'src/a.ts': "import type { T } from './core.ts';\nexport type X = T;",
        'src/b.ts': "import './core.ts';",
      },
      `${GUARD}\nimportKinds: [static, dynamic]`,
    );
    expect(placesOf(rule)).toEqual(['src/b.ts:1']);
  });

  it('is found through an alias of tsconfig and of package.json', async () => {
    const rule = await check({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'package.json':
        '{ "name": "x", "imports": { "#core": "./src/core.ts" }, "exports": { "./core": "./src/core.ts" } }',
      'src/a.ts': "import { core } from '@/core.ts';",
      'src/b.ts': "import { core } from '#core';",
      'src/c.ts': "import { core } from 'x/core';",
    });
    expect(placesOf(rule)).toEqual(['src/a.ts:1', 'src/b.ts:1', 'src/c.ts:1']);
  });

  it('is found through a package of the same repository that nobody installed', async () => {
    const rule = await check(
      {
        'packages/core/package.json':
          '{ "name": "@acme/core", "exports": { "./deep": "./lib/deep.js" } }',
        'packages/core/lib/deep.js': 'export const x = 1;',
        'packages/core/plain.js': '',
        'packages/app/package.json':
          '{ "name": "@acme/app", "dependencies": { "@acme/core": "*" } }',
        'packages/app/a.js': "import { x } from '@acme/core/deep';",
      },
      'modules: [packages/core/lib/**]',
    );
    expect(placesOf(rule)).toEqual(['packages/app/a.js:1']);
  });

  it('of a package is caught by its name, built-in ones by either', async () => {
    const rule = await check(
      {
        'package.json': '{ "dependencies": { "ws": "1", "@a/b": "1" } }',
        'src/a.ts': "import ws from 'ws';\nimport x from 'ws/lib/x.js';\nimport b from '@a/b/c';",
        'src/b.ts':
          "import { spawn } from 'child_process';\nimport 'node:child_process';\nimport 'node:fs';",
      },
      "packages: [ws, '@a/*', 'node:child_process']",
    );
    expect(placesOf(rule)).toEqual([
      'src/a.ts:1',
      'src/a.ts:2',
      'src/a.ts:3',
      'src/b.ts:1',
      'src/b.ts:2',
    ]);
  });
});

const UNFOLLOWED = [
  ['computed at run time', 'void import(process.argv[2]);'],
  ['template with a hole', 'void import(`./${name}.ts`);'],
  ['require of a variable', 'require(name);'],
  ['require handed on', 'run(require);'],
  ['alias that nothing explains', "import '~/core.ts';"],
] as const;

describe('an import that nobody can follow', () => {
  const told = checkAll(UNFOLLOWED, 'ts', {});
  it.each(UNFOLLOWED)('keeps the rule from passing: %s', (name) => {
    expect(told(name)).toEqual({ lines: [2], broken: false });
  });

  it('and nothing else leaves the rule undecided', async () => {
    expect((await check({ 'src/a.ts': 'void import(name);' })).state).toBe('could_not_check');
  });

  it('may be waived where it stands', async () => {
    const waiver =
      'waivers:\n  - { rule: the-rule, path: src/a.ts, owner: ann, reason: it loads plugins only, expires: 2999-01-01 }';
    const repository = begin({
      [RECORD_PATH]: recordWithRule('imports', GUARD, waiver),
      ...CORE,
      'src/a.ts': 'void import(name);',
    });
    const report = await repository.check();
    expect(ruleOf(report).state).toBe('passed');
    expect(ruleOf(report).findings[0]?.waiver?.owner).toBe('ann');
    expect(report.exitCode).toBe(0);
  });

  it('is not one in the importer that may', async () => {
    const rule = await check({ 'src/door.ts': 'void import(name);', 'src/a.ts': '' });
    expect(rule.state).toBe('passed');
  });
});

describe('a rule that would say nothing', () => {
  it('says so when a file does not parse', async () => {
    const rule = await check({ 'src/a.ts': 'import {' });
    expect(rule.state).toBe('could_not_check');
    expect(rule.findings[0]?.message).toMatch(/cannot be parsed/);
  });

  it('says so when the module is not there', async () => {
    const rule = await check({ 'src/a.ts': '' }, 'modules: [src/moved.ts]');
    expect(rule.findings[0]?.message).toMatch(/nothing to guard/);
    const absent = 'modules: [src/moved.ts]\nallowAbsent: It comes next month.';
    expect((await check({ 'src/a.ts': "import './moved.ts';" }, absent)).state).toBe('violated');
    expect((await check({ 'src/a.ts': '' }, absent)).note).toMatch(/It comes next month/);
  });

  it('says which of its modules are not there', async () => {
    const some = 'modules: [src/moved.ts, src/db/driver.ts]\nallowAbsent: It comes next month.';
    const { note } = await check({ 'src/a.ts': '', 'src/db/driver.ts': '' }, some);
    expect(note).toBe('No file is src/moved.ts: It comes next month.');
  });

  it.each(["'**'", "'**/*'", "src/a.ts, '**'"])('says so when it allows [%s]', async (allow) => {
    const rule = await check({ 'src/a.ts': '' }, `modules: [src/a.ts]\nallow: [${allow}]`);
    expect(rule.state).toBe('could_not_check');
    expect(rule.findings[0]?.message).toMatch(/lets everything through/);
  });

  it('says so when it looks at no file, or at fewer than it should', async () => {
    const none = await check({}, `${GUARD}\nfrom: ['lib/**']`);
    expect(none).toMatchObject({ state: 'could_not_check', examined: { count: 0 } });
    const few = await check({ 'src/a.ts': '' }, `${GUARD}\natLeast: 5`);
    expect(few.findings[0]?.message).toMatch(/looked at 1 importing file, and 5 are the least/);
  });
});

describe('a guarded module of Python', () => {
  const GUARDED = 'modules: [app/db/session.py]\nallow: [app/db/door.py]';
  const base: Files = {
    'app/__init__.py': '',
    'app/db/__init__.py': '',
    'app/db/session.py': 'x = 1\n',
  };

  const STATEMENTS = [
    ['import app.db.session'],
    ['import app.db.session as s, os'],
    ['from app.db import session'],
    ['from app.db.session import x'],
    ['from app.db.session import *'],
    ['from .db import session'],
    ['from .db.session import (\n  x,\n)'],
    ['def f():\n  from app.db import session'],
    ["import importlib\nimportlib.import_module('app.db.session')"],
  ] as const;
  const told = checkAll(STATEMENTS, 'py', base, GUARDED);

  it.each(STATEMENTS)('is found behind %s', (code) => {
    expect(told(code).broken).toBe(true);
  });

  it('is not found behind others, and computed ones cannot be followed', async () => {
    const free = await check({ ...base, 'app/a.py': 'import os\nfrom app import db\n' }, GUARDED);
    expect(free.state).toBe('passed');
    const computed = await check({ ...base, 'app/a.py': '__import__(name)\n' }, GUARDED);
    expect(computed.state).toBe('could_not_check');
    const broken = await check({ ...base, 'app/a.py': 'def f(:\n  pass\n' }, GUARDED);
    expect(broken.state).toBe('could_not_check');
  });

  it('is found below src/', async () => {
    const rule = await check(
      { 'src/app/db.py': '', 'src/app/a.py': 'import app.db\n' },
      'modules: [src/app/db.py]',
    );
    expect(placesOf(rule)).toEqual(['src/app/a.py:1']);
  });
});

describe('a guarded package of Go', () => {
  it('is found by the path of its module', async () => {
    const rule = await check(
      {
        'go.mod': 'module example.com/shop\n\ngo 1.23\n',
        'internal/db/db.go': 'package db\n',
        'cmd/a/main.go':
          'package main\n\nimport (\n\t"fmt"\n\tx "example.com/shop/internal/db"\n)\n\nfunc main() { fmt.Println(x.A) }\n',
        'cmd/b/main.go': 'package main\n\nimport "example.com/shop/internal/dbx"\n',
      },
      'modules: [internal/db/*.go]',
    );
    expect(placesOf(rule)).toEqual(['cmd/a/main.go:5']);
  });

  it('keeps a file that does not parse from passing', async () => {
    const rule = await check(
      { 'go.mod': 'module x\n', 'db/db.go': 'package db\n', 'a.go': 'package main\nfunc {\n' },
      'modules: [db/*.go]',
    );
    expect(rule.state).toBe('could_not_check');
  });
});
