import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { type Check, CHECKS } from './matrix.ts';
import { readProof } from './recorded.ts';
import { RECORDS } from './records.ts';
import { makeTable, withTable } from './table.ts';

const PAGE = 'docs/engines.md';
const passes = (key: string) => readProof('.', key);

it('is written from what the suite holds each engine to: `-u` writes it again', async () => {
  const page = withTable(readFileSync(PAGE, 'utf8'), makeTable(ENGINES, RECORDS, passes));
  await expect(page).toMatchFileSnapshot(`../../../${PAGE}`);
});

it('has a column for every engine that a record proves, and a row for every capability', () => {
  const table = makeTable(ENGINES, RECORDS, passes);
  const columns = table.split('\n', 1)[0]?.split(' | ') ?? [];
  const proven = Object.values(RECORDS).filter(({ kind }) => kind === 'proven');
  expect(columns).toHaveLength(proven.length + 1);
  const capabilities = Object.keys(ENGINES[0]?.capabilities ?? {});
  expect(table.split('\n')).toHaveLength(capabilities.length + 4 + Object.keys(CHECKS).length);
});

it('says of what no run is recorded that it is not proven', () => {
  const rowOf = (table: string, check: Check) =>
    table.split('\n').find((line) => line.includes(CHECKS[check])) ?? '';
  const without = (key: string) => {
    const recorded = passes(key);
    return recorded && { ...recorded, beside: {} };
  };
  const table = makeTable(ENGINES, RECORDS, without);
  expect(rowOf(table, 'turn')).not.toContain('not proven');
  expect(rowOf(table, 'sealed')).not.toContain('| proven');
  expect(rowOf(table, 'sealed')).toContain('not proven: no passing run of it is recorded');
  expect(
    rowOf(
      makeTable(ENGINES, RECORDS, () => null),
      'turn',
    ),
  ).not.toContain('| proven');
});

it('fails on a page that has no place for it', () => {
  expect(() => withTable('# Engines', '| |')).toThrow('no place');
});
