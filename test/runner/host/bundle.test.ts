import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildParts, outputOf, WORKER_PART } from '../../../runner/host/build.ts';
import { BUNDLE_MANIFEST, readBundle } from '../../../runner/host/bundle.ts';
import { PRODUCT_ROOT } from '../../../runner/host/layout.ts';
import { temporaryDirectory } from './temporary.ts';

function aBundle(manifest: unknown): string {
  const directory = temporaryDirectory();
  writeFileSync(
    join(directory, BUNDLE_MANIFEST),
    typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
  );
  return directory;
}

describe('a built Worker', () => {
  it('is read with the path of its one module', () => {
    const migrations = [{ name: '0000.sql', statements: ['CREATE TABLE a (b)'] }];
    const directory = aBundle({ options: { compatibilityDate: '2026-01-01' }, migrations });
    expect(readBundle(directory)).toEqual({
      options: { compatibilityDate: '2026-01-01' },
      migrations,
      script: join(directory, 'index.js'),
    });
  });

  it.each([
    '',
    '{',
    '{}',
    '{"options":{},"migrations":[{"name":"x"}]}',
    '{"options":[],"migrations":"no"}',
  ])('is refused when its manifest is %j', (manifest) => {
    const directory = aBundle(manifest);
    expect(() => readBundle(directory)).toThrow(/JSON|options|migrations/);
  });

  it('is refused when it was never built', () => {
    const directory = temporaryDirectory();
    expect(() => readBundle(directory)).toThrow(/ENOENT/);
  });
});

describe('the Worker of this product, built', () => {
  const output = outputOf(PRODUCT_ROOT, WORKER_PART);
  beforeAll(() => buildParts(PRODUCT_ROOT, [WORKER_PART]));

  it('has every migration, in order, each in statements', () => {
    const names = readdirSync(join(PRODUCT_ROOT, 'migrations')).filter((name) =>
      name.endsWith('.sql'),
    );
    const { migrations } = readBundle(output);
    expect(migrations.map(({ name }) => name)).toEqual(names.toSorted());
    for (const { statements } of migrations) expect(statements.length).toBeGreaterThan(0);
  });

  it('has the bindings that the Worker asks for', () => {
    const { options } = readBundle(output);
    expect(Object.keys(Object(options['durableObjects']))).toEqual(
      expect.arrayContaining(['RUNNER_RELAY', 'SESSION_FEED']),
    );
    expect(Object.keys(Object(options['d1Databases']))).toEqual(['DB']);
  });

  it('names no path of the machine that built it', () => {
    const { script } = readBundle(output);
    expect(readFileSync(script, 'utf8')).not.toContain(PRODUCT_ROOT);
    expect(readFileSync(join(output, BUNDLE_MANIFEST), 'utf8')).not.toContain(PRODUCT_ROOT);
  });
});
