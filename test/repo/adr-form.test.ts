import { describe, expect, it } from 'vitest';
import { listFiles, readSources, type SourceFile } from './source-files.ts';

const records = readSources(listFiles().filter((path) => /^docs\/adr\/\d{4}-.*\.md$/.test(path)));

/** What is wrong with the form of one record, as words; empty is nothing. */
function findFaults(file: SourceFile): string[] {
  const faults: string[] = [];
  const number = /(\d{4})-/.exec(file.path)?.[1] ?? '';
  if (
    !/^---\nstatus: (proposed|accepted|superseded( by \d{4})?|rejected)(, amended by \d{4})*\ndate: \d{4}-\d\d-\d\d\n/.test(
      file.text,
    )
  ) {
    faults.push('front matter begins with status and date');
  }
  if (!file.text.includes(`\n# ${number}. `)) faults.push('the title repeats the number');
  for (const section of [
    '## Context and problem',
    '## Decision',
    '## Consequences',
    // What enforces a record stands in a section, or as rules in its front matter.
    ...(/^enforcement:/m.test(file.text) ? [] : ['## Enforcement']),
  ]) {
    if (!file.text.includes(`\n${section}\n`)) faults.push(`${section} is missing`);
  }
  return faults;
}

describe('decision records', () => {
  it('have the form of record 0001', () => {
    console.log(`adr: examined ${records.length} records`);
    expect(records.length).toBeGreaterThanOrEqual(3);
    expect(
      records.flatMap((file) => findFaults(file).map((fault) => `${file.path}: ${fault}`)),
    ).toEqual([]);
  });

  it('have each a number that is no other record’s', () => {
    const numbers = records.map((file) => Number(/(\d{4})-/.exec(file.path)?.[1]));
    expect(numbers.filter((number) => !(number >= 1))).toEqual([]);
    expect(new Set(numbers).size).toBe(records.length);
  });

  it('hold the four rules of a Coder engine', () => {
    const rules = records.find((file) => file.path.includes('/0002-'))?.text ?? '';
    for (const rule of ['E1', 'E2', 'E3', 'E4']) expect(rules).toContain(`**${rule}.`);
  });

  it('that break the form are found', () => {
    expect(findFaults({ path: 'docs/adr/0009-x.md', text: '# x' }).length).toBeGreaterThan(3);
  });
});
