import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { CHECKS } from './matrix.ts';
import { RECORDS } from './records.ts';
import { makeTable, withTable } from './table.ts';

const PAGE = 'docs/engines.md';

it('is written from what the suite holds each engine to: `-u` writes it again', async () => {
  const page = withTable(readFileSync(PAGE, 'utf8'), makeTable(ENGINES, RECORDS));
  await expect(page).toMatchFileSnapshot(`../../../${PAGE}`);
});

it('has a column for every engine that a record proves, and a row for every capability', () => {
  const table = makeTable(ENGINES, RECORDS);
  const columns = table.split('\n', 1)[0]?.split(' | ') ?? [];
  const proven = Object.values(RECORDS).filter(({ kind }) => kind === 'proven');
  expect(columns).toHaveLength(proven.length + 1);
  const capabilities = Object.keys(ENGINES[0]?.capabilities ?? {});
  expect(table.split('\n')).toHaveLength(capabilities.length + 4 + Object.keys(CHECKS).length);
});

it('fails on a page that has no place for it', () => {
  expect(() => withTable('# Engines', '| |')).toThrow('no place');
});
