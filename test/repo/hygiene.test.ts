import { describe, expect, it } from 'vitest';
import {
  findBareDisables,
  findBrokenFences,
  findMachinePaths,
  findMarkers,
  findSkippedTests,
} from './hygiene.ts';
import { listCode, listFiles, readSources } from './source-files.ts';

const code = listCode().filter((file) => !file.path.startsWith('test/repo/'));
const text = readSources(
  listFiles().filter((path) =>
    /\.(ts|tsx|mjs|json|jsonl|md|toml|sql|sh|css|html|npmrc)$|^\.ci\//.test(path),
  ),
).filter((file) => !file.path.startsWith('test/repo/'));

/** In two parts, so that a search for either finds no such line in this file. */
const MARKER = ['TO', 'DO'].join('');
// A test switched off would be found in this file itself.
const FOCUS = 'only';
const HOME = ['ro', 'ot'].join('');

const a = (line: string) => [{ path: 'runner/a.ts', text: line }];

describe('the repository', () => {
  it('looks at something', () => {
    console.log(`hygiene: examined ${code.length} code files and ${text.length} text files`);
    expect(code.length).toBeGreaterThan(50);
    expect(text.length).toBeGreaterThan(code.length);
  });

  it('switches no lint rule off without a reason', () => {
    expect(findBareDisables(code)).toEqual([]);
    expect(findBareDisables(a('// oxlint-disable-next-line no-console'))).toHaveLength(1);
    expect(findBareDisables(a('// oxlint-disable-next-line no-console -- the CLI prints'))).toEqual(
      [],
    );
  });

  it('leaves no markers of unfinished work', () => {
    expect(findMarkers(code)).toEqual([]);
    expect(findMarkers(a(`// ${MARKER}: later`))).toHaveLength(1);
  });

  it('switches no test off and focuses none', () => {
    expect(findSkippedTests(code)).toEqual([]);
    expect(findSkippedTests(a(`it.${FOCUS}('x', () => {})`))).toHaveLength(1);
  });

  it('names no path of one machine and pins no download address', () => {
    expect(findMachinePaths(text)).toEqual([]);
    expect(findMachinePaths(a(`cat /${HOME}/.npmrc`))).toHaveLength(1);
    expect(findMachinePaths(a(`at main (file:///${HOME}/a.js:1:2)`))).toHaveLength(1);
    expect(findMachinePaths(a('"resolved": "https://example.com/a.tgz"'))).toHaveLength(1);
    expect(findMachinePaths(a('registry=https://npm.example.com/'))).toHaveLength(1);
  });

  it('begins every fence of its pages on a line of its own, and closes it', () => {
    const pages = text.filter(({ path }) => path.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(50);
    expect(findBrokenFences(pages)).toEqual([]);
    const page = (...lines: string[]) => [{ path: 'docs/a.md', text: lines.join('\n') }];
    const lines = (...of: string[]) => findBrokenFences(page(...of)).map(({ line }) => line);
    expect(lines('```sh', 'ls', '```', '- so:', '  ```', '  ls', '  ```')).toEqual([]);
    expect(lines('Now: ```sh', 'ls', '```')).toEqual([1, 3]);
    expect(lines('```sh', 'ls', '```sh', 'ls', '```')).toEqual([3]);
    expect(lines('```sh', 'ls')).toEqual([1]);
  });
});
