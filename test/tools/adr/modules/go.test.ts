import { describe, expect, it } from 'vitest';
import { parseGo } from '../../../../tools/adr/modules/parse-go.ts';
import { createGoResolver } from '../../../../tools/adr/modules/resolve-go.ts';
import { treeOf } from '../../../../tools/adr/tree/tree.ts';

const importsOf = (text: string) => parseGo(`package a\n${text}`).refs.map((ref) => ref.specifier);

describe('what a Go file imports', () => {
  it.each([
    ['import "fmt"', ['fmt']],
    ['import (\n\tx "a/b"\n\t_ "c"\n\t. "d"\n)', ['a/b', 'c', 'd']],
    ['import `raw/path`', ['raw/path']],
    ['import "a\\u0062"', [null]],
    ['var text = "import \\"x\\""', []],
    ['//go:linkname open example.com/shop/internal/db.open', ['example.com/shop/internal/db']],
    ['// a comment about //go:linkname a b.c', []],
  ])('%j', (text, expected) => {
    expect(importsOf(text)).toEqual(expected);
  });

  it('is at its own place, and not known in a file that does not parse', () => {
    expect(parseGo('package a\nimport (\n\t"fmt"\n)').refs).toMatchObject([
      { line: 3, column: 2, excerpt: '"fmt"' },
    ]);
    expect(parseGo('package a\nfunc {').faults.length).toBeGreaterThan(0);
  });
});

describe('where a package of Go is', () => {
  const texts = new Map([
    ['go.mod', 'module example.com/shop\n\nreplace example.com/old v1.0.0 => ./legacy\n'],
    ['cmd/go.mod', 'module "example.com/shop/tools"\nreplace (\n\tkit => ../kit\n)\n'],
    ['db/a.go', ''],
    ['db/b.go', ''],
    ['db/notes.txt', ''],
    ['cmd/gen/main.go', ''],
    ['legacy/api/x.go', ''],
    ['kit/k.go', ''],
  ]);
  const resolve = createGoResolver({ ...treeOf('/nowhere', [...texts.keys()]), texts });
  const of = (specifier: string) => resolve('main.go', specifier);

  it.each([
    ['every file of its directory', 'example.com/shop/db', ['db/a.go', 'db/b.go']],
    ['in the innermost module', 'example.com/shop/tools/gen', ['cmd/gen/main.go']],
    ['in what replaces it', 'example.com/old/api', ['legacy/api/x.go']],
    ['in what replaces it in a block', 'kit', ['kit/k.go']],
    ['in a directory that is not there', 'example.com/shop/gone', ['gone/_.go']],
  ])('%s', (_where, specifier, targets) => {
    expect(of(specifier)).toEqual({ targets, packageName: null, known: true });
  });

  it.each(['fmt', 'example.com/shopping', 'example.com/other/db'])('elsewhere: %s', (specifier) => {
    expect(of(specifier)).toEqual({ targets: [], packageName: specifier, known: true });
  });
});
