import type { ApprovalsMode } from '../../../protocol/launch.ts';
import type { Engine, EngineCapabilities } from '../../../runner/engines/engine.ts';
import { type Check, CHECKS, MATRIX, type Proof } from './matrix.ts';
import { keyOf, type Records } from './record.ts';

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

function proofOf(proof: Proof | undefined): string {
  if (!proof) return '';
  if (proof.by === 'nothing') return `– (${proof.because})`;
  return proof.by === 'gap' ? `not proven: ${proof.because}` : 'proven';
}

/** The table of what each proven engine can do, from the data that the suite holds it to. */
export function makeTable(engines: readonly Engine[], records: Records): string {
  const proven = engines.flatMap((engine) => {
    const record = records[keyOf(engine)];
    return record?.kind === 'proven' ? [{ engine, version: record.version }] : [];
  });
  const proofs = (Object.keys(CHECKS) as Check[]).map((check) => [
    CHECKS[check],
    ...proven.map(({ engine }) => proofOf(MATRIX[keyOf(engine)]?.[check])),
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
