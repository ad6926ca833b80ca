import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGraph } from '../../../../tools/adr/modules/graph.ts';
import { treeOf } from '../../../../tools/adr/tree/tree.ts';

/** More than one thread reads alone. */
const MANY_FILES = 900;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adr-graph-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  return treeOf(root, Object.keys(files));
}

const linesOf = (found: readonly { path: string; matches: readonly { line: number }[] }[]) =>
  found.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`));

describe('several questions to one file', () => {
  it('are each answered by what they ask', async () => {
    const tree = write({
      'a.ts': "import './b.ts';\n/* why */ eval(x);\nconst y = 1 + 1;\n",
      'b.ts': '// eval(x)\nexport const z = 2;\n',
    });
    await using graph = createGraph(tree);
    const evals = { patterns: ['eval($$$)'] };
    const sums = { patterns: ['1 + 1', '2 + 2'] };
    const none = { patterns: ['z + z'] };
    const rule = { match: { kind: 'number', regex: '^2$' } };
    const words = { text: 'why|const z' };
    const queries = [evals, sums, none, rule, words];
    const searches = queries.map((query) => ({ paths: tree.files, query }));
    await graph.read([{ edges: tree.files, searches }]);
    expect(graph.edgesOf(['a.ts'])[0]?.edges.map(({ targets }) => targets)).toEqual([['b.ts']]);
    expect(linesOf(graph.matchesOf(evals))).toEqual(['a.ts:2']);
    expect(linesOf(graph.matchesOf(sums))).toEqual(['a.ts:3']);
    expect(linesOf(graph.matchesOf(none))).toEqual([]);
    expect(linesOf(graph.matchesOf(rule))).toEqual(['b.ts:2']);
    expect(linesOf(graph.matchesOf(words))).toEqual(['a.ts:2', 'b.ts:2']);
  });

  it('are none of them answered by a file that does not parse', async () => {
    const tree = write({ 'a.ts': 'const a = ;\n' });
    await using graph = createGraph(tree);
    const queries = [{ patterns: ['a + a'] }, { patterns: ['a - a'] }];
    const searches = queries.map((query) => ({ paths: tree.files, query }));
    await graph.read([{ edges: tree.files, searches }]);
    expect(graph.edgesOf(['a.ts'])[0]?.faults).toHaveLength(1);
    for (const query of queries) expect(graph.matchesOf(query)[0]?.faults).toHaveLength(1);
  });

  it('find a node that the parser of patterns put in, though another parser sees no fault', async () => {
    const tree = write({ 'a.py': 'value = [1\nvalue + value\n' });
    await using graph = createGraph(tree);
    const query = { patterns: ['value + value'] };
    await graph.read([{ edges: [], searches: [{ paths: tree.files, query }] }]);
    expect(graph.matchesOf(query)[0]?.faults.length).toBeGreaterThan(0);
  });

  it('are thrown to whoever asks without having had anything read', async () => {
    await using graph = createGraph(write({ 'a.ts': '' }));
    expect(() => graph.edgesOf(['a.ts'])).toThrow('was not read');
    expect(() => graph.matchesOf({ text: 'x' })).toThrow('was not read');
  });
});

describe('a tree that threads read', () => {
  it('is answered as by one thread, in the order of its paths', async () => {
    const names = Array.from({ length: MANY_FILES }, (_, index) => `f${index}.ts`);
    const tree = write(
      Object.fromEntries(names.map((name, at) => [name, `import './f0.ts';\nuse(${at});\n`])),
    );
    await using graph = createGraph(tree);
    graph.warm();
    const query = { patterns: ['use($N)'] };
    const reads = { edges: tree.files, searches: [{ paths: tree.files, query }] };
    await graph.read([reads]);
    const edges = graph.edgesOf(tree.files);
    expect(edges.map(({ path }) => path)).toEqual(tree.files);
    expect(edges.every((file) => file.edges[0]?.targets[0] === 'f0.ts')).toBe(true);
    expect(graph.matchesOf(query).map(({ path }) => path)).toEqual(tree.files);
  });

  it('tells whoever asks when it cannot be read at all', async () => {
    const names = Array.from({ length: MANY_FILES }, (_, index) => `g${index}.ts`);
    const tree = write(Object.fromEntries(names.map((name) => [name, ''])));
    const graph = createGraph(tree);
    // A query that no thread can be given: functions are not copied.
    const query = { match: { kind: (() => 'number') as unknown as string } };
    await graph.read([{ edges: tree.files, searches: [{ paths: tree.files, query }] }]);
    expect(() => graph.edgesOf(tree.files)).toThrow('could not be cloned');
    await graph[Symbol.asyncDispose]();
  });
});
