import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdrRuleResult } from '../../../../protocol/adr-report.ts';
import {
  type Files,
  makeRepository,
  RECORD_PATH,
  type Repository,
  recordWithRule,
  ruleOf,
} from '../../../support/decision-repository.ts';

/** What each file says of the guarded module, and whether that is seen or told as unseeable. */
const SEEN: Files = {
  'src/empty-export.ts': "export {} from './db/driver.ts';",
  'src/empty-export-comment.ts': "export {/* none */} from './db/driver.ts';",
  'src/empty-import.ts': "import {} from './db/driver.ts';",
  'src/namespace.ts': "export * as all from './db/driver.ts';",
  'src/equals.cts': "import all = require('./db/driver.ts');",
  'src/comments.ts': "import/*a*/(/*b*/'./db/driver.ts'/*c*/);",
  'src/template.ts': 'import(`./db/driver.ts`);',
  'src/of-module.cjs': "module.require('./db/driver.ts');",
  'src/of-main.cjs': "require.main.require('./db/driver.ts');",
  'src/of-global.cjs': "globalThis.require('./db/driver.ts');",
  'src/bracket.cjs': "require['resolve']('./db/driver.ts');",
  'src/default.cjs': "exports.load = (load = require) => load('./db/driver.ts');",
  'src/maker.mjs':
    "import { createRequire as make } from 'node:module';\nmake(import.meta.url)('./db/driver.ts');",
  'src/maker-only.mjs':
    "import { createRequire } from 'module';\ncreateRequire('/x')('./db/driver.ts');",
  'src/maker-taken.mjs':
    "const { createRequire: make } = await import('node:module');\nmake(import.meta.url)('./db/driver.ts');",
  'src/maker-bracket.mjs':
    "import all from 'node:module';\nall['createRequire'](import.meta.url)('./db/driver.ts');",
  'src/escape.ts': "requ\\u0069re('./db/dr\\x69ver.ts');",
  'src/from-top.ts': "import '/src/db/driver.ts';",
  'src/windows.cjs': "require('.\\\\db\\\\driver.ts');",
  'src/percent.ts': "import './db/%64river.ts';",
  'src/reference.ts': '/// <reference path="db/driver.ts" />\nexport {};',
  'src/augment.ts': "declare module './db/driver.ts' { interface More {} }\nexport {};",
  'src/declared.d.ts': "export * from './db/driver.ts';",
  'src/mark.ts': "\uFEFFimport './db/driver.ts';",
  'src/breaks.ts': "// a\r\nimport './db/driver.ts';\r\n",
  'src/worker.mjs':
    "import { Worker } from 'node:worker_threads';\nnew Worker('./src/db/driver.ts');",
  'src/worker-page.ts': "new Worker('./db/driver.ts');\nnew SharedWorker('/src/db/driver.ts');",
  'src/worker-renamed.mjs':
    "import { Worker as Thread } from 'worker_threads';\nnew Thread(new URL('./db/driver.ts', import.meta.url));",
  'src/worker-named.ts':
    "const at = new URL('./db/driver.ts', import.meta.url);\nexport const start = () => new Worker(at);",
  'src/worker-module.cjs': "new (require('worker_threads').Worker)('./src/db/driver.ts');",
  'src/fork.mjs': "import { fork } from 'node:child_process';\nfork('src/db/driver.ts');",
  'src/fork-held.cjs':
    "const all = require('child_process');\nall.fork(`${__dirname}/db/driver.ts`);",
  'src/fork-taken.mjs':
    "const { fork: go } = await import('node:child_process');\ngo(join(import.meta.dirname, 'db', 'driver.ts'));",
  'src/fork-builtin.cjs':
    "process.getBuiltinModule('child_process').fork(path.resolve('src', 'db/driver.ts'));",
  'src/fork-address.mjs':
    "import { fork } from 'child_process';\nfork(fileURLToPath(new URL('./db/driver.ts', import.meta.url)));",
  'src/register.mjs':
    "import { register } from 'node:module';\nregister('./db/driver.ts', import.meta.url);",
  'src/underscored.cjs': "require('module')._load('./db/driver.ts');",
  'src/import-scripts.js': "importScripts('./db/driver.ts');",
  'src/service-worker.js': "navigator.serviceWorker.register('/src/db/driver.ts');",
  'src/worklet.js': "context.audioWorklet.addModule('./db/driver.ts');",
  'src/glob.ts': "import.meta.glob('./d*/driver.ts');",
  'src/globs.ts': "import.meta.glob(['./other/*.ts', '/src/db/*.ts', '!**/x.ts']);",
  'src/actual.test.ts': "await vi.importActual('./db/driver.ts');",
  'src/bun.ts': "import.meta.require('./db/driver.ts');",
  'src/joined.cjs': "require(path.join(__dirname, 'db', 'driver.ts'));",
  'src/in-a-name.ts': "const at = './db/driver.ts';\nawait import(at);",
  'src/by-address.ts': "await import(new URL('./db/driver.ts', import.meta.url).href);",
  'src/in-a-choice.ts': "await import(dark ? './db/other.ts' : './db/driver.ts');",
  'src/of-parent.cjs': "module.parent.require('./db/driver.ts');",
  'src/of-class.cjs': "module.constructor._load('./db/driver.ts');",
  'src/under-a-name.cjs': "const held = module;\nheld.require('./db/driver.ts');",
  'src/taken-out.cjs': "const { require: load } = module;\nload('./db/driver.ts');",
  'src/cluster.mjs':
    "import cluster from 'node:cluster';\ncluster.setupPrimary({ exec: 'src/db/driver.ts' });",
  'src/cluster-old.cjs': "require('cluster').setupMaster({ exec: `${__dirname}/db/driver.ts` });",
  'src/import-mock.test.ts': "await vi.importMock('./db/driver.ts');",
  'src/doc-type.js': "/** @type {{ a: import('./db/driver.ts').A }} */\nexport let a;",
  'src/doc-import.js': "/**\n * @import { A } from './db/driver.ts'\n */\nexport let a;",
  'src/ambient.ts': "declare module 'x' {\n  export * from './db/driver.ts';\n}",
  'src/ambient.d.ts': "declare module 'x' {\n  import { A } from './db/driver.ts';\n}",
  'src/reference-types.ts': '/// <reference types="./db/driver.ts" />\nexport {};',
  'src/other-case.ts': "import './DB/Driver.ts';",
  'bin/tool': "#!/usr/bin/env node\nimport '../src/db/driver.ts';",
  'bin/typed': "#!/usr/bin/env -S npx tsx\nimport type { A } from '../src/db/driver.ts';",
  'src/through-link.ts': "import './alias.ts';",
  'src/through-folder.ts': "import './folder/driver.ts';",
};
const UNSEEABLE: Files = {
  'src/sequence.cjs': "(0, require)('./db/driver.ts');",
  'src/called.cjs': "require.call(null, './db/driver.ts');",
  'src/bound.cjs': "const load = require.bind(null);\nload('./db/driver.ts');",
  'src/chosen.cjs': "const load = true ? require : null;\nload('./db/driver.ts');",
  'src/either.cjs': "const load = globalThis.load ?? require;\nload('./db/driver.ts');",
  'src/answered.cjs': "const load = () => require;\nload()('./db/driver.ts');",
  'src/held.cjs': 'exports.all = { require };',
  'src/of-prototype.cjs': "require('module').prototype.require.call(module, './db/driver.ts');",
  'src/extension.cjs': "require.extensions['.js'](module, './db/driver.ts');",
  'src/parts.ts': "import(['./db', 'driver.ts'].join('/'));",
  'src/parts-named.ts': "const parts = ['./db', 'driver.ts'];\nimport(parts.join('/'));",
  'src/in-a-text.ts': `import 'data:text/javascript,import "./db/driver.ts"';`,
  'src/cluster-given.mjs': "import { setupPrimary } from 'cluster';\nsetupPrimary({ ...options });",
  'src/worker-computed.ts': 'new Worker(process.argv[2]);',
  'src/worker-default.mjs':
    "import threads from 'node:worker_threads';\nnew threads.Worker(process.argv[2]);",
  'src/fork-computed.mjs': "import * as all from 'child_process';\nall.fork(process.argv[2]);",
  'src/fork-given.mjs': "import { fork } from 'child_process';\nrun(fork);",
  'src/fork-passed-on.mjs': "export { fork } from 'node:child_process';",
  'src/all-passed-on.mjs': "export * from 'node:worker_threads';",
  'src/glob-alias.ts': "import.meta.glob('@/db/*.ts');",
  'src/shadowed.ts':
    "const at = './db/other.ts';\nexport const load = (at: string) => import(at);\nawait import(at);",
  'src/address.ts': "import('file:///srv/src/db/driver.ts');",
};
const HARMLESS: Files = {
  'src/cluster-plain.mjs':
    "import cluster from 'cluster';\ncluster.setupPrimary({ silent: true });\ncluster.setupPrimary();",
  'src/own-require.ts': "rules.require('a reason');\ncontainer.require(name);",
  'src/doc-example.js': "/** As in `import('./db/driver.ts')`. */\nexport const a = 1;",
  'src/path-join.cjs': "require(path.join('./db/other.ts'));",
  'bin/notes': "import '../src/db/driver.ts' stands in prose.",
  'bin/shell': '#!/bin/sh\nimport ../src/db/driver.ts',
  'src/queue.ts': "import { Worker } from 'bullmq';\nnew Worker(name, work);",
  'src/queue.cjs': "const { Worker } = require('bullmq');\nnew Worker(name, work);",
  'src/own-worker.ts':
    'class Worker {\n  constructor(readonly name: string) {}\n}\nnew Worker(title);',
  'src/forked.ts': 'repository.fork(name);\nconst fork = 1;\nplugins.register(name);',
  'src/worker-text.ts': 'new Worker(text, { eval: true });',
  'src/glob-other.ts': "import.meta.glob('./pages/*.ts');",
  'src/spawn.ts': "import { spawn } from 'node:child_process';\nspawn(name);",
  'src/main.cjs': 'if (require.main === module) void typeof require;',
  'src/other.ts': "import { other } from './db/other.ts';\nexport { other };",
  'src/property.ts': 'export const form = { require: true, createRequire: false };',
};

async function check(rule: string, files: Files, arrange?: (root: string) => void) {
  const repository = makeRepository();
  repository.write({ [RECORD_PATH]: recordWithRule('imports', rule), ...files });
  arrange?.(repository.root);
  repository.commit();
  const result = ruleOf(await repository.check());
  repository.dispose();
  return result;
}

/** What was found in each file: `seen`, `unseeable` or both. */
function byFile(rule: AdrRuleResult): Map<string, string> {
  return new Map(
    rule.findings.map(({ place, message }) => [
      place?.path ?? '-',
      message.includes('It is so decided.') ? 'seen' : 'unseeable',
    ]),
  );
}

describe('a JavaScript file that imports a guarded module in an odd way', () => {
  let found: Map<string, string>;
  beforeAll(async () => {
    const files = {
      'package.json': '{ "dependencies": { "bullmq": "1" } }',
      'src/db/driver.ts': 'export {};',
      'src/db/other.ts': '',
    };
    const rule = await check(
      'modules: [src/db/driver.ts]',
      { ...files, ...SEEN, ...UNSEEABLE, ...HARMLESS },
      (root) => {
        symlinkSync('db/driver.ts', join(root, 'src/alias.ts'));
        symlinkSync('db', join(root, 'src/folder'));
      },
    );
    found = byFile(rule);
  });

  it.each(Object.keys(SEEN))('is caught: %s', (path) => expect(found.get(path)).toBe('seen'));
  it.each(Object.keys(UNSEEABLE))('keeps the rule from passing: %s', (path) =>
    expect(found.get(path)).toBe('unseeable'),
  );
  it.each(Object.keys(HARMLESS))('is left alone when it does not: %s', (path) =>
    expect(found.has(path)).toBe(false),
  );
});

describe('a Python file that imports a guarded module in an odd way', () => {
  const seen: Files = {
    'app/continued.py': 'import app.db.\\\n  driver',
    'app/letters.py': 'import app.db.\uFF44river',
    'app/run.py': 'import runpy\nrunpy.run_module("app.db.driver")',
    'app/run_path.py': 'import runpy\nrunpy.run_path("app/db/driver.py")',
    'app/located.py':
      'from importlib import util\nutil.spec_from_file_location("x", "app/db/driver.py")',
    'app/through_link.py': 'from app import handy',
    'app/through_folder.py': 'import app.folder.driver',
    'app/skips.test.py': 'pytest.importorskip("app.db.driver")',
    'bin/tool': '#!/usr/bin/env python3\nimport app.db.driver',
    'app/named.py': 'import importlib\nimportlib.import_module("app.db.driver")',
  };
  const unseeable: Files = {
    'app/located_anywhere.py': 'util.spec_from_file_location("x", where)',
    'app/renamed.py': 'from importlib import import_module as load\nload("app.db.driver")',
    'app/assigned.py': 'import importlib\nload = importlib.import_module\nload("app.db.driver")',
    'app/taken.py': 'import importlib\ngetattr(importlib, "import_module")("app.db.driver")',
    'app/escaped.py': 'import importlib\nimportlib.import_module("app.db.dr\\x69ver")',
    'app/from_list.py': '__import__("app.db", fromlist=["driver"])',
    'app/relative.py': 'import importlib\nimportlib.import_module(".driver", "app.db")',
  };
  let found: Map<string, string>;
  beforeAll(async () => {
    const files = {
      'app/db/driver.py': 'x = 1',
      'app/fine.py': 'from importlib import import_module',
    };
    found = byFile(
      await check('modules: [app/db/driver.py]', { ...files, ...seen, ...unseeable }, (root) => {
        symlinkSync('db/driver.py', join(root, 'app/handy.py'));
        symlinkSync('db', join(root, 'app/folder'));
      }),
    );
  });

  it.each(Object.keys(seen))('is caught: %s', (path) => expect(found.get(path)).toBe('seen'));
  it.each(Object.keys(unseeable))('keeps the rule from passing: %s', (path) =>
    expect(found.get(path)).toBe('unseeable'),
  );
  it('is left alone when it only knows how to', () => expect(found.has('app/fine.py')).toBe(false));
});

describe('a Go file that imports a guarded package in an odd way', () => {
  const seen: Files = {
    'a/replaced.go': 'package a\n\nimport "example.com/handy/driver"\n',
    'a/replaced_in_block.go': 'package a\n\nimport "example.com/block"\n',
    'a/linked.go':
      'package a\n\nimport _ "unsafe"\n\n//go:linkname open example.com/shop/db/driver.open\nfunc open()\n',
    'a/through_link.go': 'package a\n\nimport "example.com/shop/handy"\n',
    'a/blank.go': 'package a\n\nimport _ "example.com/shop/db/driver"\n',
    'a/in_workspace.go': 'package a\n\nimport "example.com/near"\n',
    'a/raw.go': 'package a\n\nimport . `example.com/shop/db/driver`\n',
  };
  let found: Map<string, string>;
  beforeAll(async () => {
    const files = {
      'go.mod':
        'module example.com/shop\n\nreplace example.com/handy v1.0.0 => ./db\n\nreplace (\n\texample.com/block => ./db/driver\n)\n',
      'go.work': 'go 1.24\n\nuse .\n\nreplace example.com/near => ./db/driver\n',
      'db/driver/driver.go': 'package driver\n',
      'a/fine.go': 'package a\n\nimport "example.com/handy/other"\n',
    };
    found = byFile(
      await check('modules: [db/driver/*.go]', { ...files, ...seen }, (root) =>
        symlinkSync('db/driver', join(root, 'handy')),
      ),
    );
  });

  it.each(Object.keys(seen))('is caught: %s', (path) => expect(found.get(path)).toBe('seen'));
  it('is left alone when it imports another', () => expect(found.has('a/fine.go')).toBe(false));
});

describe('a package of a monorepo that imports a guarded one under another name', () => {
  it('is caught, whatever its manifest calls it', async () => {
    const dependencies = JSON.stringify({
      'by-path': 'file:../db',
      'by-link': 'link:../db',
      'by-workspace': 'workspace:@acme/db@*',
      'by-npm': 'npm:@acme/db@1',
      other: 'npm:left-pad@1',
    });
    const found = byFile(
      await check('modules: [packages/db/**]', {
        'packages/db/package.json': '{ "name": "@acme/db", "main": "index.js" }',
        'packages/db/index.js': '',
        'packages/app/package.json': `{ "name": "@acme/app", "dependencies": ${dependencies} }`,
        'packages/app/a.js': "import 'by-path';",
        'packages/app/b.js': "import 'by-link';",
        'packages/app/c.js': "import 'by-workspace/index.js';",
        'packages/app/d.js': "import 'by-npm';",
        'packages/app/e.js': "import 'other';",
      }),
    );
    expect([...found]).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => [`packages/app/${name}.js`, 'seen']),
    );
  });
});

describe('a file that cannot be read as it is', () => {
  let repository: Repository;
  beforeAll(() => {
    repository = makeRepository();
    repository.write({
      'docs/adr/0001-a.md': recordWithRule('imports', 'modules: [src/db.ts, src/gone.ts]'),
      'docs/adr/0002-a.md': recordWithRule('forbid', "paths: ['src/*.txt']\ntext: 'never$'"),
      '.gitignore': 'hidden\n',
      'src/db.ts': '',
      'src/ends.txt': 'never\r\n',
      'hidden/evil.ts': "import '../src/db.ts';",
    });
    repository.writeBytes('src/latin.ts', Buffer.from("import './d\xFF.ts';", 'latin1'));
    repository.writeBytes('src/latin.txt', Buffer.from('\xFF', 'latin1'));
    symlinkSync('../hidden/evil.ts', join(repository.root, 'src/link.ts'));
    repository.commit();
  });
  afterAll(() => repository.dispose());

  it('is an error and not passed over', async () => {
    const [imports, forbid] = (await repository.check()).records.flatMap((one) => one.rules);
    const words = (rule?: AdrRuleResult) =>
      rule?.findings.map(({ place, message }) => `${place?.path ?? '-'} ${message}`).join('\n');
    expect(words(imports)).toContain('src/latin.ts cannot be parsed (it is not UTF-8 text)');
    expect(words(imports)).toContain('src/link.ts cannot be parsed (it is a link to something');
    expect(words(imports)).toContain('- No file is src/gone.ts, so there is nothing to guard');
    expect(words(forbid)).toContain('src/latin.txt cannot be looked through (it is not UTF-8');
    expect(words(forbid)).toContain('src/ends.txt This must not be here');
  });
});
