import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENV_FILE_BOUNDS, listEnvFiles } from '../../../runner/guard/env-files.ts';
import { aDirectory } from './repositories.ts';

const aTree = (...files: string[]): string => {
  const top = aDirectory();
  for (const file of files) {
    mkdirSync(join(top, dirname(file)), { recursive: true });
    writeFileSync(join(top, file), 'A_TOKEN=some-value-1\n');
  }
  return top;
};
const found = async (top: string, bounds = {}) =>
  (await listEnvFiles(top, { ...ENV_FILE_BOUNDS, ...bounds })).map((path) => relative(top, path));

describe('the files of variables of a directory', () => {
  test('are found on every level, the nearest first, examples aside', async () => {
    const top = aTree(
      'apps/web/.env.local',
      'apps/.env',
      '.env',
      '.env.test',
      '.env.example',
      '.envrc',
      'env',
      'b/.env.sample',
    );
    expect(await found(top)).toEqual(['.env', '.env.test', 'apps/.env', 'apps/web/.env.local']);
  });

  test('are not looked for in what is installed, or what git keeps', async () => {
    expect(await found(aTree('node_modules/x/.env', 'a/node_modules/.env', '.git/.env'))).toEqual(
      [],
    );
  });

  test('are among links, and none is a way into another directory', async () => {
    const elsewhere = aTree('.env', 'deep/.env');
    const top = aTree('.env');
    symlinkSync(join(elsewhere, '.env'), join(top, '.env.link'));
    symlinkSync(join(elsewhere, 'deep'), join(top, 'deep'));
    symlinkSync(top, join(top, 'round'));
    expect(await found(top)).toEqual(['.env', '.env.link']);
  });

  test('are no more than the bounds allow', async () => {
    const top = aTree('a/b/c/.env', 'a/b/.env', 'a/.env', 'z/.env', '.env');
    expect(await found(top, { levels: 1 })).toEqual(['.env', 'a/.env', 'z/.env']);
    expect(await found(top, { directories: 2 })).toEqual(['.env', 'a/.env']);
    expect(await found(top, { files: 2 })).toEqual(['.env', 'a/.env']);
  });

  test('of a directory that is gone, or that is a file, are none', async () => {
    expect(await found('/nowhere/at/all')).toEqual([]);
    expect(await found(join(aTree('.env'), '.env'))).toEqual([]);
  });

  test('of a directory that nobody may read are passed over', async () => {
    const top = aTree('closed/.env', 'open/.env');
    chmodSync(join(top, 'closed'), 0o000);
    // Whoever is root reads everything.
    const readable = process.getuid?.() === 0 ? ['closed/.env', 'open/.env'] : ['open/.env'];
    expect(await found(top)).toEqual(readable);
    chmodSync(join(top, 'closed'), 0o700);
  });
});
