import { existsSync, readFileSync } from 'node:fs';
import type { Fate } from './merge-fates.ts';
import type { Tried } from './merge-families.ts';

const slug = (family: string): string => family.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** Where it is kept what came of every way that an engine of this family tried. */
export const recordPath = (family: string): string =>
  `test/fixtures/merge-families/${slug(family)}.json`;

/** What is kept, by family; those of which nothing is kept are left out. */
export function readRecords(families: readonly string[]): Map<string, Tried[]> {
  const kept = families.filter((family) => existsSync(recordPath(family)));
  return new Map(
    kept.map((family) => [family, JSON.parse(readFileSync(recordPath(family), 'utf8')) as Tried[]]),
  );
}

/** What came of one way, for a reader of the table. */
export function describeFate(grade: string, fate: Fate): string {
  const { told, seen, halted, guarded, reached, passed, denied, refused } = fate;
  const by = [
    ...(told === 'no' ? [] : [told === 'yes' ? 'told' : 'told in part']),
    ...(seen === 'no' ? [] : [seen === 'yes' ? 'seen' : 'seen, author unknown']),
    ...(halted ? ['halted'] : []),
  ].join(', ');
  if (reached.length > 0) {
    const what = by === '' ? '**neither told nor seen**' : by;
    return grade === 'open' ? what : `**reached**: ${what}`;
  }
  if (passed.length > 0) return 'passed on';
  if (denied) return 'denied';
  if (guarded) return 'refused by the guard';
  return refused ? 'refused' : 'nothing';
}

/** One text where all families agree; else each text with who it is of, the most common first. */
function joinTexts(texts: ReadonlyMap<string, string>): string {
  const families = Map.groupBy(texts, ([, text]) => text);
  const groups = [...families].toSorted(([, a], [, b]) => b.length - a.length);
  const [first, ...rest] = groups.map(([text, members]) => ({
    text,
    names: members.map(([name]) => name).join(', '),
  }));
  return [first?.text, ...rest.map(({ text, names }) => `${names}: ${text}`)].join('; ');
}

/** The table of what caught which way in which grade, from what is kept of each family. */
export function makeTable(records: ReadonlyMap<string, readonly Tried[]>): string {
  const ways = [
    ...new Set([...records.values()].flat().flatMap(({ fates }) => fates.map(({ way }) => way))),
  ];
  const cell = (way: string, wanted: string) => {
    const texts = [...records].flatMap(([name, tried]) =>
      tried
        .filter(({ grade }) => grade === wanted)
        .flatMap(({ fates }) => fates.filter((fate) => fate.way === way))
        .map((fate) => [name, describeFate(wanted, fate)] as const),
    );
    for (const name of records.keys())
      if (!texts.some(([family]) => family === name)) texts.push([name, 'no subagent']);
    return joinTexts(new Map(texts));
  };
  const rows = ways.map(
    (way) => `| ${way} | ${cell(way, 'open')} | ${cell(way, 'fenced')} | ${cell(way, 'sealed')} |`,
  );
  return ['| Way | open | fenced | sealed |', '|---|---|---|---|', ...rows].join('\n');
}

const BEGIN = '<!-- written by test/engines/merge-families.test.ts -->';
const END = '<!-- end of it -->';

/** The page with the table in its place. Throws where the page has none. */
export function withTable(page: string, table: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('The page has no place for it.');
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}
