import { describe, expect, it } from 'vitest';
import { parsePython } from '../../../../tools/adr/modules/parse-python.ts';
import { createPythonResolver } from '../../../../tools/adr/modules/resolve-python.ts';
import { treeOf } from '../../../../tools/adr/tree/tree.ts';

const mentions = (text: string) =>
  parsePython(text).refs.map(({ kind, specifier }) =>
    kind === 'static' ? specifier : [kind, specifier],
  );

describe('what a Python file imports', () => {
  it.each([
    ['import a.b, c as d', ['a.b', 'c']],
    ['from a.b import c, d as e', ['a.b:c', 'a.b:d']],
    ['from . import c', ['.:c']],
    ['from ..up import (\n  c,\n  d,\n)', ['..up:c', '..up:d']],
    ['from a import *', ['a:*']],
    ['import a \\\n  . b', ['a.b']],
    ['if x:\n  def f():\n    import late', ['late']],
    ['text = "import a"  # import b', []],
  ])('%j', (text, expected) => {
    expect(mentions(text)).toEqual(expected);
  });

  it('is at the line and the column of its statement, shown by its first line', () => {
    expect(parsePython('x = 1\nif x:\n  from a import (\n    b)').refs).toEqual([
      { kind: 'static', specifier: 'a:b', line: 3, column: 3, excerpt: 'from a import (' },
    ]);
  });

  it('is nothing that is known where the file does not parse', () => {
    const { refs, faults } = parsePython('import a\ndef (:\n');
    expect(refs).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
  });
});

describe('what a Python file imports at run time', () => {
  it.each([
    ["importlib.import_module('a.b')", [['dynamic', 'a.b']]],
    ["__import__('a')", [['dynamic', 'a']]],
    ["__import__('a', fromlist=['b'])", [['dynamic', null]]],
    ["importlib.import_module('.b', 'a')", [['dynamic', null]]],
    ['importlib.import_module(name)', [['dynamic', null]]],
    ["importlib.import_module('a\\x2eb')", [['dynamic', null]]],
    ["importlib.import_module(f'a.{b}')", [['dynamic', null]]],
    ["runpy.run_path('tools/x.py')", [['dynamic', 'file:tools/x.py']]],
    ["spec_from_file_location('x', '/srv/x.py')", [['dynamic', 'file:/srv/x.py']]],
    ["pytest.importorskip('a')", [['dynamic', 'a']]],
    ['load = import_module', [['dynamic', null]]],
    ["getattr(importlib, 'import_module')('a')", [['dynamic', null]]],
  ])('%s', (text, expected) => {
    expect(mentions(text)).toEqual(expected);
  });

  it('is not the name of what imports where that is only fetched', () => {
    expect(mentions('from importlib import import_module')).toEqual(['importlib:import_module']);
  });
});

describe('where a module of Python is', () => {
  const tree = treeOf('/nowhere', [
    'pyproject.toml',
    'src/shop/__init__.py',
    'src/shop/db.py',
    'src/shop/web/__init__.py',
    'src/shop/web/app.py',
    'src/shop/types.pyi',
    'tools/setup.py',
    'tools/kit.py',
    'scripts/lone/helper.py',
    'scripts/lone/run.py',
  ]);
  const resolve = createPythonResolver(tree);
  const from = (path: string, specifier: string) => resolve(path, specifier).targets;

  it.each([
    ['src/shop/web/app.py', 'shop.db', ['src/shop/db.py']],
    ['src/shop/web/app.py', 'shop:db', ['src/shop/__init__.py', 'src/shop/db.py']],
    ['src/shop/web/app.py', 'shop:Name', ['src/shop/__init__.py']],
    ['src/shop/web/app.py', '..:db', ['src/shop/__init__.py', 'src/shop/db.py']],
    ['src/shop/web/app.py', '..db:connect', ['src/shop/db.py']],
    ['src/shop/db.py', 'shop.types', ['src/shop/types.pyi']],
    ['src/shop/db.py', 'kit', ['tools/kit.py']],
    ['scripts/lone/run.py', 'helper', ['scripts/lone/helper.py']],
  ])('from %s, %s', (path, specifier, targets) => {
    expect(from(path, specifier)).toEqual(targets);
  });

  it('is a file of the tree even where a relative import leads to none', () => {
    expect(resolve('src/shop/db.py', '.gone:x')).toEqual({
      targets: ['src/shop/gone/x.py', 'src/shop/gone/x/__init__.py'],
      packageName: null,
      known: true,
    });
  });

  it('is in a package where no file has its name', () => {
    expect(resolve('src/shop/db.py', 'sqlalchemy.orm:Session')).toEqual({
      targets: [],
      packageName: 'sqlalchemy',
      known: true,
    });
  });

  it('is wherever a path may begin, and not known for one from the top of a machine', () => {
    expect(from('scripts/lone/run.py', 'file:x.py')).toContain('scripts/lone/x.py');
    expect(from('scripts/lone/run.py', 'file:x.py')).toContain('x.py');
    expect(resolve('scripts/lone/run.py', 'file:/srv/x.py').known).toBe(false);
  });
});
