import { env } from 'cloudflare:workers';
import { commandId, turnId } from '../../../../protocol/ids.ts';
import { succeed } from '../../../../workers/lib/outcome.ts';
import { ApprovalStore } from '../../../../workers/relay/approvals.ts';
import { BudgetBook } from '../../../../workers/budgets/budget-book.ts';
import { RunnerRelay } from '../../../../workers/relay/runner-relay.ts';
import { SessionFeed } from '../../../../workers/relay/session-feed.ts';
import type { Law } from './oracle.ts';

export type Mutant = {
  /** What the Worker does then, as the end of a sentence. */
  does: string;
  /** The law that it breaks. */
  law: Law;
  /** It shows in a run alone whose conversation grows long. */
  longs?: true;
  /** Makes the Worker do it; gives back what ends that. */
  sabotage(): () => void;
};

/** Puts another method in the place of one, which it is given. */
function replace<T extends object, K extends keyof T>(
  place: T,
  name: K,
  other: (real: T[K]) => T[K],
): () => void {
  const real = place[name];
  place[name] = other(real);
  return () => {
    place[name] = real;
  };
}

type Batch = D1Database['batch'];

const database = () => Object.getPrototypeOf(env.DB) as { batch: Batch };

/** What a statement of a batch says, which the type does not tell of. */
const writes = (table: string) => (statement: D1PreparedStatement) =>
  (statement as unknown as { statement: string }).statement.startsWith(`insert into "${table}"`);

/** After each batch that writes to `table`, this is written too. */
const also = (table: string, query: string) => () =>
  replace(
    database(),
    'batch',
    (real) =>
      async function <T>(this: D1Database, statements: D1PreparedStatement[]) {
        const results = await real.call(this, statements);
        if (statements.some(writes(table))) await this.prepare(query).run();
        return results as D1Result<T>[];
      },
  );

const COUNTED_TWICE = `INSERT INTO usage_entries
  SELECT account_id, actor_id, session_id, position, at, turn_id, model, source_seq, 7, engine_id,
    directory, provenance, payer, bucket, input_tokens, output_tokens, cache_read_tokens,
    cache_write_tokens, micro_usd
  FROM usage_entries WHERE ordinal = 0`;

export const MUTANTS: readonly Mutant[] = [
  {
    does: 'carries a command out under two names',
    law: 'turnOnce',
    sabotage: () =>
      replace(
        RunnerRelay.prototype,
        'enqueue',
        (real) =>
          async function (this: RunnerRelay, command) {
            await real.call(this, command);
            await real.call(this, { ...command, id: commandId.parse(`${command.id}b`) });
          },
      ),
  },
  {
    does: 'hands an instruction over twice',
    law: 'wordsOnce',
    sabotage: () =>
      replace(
        SessionFeed.prototype,
        'instruct',
        (real) =>
          async function (this: SessionFeed, input) {
            const told = await real.call(this, input);
            if (told.ok)
              await real.call(this, { ...input, turnId: turnId.parse(`${input.turnId}b`) });
            return told;
          },
      ),
  },
  {
    does: 'begins a conversation anew whenever it is asked',
    law: 'anewOnce',
    longs: true,
    sabotage: () =>
      replace(
        SessionFeed.prototype,
        'request',
        (real) =>
          async function (this: SessionFeed, input) {
            if (input.action !== 'compact') return real.call(this, input);
            const { after: _, ...always } = input;
            await real.call(this, always);
            return real.call(this, always);
          },
      ),
  },
  {
    does: 'drops what a turn came to',
    law: 'engineSum',
    sabotage: () =>
      replace(
        database(),
        'batch',
        (real) =>
          function <T>(this: D1Database, statements: D1PreparedStatement[]) {
            const kept = statements.filter((statement) => !writes('usage_entries')(statement));
            return real.call(this, kept) as Promise<D1Result<T>[]>;
          },
      ),
  },
  { does: 'counts twice', law: 'engineSum', sabotage: also('usage_entries', COUNTED_TWICE) },
  {
    does: 'loses what its brain was asked',
    law: 'brainSum',
    sabotage: () =>
      replace(
        SessionFeed.prototype,
        'brain',
        (real) =>
          function (this: SessionFeed, input) {
            return input.do === 'record' ? Promise.resolve(succeed(null)) : real.call(this, input);
          },
      ),
  },
  {
    does: 'waits without a reason',
    law: 'stands',
    sabotage: also('pilot_steps', "UPDATE pilot_runs SET reason = ''"),
  },
  {
    does: 'takes a second answer to a request',
    law: 'answerOnce',
    sabotage: () =>
      replace(
        ApprovalStore.prototype,
        'read',
        (real) =>
          function (this: ApprovalStore, id) {
            const known = real.call(this, id);
            return known && { ...known, state: 'pending', answer: null };
          },
      ),
  },
  {
    does: 'grants the same dollar to every turn',
    law: 'budgetHeld',
    sabotage: () =>
      replace(
        BudgetBook.prototype,
        'reserve',
        () => () => Promise.resolve(succeed({ microUsd: 5_000, paidMicroUsd: null })),
      ),
  },
  {
    does: 'believes a check that failed',
    law: 'proven',
    sabotage: () =>
      replace(
        RunnerRelay.prototype,
        'ask',
        (real) =>
          async function (this: RunnerRelay, question) {
            const answer = await real.call(this, question);
            if (!answer.ok || question.method !== 'check/run') return answer;
            return succeed({ ...(answer.value as object), passed: true, exitCode: 0 });
          },
      ),
  },
];
