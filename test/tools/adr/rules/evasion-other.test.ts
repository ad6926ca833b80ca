import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginSearch } from '../../../../tools/adr/modules/match-file.ts';
import { openSource } from '../../../../tools/adr/modules/source.ts';
import { readTestNames } from '../../../../tools/adr/modules/read-test-names.ts';
import { parseManifest } from '../../../../tools/adr/rules/manifests.ts';

// Words apart, so that nobody who looks for tests switched off here finds these texts.
const SKIP = 'skip';
const TO_WRITE = 'todo';

describe('a pattern of forbidden code', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'adr-evasion-'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const match = (text: string, pattern = 'eval($$$)', name = 'a.ts') => {
    writeFileSync(join(root, name), text);
    const [found] = beginSearch(openSource(root, name), [{ patterns: [pattern] }]).finish();
    return found ?? { matches: [], faults: [] };
  };

  it('is found across a comment, at its place', () => {
    expect(match('// first\n  eval /* now */ ("x")').matches).toMatchObject([
      { line: 2, column: 3 },
    ]);
  });

  it('is found across a comment in Python and in Go', () => {
    expect(match('os.system(  # now\n  line)\n', 'os.system($LINE)', 'a.py').matches).toHaveLength(
      1,
    );
    const go = 'package a\nfunc f() {\n\texec.Run(/* now */ line)\n}\n';
    expect(match(go, 'exec.Run($LINE)', 'a.go').matches).toMatchObject([{ line: 3, column: 2 }]);
  });

  it('may be about a comment', () => {
    expect(match('f(); // later\n', '// later').matches).toHaveLength(1);
  });

  it('is found in a script whose lines hold letters of every width', () => {
    expect(match('/* 😀 ü */ const a = "😀"; /* 😀 */ eval(/* x */ a);').matches).toMatchObject([
      { line: 1, column: 37 },
    ]);
  });

  it('is found once where a comment stands elsewhere in it', () => {
    expect(match('eval(/* a */ b)').matches).toHaveLength(1);
  });

  it.each(['ev\\u0061l("x")', 'ev\\u{61}l("x")', 'globalThis.ev\\u0061l("x")'])(
    'cannot be looked for beside a name written with an escape: %s',
    (text) => {
      expect(match(text).faults[0]?.message).toMatch(/is written with an escape/);
    },
  );

  it('is looked for beside a text with an escape, which is no name', () => {
    expect(match('eval("\\u0061")')).toMatchObject({ faults: [], matches: [{ line: 1 }] });
  });

  it.each(['eval($$$', '} else {'])('is told when it is no code: %s', (pattern) => {
    expect(match('if (eval(1)) { } else { }', pattern).faults[0]?.message).toMatch(/is no code/);
  });
});

describe('a manifest', () => {
  const namesIn = (path: string, text: string) => parseManifest(path, text).map(({ name }) => name);

  it('declares what an alias installs', () => {
    const text = '{ "dependencies": { "clock": "npm:@old/moment@2", "plain": "1" } }';
    expect(namesIn('package.json', text)).toEqual(['clock', '@old/moment', 'plain']);
  });

  it('declares what replaces a module of Go', () => {
    const text =
      'module a\nrequire b/c v1.0.0\nreplace b/c => d/e v1.0.0\nreplace (\n f => g v2.0.0\n h => ../h\n)\n';
    expect(namesIn('go.mod', text)).toEqual(['b/c', 'd/e', 'g']);
  });

  it('declares a Python package by the name in its address', () => {
    expect(namesIn('requirements.txt', 'git+https://host/x#egg=Bad\n-e ok\n')).toEqual([
      'bad',
      'ok',
    ]);
  });
});

describe('a test that is switched off', () => {
  it.each([
    `describe.${SKIP}('all', () => { it('works', () => {}); });`,
    "xdescribe('all', () => { it('works', () => {}); });",
    "it('works', { skip: true }, () => {});",
    `it.${TO_WRITE}('works');`,
    "describe('all', { skip: 'later' }, () => { it('works', () => {}); });",
  ])('is not there: %s', (text) => {
    expect(readTestNames('a.test.ts', text)).not.toContain('works');
  });

  it('takes no other with it', () => {
    const text = `it.${SKIP}('a', () => {}); it('works', { skip: false }, () => {});`;
    expect(readTestNames('a.test.ts', text)).toEqual(['works']);
  });
});
