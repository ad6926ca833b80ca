import { existsSync, readFileSync } from 'node:fs';
import type { Engine } from '../../runner/engines/engine.ts';
import { keyOf } from './conformance/record.ts';

/** Which way the engine calls its model, and what the turn is held to. */
export const WAYS = {
  gate: 'an API key behind the model gate',
  limit: 'a subscription or a key past the gate, a limit of the session',
  grant: 'a subscription or a key past the gate, a grant of the account’s budgets',
} as const;
export type Way = keyof typeof WAYS;

/** How far a turn can go over what it may come to, and what stops it there. */
type Bound = {
  /** Calls beyond the one that crosses; null is the whole turn. Below zero: none crosses. */
  callsBeyond: number | null;
  stops: string;
  /** A grant halts the session too. */
  halts?: true;
};

const REFUSED_BEFORE: Bound = { callsBeyond: -1, stops: 'the gate, before the call' };
const BY_MESSAGES: Bound = { callsBeyond: 1, stops: 'the runner, on the engine’s messages' };
const AT_THE_END: Bound = { callsBeyond: null, stops: 'the runner, at the turn’s end' };

/** Engine form by way. A way that is left out is refused at the launch, or is another one’s. */
export const BOUNDS: Readonly<Record<string, Partial<Record<Way, Bound>>>> = {
  claude: {
    gate: REFUSED_BEFORE,
    limit: { callsBeyond: 0, stops: 'claude itself, by its own limit, and the runner' },
    grant: BY_MESSAGES,
  },
  codex: { gate: REFUSED_BEFORE, grant: AT_THE_END },
  'codex-app-server': { gate: REFUSED_BEFORE, grant: BY_MESSAGES },
  gemini: { gate: REFUSED_BEFORE, grant: AT_THE_END },
  'gemini-acp': {
    gate: REFUSED_BEFORE,
    grant: { callsBeyond: null, stops: 'a halt after the turn, for it tells no cost', halts: true },
  },
  opencode: { grant: AT_THE_END },
};

/** What was measured with the real program in its version. */
export type Measured = {
  version: string;
  grantMicroUsd: number;
  /** What was served when the turn was over, in calls and in micro-USD. */
  calls: number;
  microUsd: number;
  /** Calls that began after the one that crossed; below zero: none crossed. */
  callsBeyond: number;
};

/** Where it is kept what was measured of an engine's form on its way. */
export const measuredPath = (key: string, way: Way): string =>
  `test/fixtures/budget-bounds/${key}-${way}.json`;

const BEGIN = '<!-- Written by the suite: npm run test:budget-bounds -->';
const END = '<!-- End of the bounds -->';

const dollars = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(2)}`;

function boundOf({ callsBeyond }: Bound): string {
  if (callsBeyond === null) return 'the whole turn';
  if (callsBeyond < 0) return 'nothing';
  return callsBeyond === 0 ? 'the call that crosses it' : 'that call, and the next';
}

function measuredOf({ version, grantMicroUsd, calls, microUsd }: Measured): string {
  const over = microUsd - grantMicroUsd;
  const beyond = over <= 0 ? 'not over' : `over by ${Math.round((over / grantMicroUsd) * 100)} %`;
  return `${dollars(microUsd)} of ${dollars(grantMicroUsd)} in ${calls} calls: ${beyond} (${version})`;
}

/** The table of the bounds, from what was declared and what was measured. Throws where a measure is missing. */
export function makeTable(engines: readonly Engine[]): string {
  const rows = engines.flatMap((engine) => {
    const key = keyOf(engine);
    const name = engine.form === null ? engine.label : `${engine.label}, ${engine.form}`;
    return (Object.keys(WAYS) as Way[]).flatMap((way) => {
      const bound = BOUNDS[key]?.[way];
      if (!bound) return [];
      const path = measuredPath(key, way);
      if (!existsSync(path)) throw new Error(`${path} is missing: measure it`);
      const measured = JSON.parse(readFileSync(path, 'utf8')) as Measured;
      return [[name, WAYS[way], bound.stops, boundOf(bound), measuredOf(measured)]];
    });
  });
  return [
    ['Engine', 'With', 'What stops it', 'At most over by', 'Measured'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The page with `table` in its place. Throws where the page has no place for it. */
export function withTable(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error('the page has no place for the table');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`;
}
