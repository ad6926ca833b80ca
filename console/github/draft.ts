import { type ConnectGithub, connectGithubRequest, GITHUB_LABEL } from '../../protocol/github.ts';
import { groupingProblem } from '../../protocol/amounts.ts';
import { decimalMark } from '../format/locale.ts';
import { parseMoney } from '../format/money.ts';
import {
  decidePilot,
  EMPTY_PILOT,
  type PilotDraft,
  type PilotProblems,
} from '../launch/pilot-draft.ts';
import { NO_WORK_LIMITS, readWorkLimits, type WorkLimitsDraft } from '../launch/work-limits.ts';

/** What is typed about a connection, as it stands in the fields. */
export type GithubDraft = {
  repository: string;
  token: string;
  label: string;
  runnerId: string;
  engineId: string;
  directory: string;
  budget: string;
};

export const EMPTY_DRAFT: GithubDraft = {
  repository: '',
  token: '',
  label: GITHUB_LABEL,
  runnerId: '',
  engineId: '',
  directory: '',
  budget: '5',
};

/** Beside the fields: when each session stops, and who gives its next instructions. */
export type SessionsDraft = { work: WorkLimitsDraft; pilot: PilotDraft };
export const EMPTY_SESSIONS: SessionsDraft = { work: NO_WORK_LIMITS, pilot: EMPTY_PILOT };

/** What is missing, by where it stands in the form. */
export type ConnectProblems = {
  fields: Partial<Record<keyof GithubDraft, string>>;
  work: Partial<WorkLimitsDraft>;
  pilot: PilotProblems;
};
export const NO_PROBLEMS: ConnectProblems = { fields: {}, work: {}, pilot: {} };

/** What each field still needs. */
const NEEDS: Record<keyof GithubDraft, string> = {
  repository: 'Give it as OWNER/NAME.',
  token: 'A token has 4 to 500 characters and no space.',
  label: 'A label has 1 to 50 characters.',
  runnerId: 'Start a runner on a machine, and choose it here.',
  engineId: 'Choose an engine that is ready there; the page of the machines says what each needs.',
  directory: 'Give the whole path of its checkout on that machine.',
  budget: 'Give dollars, more than 0: a session that others can start has a limit.',
};

/** The request, or what is missing of it. With a secret GitHub calls; without one it is asked. Pure. */
export function decideConnect(
  draft: GithubDraft,
  webhookSecret: string | null = null,
  sessions: SessionsDraft = EMPTY_SESSIONS,
): { ok: true; request: ConnectGithub } | { ok: false; problems: ConnectProblems } {
  const { repository, token, label, runnerId, engineId, directory, budget } = draft;
  const budgetMicroUsd = parseMoney(budget) ?? 0;
  const work = readWorkLimits(sessions.work);
  const pilot = decidePilot(sessions.pilot);
  const parsed = connectGithubRequest.safeParse({
    repository: repository.trim(),
    token,
    label,
    delivery: webhookSecret === null ? 'poll' : 'webhook',
    webhookSecret,
    launch: {
      runnerId,
      engineId,
      directory: directory.trim(),
      budgetMicroUsd,
      limits: work.limits,
      pilot: pilot.kind === 'ready' ? pilot.pilot : null,
    },
  });
  const wrong = new Set(parsed.error?.issues.map(({ path }) => String(path.at(-1))));
  if (wrong.delete('budgetMicroUsd')) wrong.add('budget');
  if (!/^[/~]/.test(directory.trim())) wrong.add('directory');
  const lacks = pilot.kind === 'ready' ? {} : pilot.problems;
  const whole = wrong.size + Object.keys({ ...work.problems, ...lacks }).length === 0;
  if (whole && parsed.success) return { ok: true, request: parsed.data };
  const named = Object.entries(NEEDS).filter(([name]) => wrong.has(name));
  const fields: ConnectProblems['fields'] = Object.fromEntries(named);
  const grouped = groupingProblem(budget, decimalMark());
  if (wrong.has('budget') && grouped) fields.budget = grouped;
  return { ok: false, problems: { fields, work: work.problems, pilot: lacks } };
}
