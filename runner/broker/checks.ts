import { z } from 'zod';
import { callForge, type ForgeAccess, type ForgeAnswer } from './github.ts';

const PAGE = 100;
const PAGES_MAX = 5;

/** One check of a commit, with the words and buckets of `gh pr checks` (cli/cli, pr/checks). */
export type Check = {
  name: string;
  state: string;
  bucket: 'pass' | 'fail' | 'pending' | 'skipping' | 'cancel';
  description: string;
  link: string;
  startedAt: string | null;
  completedAt: string | null;
};

const runs = z.object({
  total_count: z.int(),
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullish(),
      details_url: z.string().nullish(),
      html_url: z.string().nullish(),
      started_at: z.string().nullish(),
      completed_at: z.string().nullish(),
      output: z.object({ title: z.string().nullish() }).nullish(),
    }),
  ),
});
const statuses = z.object({
  total_count: z.int(),
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      description: z.string().nullish(),
      target_url: z.string().nullish(),
      created_at: z.string().nullish(),
      updated_at: z.string().nullish(),
    }),
  ),
});
type Runs = z.infer<typeof runs>['check_runs'];
type Statuses = z.infer<typeof statuses>['statuses'];

const MAY = 'read the checks of commits';

/**
 * The checks of a commit: what apps report, and the older statuses. Where there are more than can
 * be read, nothing is said: those that are left out might be the ones that failed.
 */
export async function readChecks(
  forge: ForgeAccess,
  commit: string,
): Promise<ForgeAnswer<Check[]>> {
  const found = await readPages((page) =>
    callForge(forge, {
      path: `/commits/${commit}/check-runs?per_page=${PAGE}&page=${page}`,
      schema: runs.transform(({ total_count: total, check_runs: each }) => ({ total, each })),
      may: MAY,
    }),
  );
  if (found.kind !== 'ok') return found;
  const older = await readPages((page) =>
    callForge(forge, {
      path: `/commits/${commit}/status?per_page=${PAGE}&page=${page}`,
      schema: statuses.transform(({ total_count: total, statuses: each }) => ({ total, each })),
      may: MAY,
    }),
  );
  if (older.kind !== 'ok') return older;
  return { kind: 'ok', value: checksOf(found.value, older.value) };
}

/** All pages or none. */
async function readPages<T>(
  read: (page: number) => Promise<ForgeAnswer<{ total: number; each: T[] }>>,
): Promise<ForgeAnswer<T[]>> {
  const found: T[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await read(page);
    if (answer.kind !== 'ok') return answer;
    found.push(...answer.value.each);
    const { total, each } = answer.value;
    if (found.length >= total) return { kind: 'ok', value: found };
    if (each.length === 0)
      return none(`the forge shows ${found.length} of its ${total} checks; a person looks at them`);
  }
  return none(`it has more than ${PAGE * PAGES_MAX} checks; a person looks at them`);
}

const none = (reason: string) => ({ kind: 'refused', status: 200, reason }) as const;

/** What runs and statuses come to, what failed first. Pure. */
export function checksOf(found: Runs, older: Statuses): Check[] {
  const checks = [
    ...found.map((run): Check => {
      const state = (run.status === 'completed' ? run.conclusion : run.status) ?? 'pending';
      return {
        name: run.name,
        state: state.toUpperCase(),
        bucket: bucketOf(state),
        description: run.output?.title ?? '',
        link: run.details_url ?? run.html_url ?? '',
        startedAt: run.started_at ?? null,
        completedAt: run.completed_at ?? null,
      };
    }),
    ...older.map((status): Check => ({
      name: status.context,
      state: status.state.toUpperCase(),
      bucket: bucketOf(status.state),
      description: status.description ?? '',
      link: status.target_url ?? '',
      startedAt: status.created_at ?? null,
      completedAt: status.updated_at ?? null,
    })),
  ];
  const rank = ({ bucket }: Check) => ['fail', 'pending'].indexOf(bucket);
  const order = (check: Check) => (rank(check) < 0 ? 2 : rank(check));
  return checks.toSorted((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
}

function bucketOf(state: string): Check['bucket'] {
  switch (state.toLowerCase()) {
    case 'success':
      return 'pass';
    case 'skipped':
    case 'neutral':
      return 'skipping';
    case 'error':
    case 'failure':
    case 'timed_out':
    case 'action_required':
    case 'startup_failure':
      return 'fail';
    case 'cancelled':
      return 'cancel';
    default:
      return 'pending';
  }
}

/** How `gh pr checks` ends: 1 where one failed, 8 where one is still pending, else 0. Pure. */
export function exitCodeOf(checks: readonly Pick<Check, 'bucket'>[]): number {
  if (checks.some(({ bucket }) => bucket === 'fail')) return 1;
  return checks.some(({ bucket }) => bucket === 'pending') ? 8 : 0;
}
