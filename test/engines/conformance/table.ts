import type { ApprovalsMode } from '../../../protocol/launch.ts';
import type { Engine, EngineCapabilities } from '../../../runner/engines/engine.ts';
import { type Check, CHECKS, MATRIX } from './matrix.ts';
import type { Proof } from './proof.ts';
import { keyOf, type Records } from './record.ts';
import { findUnrecorded } from './recorded.ts';

const BEGIN = '<!-- Written by the suite: npm run test:engines -- -u -->';
const END = '<!-- End -->';

const USAGE: Record<EngineCapabilities['usage'], string> = {
  dollars: 'dollars, reported',
  tokens: 'tokens; dollars are estimated',
  none: 'cannot be known',
};

const MODES: Record<ApprovalsMode, string> = {
  ask: 'ask first',
  accept_edits: 'edit freely',
  plan: 'plan only',
  bypass: 'never ask',
};

type Row = readonly [label: string, cell: (engine: Engine) => string];

const ROWS: readonly Row[] = [
  ['Works in', ({ modes }) => modes.map((mode) => MODES[mode]).join(', ')],
  [
    'Turn ends by',
    ({ capabilities }) =>
      capabilities.turnEnd === 'event' ? 'an event of the engine' : 'the process’s exit',
  ],
  ['Usage', ({ capabilities }) => USAGE[capabilities.usage]],
  [
    'Acts',
    ({ capabilities }) =>
      capabilities.acts === 'structured' ? 'seen in its tool calls' : 'witnessed only',
  ],
  ['Asks for approval', ({ capabilities }) => (capabilities.approvals ? 'yes' : 'no')],
  [
    'Can be taken over in its own terminal',
    ({ capabilities }) => (capabilities.keys ? 'yes' : 'no'),
  ],
  [
    'Takes words into the turn under way',
    ({ capabilities }) => (capabilities.steer ? 'yes' : 'no'),
  ],
  ['Can be interrupted', ({ capabilities }) => (capabilities.interrupt ? 'yes' : 'no')],
  [
    'Goes on in the same conversation',
    ({ capabilities }) => (capabilities.resume ? 'by id' : 'no'),
  ],
];

/** The recorded pass of an engine by its key; null where there is none. */
type Passes = (key: string) => Proof | null;

function proofOf(check: Check, key: string, version: string, passes: Passes): string {
  const row = MATRIX[key];
  const cell = row?.[check];
  if (!row || !cell) return '';
  if (cell.by === 'nothing') return `– (${cell.because})`;
  if (cell.by === 'gap') return `not proven: ${cell.because}`;
  const why = findUnrecorded(check, row, passes(key), version);
  return why === null ? 'proven' : `not proven: ${why}`;
}

/**
 * The table of what each proven engine can do, from the data that the suite holds it to and what is
 * recorded of its runs.
 */
export function makeTable(engines: readonly Engine[], records: Records, passes: Passes): string {
  const proven = engines.flatMap((engine) => {
    const key = keyOf(engine);
    const record = records[key];
    return record?.kind === 'proven' ? [{ engine, key, version: record.version }] : [];
  });
  const proofs = (Object.keys(CHECKS) as Check[]).map((check) => [
    CHECKS[check],
    ...proven.map(({ key, version }) => proofOf(check, key, version, passes)),
  ]);
  const lines = [
    ['', ...proven.map(({ engine: { label, form } }) => (form ? `${label}, ${form}` : label))],
    ['---', ...proven.map(() => '---')],
    ['Version proven', ...proven.map(({ version }) => version)],
    ...ROWS.map(([label, cell]) => [label, ...proven.map(({ engine }) => cell(engine))]),
    ...proofs,
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The page with `table` in its place. Throws where the page has no place for it. */
export function withTable(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error('the page has no place for the table');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`;
}
