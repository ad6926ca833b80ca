import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDirectoryOf, layoutOf, PRODUCT_ROOT } from '../../../runner/host/layout.ts';

describe('where the product lies', () => {
  it('is where its manifest and its configuration are', () => {
    for (const name of ['package.json', 'wrangler.toml', 'migrations'])
      expect({ name, there: existsSync(join(PRODUCT_ROOT, name)) }).toEqual({ name, there: true });
  });
});

describe('the layout of a data directory', () => {
  const layout = layoutOf('/data');

  it('is all below the directory, at one level', () => {
    const { root, ...rest } = layout;
    expect(root).toBe('/data');
    expect(new Set(Object.values(rest).map(dirname))).toEqual(new Set(['/data']));
  });

  it('has a place of its own for everything', () => {
    const places = Object.values(layout);
    expect(new Set(places).size).toBe(places.length);
  });

  it('is absolute whatever is given, so that a child in another directory finds the same', () => {
    expect(layoutOf('here').root).toBe(resolve('here'));
    expect(layoutOf('/data/../other/.').root).toBe('/other');
  });
});

describe('which data directory is meant', () => {
  it.each([
    ['/x', '/y', '/x'],
    [undefined, '/y', '/y'],
    ['', '/y', '/y'],
    [undefined, '', join(homedir(), '.pilothouse')],
    ['rel', undefined, resolve('rel')],
  ])('by option %j and environment %j is %s', (option, variable, directory) => {
    const env = variable === undefined ? {} : { PILOTHOUSE_DATA: variable };
    expect(dataDirectoryOf(option, env)).toBe(directory);
  });

  it('lies in the home that the environment names', () => {
    expect(dataDirectoryOf(undefined, { HOME: '/home/ada' })).toBe('/home/ada/.pilothouse');
  });
});
