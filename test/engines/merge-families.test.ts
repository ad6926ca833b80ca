import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeSeal } from '../../runner/seal/probe.ts';
import { isPastFence, waysApart } from '../runner/witness/corpus.ts';
import { FAMILIES, type Family, type Round, type Tried, tryFamily } from './merge-families.ts';
import { makeTable, readRecords, recordPath, withTable } from './merge-table.ts';

/** `MERGE_CORPUS=all` tries every way and keeps what came of it; otherwise some, chosen by a seed. */
const ALL = process.env['MERGE_CORPUS'] === 'all';
/** One engine alone, by its name in the table; all without it. */
const ONLY = process.env['MERGE_FAMILY'];
/** One grade alone: what is kept of the others stays. All without it. */
const GRADE = process.env['MERGE_GRADE'];
/** Gemini CLI ends a turn after some forty calls (seen on 0.61.0). */
const AT_ONCE = 25;
const SEED = Number(process.env['MERGE_SEED'] ?? '1');
const SOME = 6;
const WITHIN_MS = 3_600_000;

/** It would delete whatever it does not know, the traces of other ways among it. */
const MIRROR = 'push --mirror';

/** A few numbers below `count`, others for each seed and family. */
function choose(count: number, seed: number): Set<number> {
  let state = seed * 2_654_435_761;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % count;
  const chosen = new Set<number>();
  while (chosen.size < SOME) chosen.add(Math.abs(next()));
  return chosen;
}

function roundsOf(family: Family, seed: number): Round[] {
  const chosen = choose(waysApart(0).length, seed);
  const ways = (round: number) =>
    waysOf(family, round * 1_000).filter(({ number }) => ALL || chosen.has(number - round * 1_000));
  const others = (round: number) => ways(round).filter(({ name }) => name !== MIRROR);
  const mirror = (round: number) => ways(round).filter(({ name }) => name === MIRROR);
  const rounds: Round[] = [
    { grade: 'open', ways: others(0) },
    { grade: 'fenced', ways: others(1) },
    { grade: 'sealed', ways: others(2) },
    { grade: 'sealed', ways: mirror(3) },
    { grade: 'fenced', ways: mirror(4) },
    { grade: 'open', ways: mirror(5) },
  ];
  return rounds.filter(({ grade }) => GRADE === undefined || grade === GRADE).flatMap(split);
}

/** The ways that an engine can try at all. */
const waysOf = ({ delegates }: Family, first: number) =>
  waysApart(first).filter(({ subagent }) => delegates || !subagent);

/** What is recorded of the grades that are not tried now, of ways that this engine can still try. */
function keptOf(family: Family): Tried[] {
  if (GRADE === undefined) return [];
  const names = new Set(waysOf(family, 0).map(({ name }) => name));
  return (readRecords([family.name]).get(family.name) ?? [])
    .filter(({ grade }) => grade !== GRADE)
    .map((each) => ({ ...each, fates: each.fates.filter(({ way }) => names.has(way)) }));
}

/** The same ways, in as many sessions as it takes for each to have no more than a turn's worth. */
function split({ grade, ways }: Round): Round[] {
  const starts = ways.map((_way, index) => index).filter((index) => index % AT_ONCE === 0);
  return starts.map((start) => ({ grade, ways: ways.slice(start, start + AT_ONCE) }));
}

const TRIED = FAMILIES.map((family, index) => ({ name: family.name, family, index })).filter(
  ({ name }) => ONLY === undefined || name === ONLY,
);

it('can be tried on this machine, sealed too', () => {
  expect(probeSeal(process.env).problem).toBeNull();
});

it('knows the engine that is to be tried alone', () => {
  expect(TRIED.length).toBe(ONLY === undefined ? FAMILIES.length : 1);
});

describe.each(TRIED)('every way to move a ref that $name takes', ({ family, index, name }) => {
  it(
    'is prevented in a seal, prevented or seen elsewhere, and a colleague is blamed on nobody',
    async () => {
      const tried = await tryFamily(family, roundsOf(family, SEED * 100 + index));
      if (ALL) {
        mkdirSync(dirname(recordPath(name)), { recursive: true });
        const kept = [...keptOf(family), ...tried];
        writeFileSync(recordPath(name), `${JSON.stringify(kept, null, 1)}\n`);
      }
      const known = new Map(waysApart(0).map((way) => [way.name, way]));
      for (const { grade, fates, blamed } of tried) {
        expect(blamed).toEqual([]);
        for (const fate of fates) {
          const told = JSON.stringify(fate);
          expect(fate.ran, told).toBe(true);
          if (grade === 'sealed') expect(fate.reached, told).toEqual([]);
          const way = known.get(fate.way);
          // In the open the far end is there for whoever asks it, else it would prove nothing.
          if (grade === 'open' && way?.far) {
            const stopped =
              fate.denied || fate.guarded || family.refusesItself?.test(way.script) === true;
            expect(fate.reached.length > 0 || stopped, told).toBe(true);
          }
          if (fate.reached.length === 0) continue;
          // What moves no ref is told by the stream alone, which some engines do not have.
          if (family.tells || !way?.far)
            expect(fate.told !== 'no' || fate.seen !== 'no', told).toBe(true);
          if (grade === 'fenced') expect(way && isPastFence(way), told).toBe(true);
        }
      }
    },
    WITHIN_MS,
  );
});

describe('the table of what caught each way', () => {
  const PAGE = 'docs/merge-policy.md';
  const records = readRecords(FAMILIES.map(({ name }) => name));

  it('is made of every way in every grade, none of which reached anything from a seal', () => {
    expect(records.size).toBeGreaterThan(2);
    for (const [name, tried] of records) {
      const family = FAMILIES.find((each) => each.name === name);
      const count = family && waysOf(family, 0).length;
      for (const grade of ['open', 'fenced', 'sealed']) {
        const fates = tried.filter((each) => each.grade === grade).flatMap(({ fates: all }) => all);
        expect(new Set(fates.map(({ way }) => way)).size).toBe(count);
        if (grade === 'sealed') expect(fates.flatMap(({ reached }) => reached)).toEqual([]);
      }
    }
  });

  it('is what is kept: `-u` writes it again', async () => {
    const page = withTable(readFileSync(PAGE, 'utf8'), makeTable(records));
    await expect(page).toMatchFileSnapshot(`../../${PAGE}`);
  });
});
