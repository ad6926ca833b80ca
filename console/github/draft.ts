import { type ConnectGithub, connectGithubRequest, GITHUB_LABEL } from '../../protocol/github.ts';

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
):
  | { ok: true; request: ConnectGithub }
  | { ok: false; problems: Partial<Record<keyof GithubDraft, string>> } {
  const { repository, token, label, runnerId, engineId, directory, budget } = draft;
  const budgetMicroUsd = Math.round(Number(budget) * 1_000_000);
  const parsed = connectGithubRequest.safeParse({
    repository: repository.trim(),
    token,
    label,
    delivery: webhookSecret === null ? 'poll' : 'webhook',
    webhookSecret,
    launch: { runnerId, engineId, directory: directory.trim(), budgetMicroUsd },
  });
  const wrong = new Set(parsed.error?.issues.map(({ path }) => String(path.at(-1))));
  if (wrong.delete('budgetMicroUsd')) wrong.add('budget');
  if (!/^[/~]/.test(directory.trim())) wrong.add('directory');
  if (wrong.size === 0 && parsed.success) return { ok: true, request: parsed.data };
  const named = Object.entries(NEEDS).filter(([name]) => wrong.has(name));
  return { ok: false, problems: Object.fromEntries(named) };
}
