import { describe, expect, it } from 'vitest';
import { checkLinks } from '../../../../tools/adr/records/check-links.ts';
import { graphOf, toDot, toMermaid } from '../../../../tools/adr/records/graph.ts';
import type { DecisionRecord } from '../../../../tools/adr/records/record.ts';
import { formatId } from '../../../../tools/adr/records/status.ts';
import { checkRecords } from '../../../../tools/adr/records/validate.ts';

const record = (number: number, over: Partial<DecisionRecord> = {}): DecisionRecord => ({
  id: formatId(number),
  number,
  path: `docs/adr/${formatId(number)}-title.md`,
  style: 'madr',
  title: `Title ${number}`,
  status: 'accepted',
  date: null,
  supersedes: [],
  supersededBy: [],
  rules: [],
  waivers: [],
  text: '',
  links: [],
  problems: [],
  ...over,
});
const old = (over: Partial<DecisionRecord> = {}) =>
  record(1, { status: 'superseded', supersededBy: ['0002'], ...over });
const newer = (over: Partial<DecisionRecord> = {}) => record(2, { supersedes: ['0001'], ...over });
/** The problems of records, each behind the number of its record. */
const problems = (records: DecisionRecord[], numbering: 'sequential' | 'unique' = 'sequential') =>
  [...checkRecords(records, numbering)].flatMap(([path, found]) =>
    found.map(({ message }) => `${path.slice(9, 13)} ${message}`),
  );

describe('records that replace each other', () => {
  it('are in order where both say so', () => {
    expect(problems([old(), newer()])).toEqual([]);
  });

  it.each([
    ['the old one is silent', [record(1), newer()], '0002 It supersedes 0001, which does not say'],
    ['the new one is silent', [old(), record(2)], '0001 It is superseded by 0002, which does not'],
    ['the old one is missing', [newer({ supersedes: ['0009'] })], 'there is no such record'],
    ['the new one is missing', [old({ supersededBy: ['0009'] })], 'there is no such record'],
    [
      'the old one is still accepted',
      [old({ status: 'accepted' }), newer()],
      'Set it to superseded',
    ],
    ['nobody is named', [old({ supersededBy: [] })], 'does not say by which record'],
  ])('are told of where %s', (_what, records, words) => {
    expect(problems(records, 'unique')).toEqual([expect.stringContaining(words)]);
  });

  it('are not, while the new one is proposed: the old one still holds', () => {
    expect(problems([record(1), newer({ status: 'proposed' })])).toEqual([]);
  });

  it('are not told of where one of them cannot be read', () => {
    expect(problems([record(1, { status: 'unknown' }), newer()])).toEqual([]);
    expect(problems([old(), record(2, { status: 'unknown' })])).toEqual([]);
    expect(problems([old({ status: 'unknown', supersededBy: ['0009'] })])).toEqual([]);
  });
});

describe('the numbers of records', () => {
  it('may begin at 0 or at 1, and at no other', () => {
    expect(problems([record(0), record(1)])).toEqual([]);
    expect(problems([record(2)])).toEqual([expect.stringContaining('no record 0001 before 0002')]);
  });

  it('that are missing are told at the record that follows them', () => {
    expect(problems([record(1), record(4)]).map((words) => words.slice(0, 26))).toEqual([
      '0004 There is no record 00',
      '0004 There is no record 00',
    ]);
    expect(problems([record(1), record(4)], 'unique')).toEqual([]);
  });

  it('that two have are told at the second, also where gaps are allowed', () => {
    const twin = record(1, { path: 'docs/adr/0001-twin.md' });
    expect(problems([record(1), twin], 'unique')).toEqual([
      expect.stringContaining('0001-twin.md and docs/adr/0001-title.md have the same number'),
    ]);
  });
});

describe('a link of a record', () => {
  const files = ['docs/adr/0002-other.md', 'docs/a b.md', 'docs/100%.md', 'README.md', 'docs'];
  const broken = (url: string) =>
    checkLinks(record(1, { links: [{ url, line: 7 }] }), (path) => files.includes(path));

  it.each([
    '0002-other.md',
    './0002-other.md#context',
    '0002-other.md?plain=1',
    '../a%20b.md',
    '../100%.md',
    '/README.md',
    '..',
    '#context',
    '?q',
    'https://example.com/gone.md',
    'mailto:ada@example.com',
    '//example.com/x',
  ])('leads somewhere, or is nobody’s to look up: %s', (url) => {
    expect(broken(url)).toEqual([]);
  });

  it.each([
    ['gone.md', 'docs/adr/gone.md'],
    ['../../../outside.md', '../outside.md'],
    ['/gone.md', 'gone.md'],
    ['../a%2520b.md', 'docs/a%20b.md'],
  ])('that leads to no file is told with its line and where it was looked for: %s', (url, path) => {
    expect(broken(url)).toMatchObject([
      { place: { line: 7 }, message: expect.stringContaining(`no file (${path})`) },
    ]);
  });
});

describe('the graph of records', () => {
  const link = (url: string) => ({ links: [{ url, line: 1 }] });
  const edges = (...records: DecisionRecord[]) =>
    graphOf(records).edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`);

  it('says once how two are connected: who replaces whom before who links to whom', () => {
    const both = [old(link('0002-title.md')), newer(link('./0001-title.md'))];
    expect(edges(...both)).toEqual(['0002 supersedes 0001']);
    expect(edges(record(1), record(3, link('../adr/0001-title.md#why')))).toEqual([
      '0003 links 0001',
    ]);
  });

  it('has no link of a record to itself, nor to what is no record', () => {
    expect(edges(record(1, link('0001-title.md')), record(2, link('notes.md')))).toEqual([]);
  });

  it('is drawn with titles that end no label of theirs', () => {
    const hostile = 'a"]; evil --> [x<br>\\\nb';
    const graph = graphOf([old({ title: hostile }), newer(), record(3, link('0002-title.md'))]);
    expect(toMermaid(graph).split('\n')).toEqual([
      'flowchart TD',
      `  adr0001["0001 a''; evil --' 'x'br'''b<br/>superseded"]`,
      '  adr0002["0002 Title 2<br/>accepted"]',
      '  adr0003["0003 Title 3<br/>accepted"]',
      '  adr0002 -->|supersedes| adr0001',
      '  adr0003 -.-> adr0002',
    ]);
    expect(toDot(graph).split('\n')).toContain(
      `  "0001" [label="0001 a''; evil --' 'x'br'''b\\nsuperseded"];`,
    );
    expect(toDot(graph)).toContain('"0003" -> "0002" [style=dashed];');
  });
});
