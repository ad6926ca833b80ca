import type { Engine } from '../../../runner/engines/engine.ts';
import { keyOf, type Records } from './record.ts';

/** What the suite asks of every engine, and how the table calls it. */
export const CHECKS = {
  turn: 'First turn: end, usage and act, exactly',
  resume: 'Second turn after its process was killed, in the same conversation',
  bill: 'Dollars of both are what the API served, helper models included',
  tokens: 'So are its tokens, kind by kind',
  subagents: 'A subagent’s dollars are too, and its acts are counted',
  retries: 'A call that is tried again is paid once',
  leftovers: 'What a command of it left running ends with it',
  interrupt: 'Interrupt ends the turn, and the next one works',
  killed: 'Killed in mid-turn: unsettled, never nothing, and the next turn costs its own alone',
  allowed: 'What was allowed is done',
  denied: 'What was denied is not',
  auth: '401 is told as what it is',
  rate: '429',
  overload: 'Overload',
  cut: 'An answer that is cut off',
  canary: 'Its key is in no file and no argument, through the model gate and without it',
  configuration: 'The person’s configuration is the same to the byte',
  sealed: 'Works in a seal',
  crash: 'Its runner killed in mid-turn loses nothing',
} as const;
export type Check = keyof typeof CHECKS;

export type Proof =
  | { by: 'suite' }
  /** Another test of this folder, by its exact title. */
  | { by: 'test'; file: string; title: string }
  /** There is nothing to prove. */
  | { by: 'nothing'; because: string }
  /** There is, and nothing proves it: said, so that nobody takes it for proven. */
  | { by: 'gap'; because: string };
export type Row = Readonly<Record<Check, Proof>>;
export type Matrix = Readonly<Record<string, Row>>;

const suite: Proof = { by: 'suite' };
const nothing = (because: string): Proof => ({ by: 'nothing', because });
const test = (file: string, title: string): Proof => ({ by: 'test', file, title });

const FOLDER = 'test/engines';
const IN_SEAL = test(
  `${FOLDER}/sealed.test.ts`,
  'works, reports its turns, sees nothing of the person’s, and goes on in the same conversation',
);
const ONE_SHOT_CRASH = test(
  `${FOLDER}/conformance/runner-crash.test.ts`,
  'ends its turn unread, and the next runner tells all of it in order, with the exit code',
);
const NO_SUBAGENTS = nothing(
  'they would spend and ask unseen in this form, so its model is offered none',
);
const NEVER_ASKS = nothing('it does not ask in this form');

const whole: Row = {
  turn: suite,
  resume: suite,
  bill: suite,
  tokens: suite,
  subagents: suite,
  retries: suite,
  leftovers: suite,
  interrupt: suite,
  killed: suite,
  allowed: suite,
  denied: suite,
  auth: suite,
  rate: suite,
  overload: suite,
  cut: suite,
  canary: suite,
  configuration: suite,
  sealed: IN_SEAL,
  crash: ONE_SHOT_CRASH,
};

const codex: Row = {
  ...whole,
  subagents: NO_SUBAGENTS,
  allowed: NEVER_ASKS,
  denied: NEVER_ASKS,
};
const PERSISTENT_CRASH = test(
  `${FOLDER}/conformance/runner-crash-persistent.test.ts`,
  'works on and asks unread, is answered once by the next runner, and goes on in the same process',
);
const UNMETERED = nothing('it tells nothing of what it costs in this form');

/** Engine by check: what proves it. The rehearsal asks no model and is proven by its own tests. */
export const MATRIX: Matrix = {
  claude: {
    ...whole,
    crash: PERSISTENT_CRASH,
  },
  codex,
  'codex-app-server': {
    ...codex,
    subagents: suite,
    allowed: suite,
    denied: suite,
    crash: PERSISTENT_CRASH,
  },
  gemini: codex,
  'gemini-acp': {
    ...codex,
    bill: UNMETERED,
    tokens: UNMETERED,
    subagents: UNMETERED,
    retries: UNMETERED,
    allowed: suite,
    denied: suite,
    crash: PERSISTENT_CRASH,
  },
  opencode: {
    ...whole,
    tokens: nothing('it tells those of a turn’s last step'),
    subagents: NO_SUBAGENTS,
    crash: PERSISTENT_CRASH,
  },
  qwen: {
    ...whole,
    subagents: NO_SUBAGENTS,
    crash: PERSISTENT_CRASH,
  },
};

/** `engine check` for each proven engine and check that nothing is said of. */
export function findEmpty(
  engines: readonly Pick<Engine, 'id' | 'form'>[],
  records: Records,
  matrix: Readonly<Record<string, Partial<Row>>>,
): string[] {
  const checks = Object.keys(CHECKS) as Check[];
  return engines
    .map(keyOf)
    .flatMap((key) =>
      records[key]?.kind === 'no-model'
        ? []
        : checks.filter((check) => !matrix[key]?.[check]).map((check) => `${key} ${check}`),
    );
}

/** Tests that the matrix names and that are not there. */
export function findUnwritten(matrix: Matrix, read: (file: string) => string): string[] {
  return Object.values(matrix).flatMap((row) =>
    Object.values(row).flatMap((proof) =>
      proof.by === 'test' && !read(proof.file).includes(`'${proof.title}'`) ? [proof.title] : [],
    ),
  );
}
