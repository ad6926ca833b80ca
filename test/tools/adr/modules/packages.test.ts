import { describe, expect, it } from 'vitest';
import { readPackages } from '../../../../tools/adr/modules/packages.ts';
import { treeOf } from '../../../../tools/adr/tree/tree.ts';

/** A tree that is on no disk. */
const packagesOf = (files: Record<string, unknown>) => {
  const texts = new Map(
    Object.entries(files).map(([path, value]) => [
      path,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const { own, declared } = readPackages({ ...treeOf('/nowhere', [...texts.keys()]), texts });
  return {
    own: Object.fromEntries(own.map(({ name, directory }) => [name, directory])),
    declared: [...declared].sort(),
  };
};

describe('the packages of a tree', () => {
  it('are those that lie in it, by name and directory, and those that any section declares', () => {
    const files = {
      'package.json': { name: 'shop', devDependencies: { vitest: '5' } },
      'packages/db/package.json': {
        name: '@shop/db',
        dependencies: { pg: '8' },
        peerDependencies: { zod: '4' },
        optionalDependencies: { sharp: '1' },
      },
    };
    expect(packagesOf(files)).toEqual({
      own: { shop: '.', '@shop/db': 'packages/db' },
      declared: ['pg', 'sharp', 'vitest', 'zod'],
    });
  });

  it('are known too by the name under which a directory is depended on', () => {
    const files = {
      'apps/web/package.json': {
        dependencies: { db: 'file:../../packages/db', ui: 'link:../ui', kit: 'portal:./kit' },
      },
    };
    expect(packagesOf(files).own).toEqual({
      db: 'packages/db',
      ui: 'apps/ui',
      kit: 'apps/web/kit',
    });
  });

  it('are known by another name of one of their own, and of no stranger', () => {
    const files = {
      'package.json': {
        dependencies: { a: 'workspace:@shop/db@*', b: 'npm:@shop/db@^1', c: 'npm:moment@2' },
      },
      'db/package.json': { name: '@shop/db' },
    };
    expect(packagesOf(files).own).toEqual({ '@shop/db': 'db', a: 'db', b: 'db' });
  });

  it('are declared by their types', () => {
    const types = { '@types/node': '24', '@types/babel__core': '7' };
    expect(packagesOf({ 'package.json': { dependencies: types } }).declared).toEqual([
      '@babel/core',
      '@types/babel__core',
      '@types/node',
      'node',
    ]);
  });

  it.each([
    ['is no JSON', '{ "dependencies": '],
    ['is a list', []],
    ['has a name that is none', { name: 5, dependencies: { pg: '8' } }],
  ])('are not named by a manifest that %s', (_what, text) => {
    expect(packagesOf({ 'package.json': text })).toEqual({ own: {}, declared: [] });
  });

  it('are named by the sections that can be read beside one that cannot', () => {
    const manifest = { dependencies: { pg: 8 }, devDependencies: { vitest: '5' } };
    expect(packagesOf({ 'package.json': manifest }).declared).toEqual(['vitest']);
  });
});
