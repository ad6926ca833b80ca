import type { ActOutcome } from '../../protocol/act.ts';
import type { PolicyMode } from '../../protocol/merge-policy.ts';
import { findRepository, type ForgeLimits } from './address.ts';
import type { PullRequestAsk } from './ask.ts';
import { writeBody } from './body.ts';
import { decidePullRequest, type BranchFacts } from './decide.ts';
import { findOpen, openOne, type ForgeAccess, type ForgeAnswer } from './github.ts';
import { readToken, sayNoToken } from './token.ts';

/** What became of an ask for a pull request, as it is told to the session and put on record. */
export type PullRequest = {
  head: string | null;
  base: string | null;
  outcome: ActOutcome;
  /** Who decided: our policy, or the forge that was asked. */
  by: 'policy' | 'forge';
  reason: string | null;
  /** Where it is: opened now, or before. */
  url: string | null;
};

/** What the ask is judged by, and what the machine has to carry it out. */
export type Broker = {
  facts(): Promise<BranchFacts>;
  /** How the remote is addressed, as the person wrote it first. */
  addresses(): Promise<readonly string[]>;
  mode: PolicyMode;
  forges: readonly ForgeLimits[];
  env: NodeJS.ProcessEnv;
  /** Whose words it opens with: the agent's, unless a person lands what they reviewed. */
  words?: 'agent' | 'person';
};

/**
 * Opens a pull request for a session, with a login that the session never sees; nothing else is
 * done at the forge for it. One that is open from the branch already is the answer to a second ask.
 */
export async function openPullRequest(ask: PullRequestAsk, broker: Broker): Promise<PullRequest> {
  const verdict = decidePullRequest(ask, await broker.facts(), broker.mode);
  if (!verdict.ok) return refused(verdict.head, ask.base, 'policy', verdict.reason);
  const { head, base } = verdict;
  const place = findRepository(await broker.addresses(), broker.forges);
  if (!place) {
    const reason =
      'the remote is on no forge that this machine opens pull requests on: GitHub, or one that limits.toml names ([[forges]]); name the branch to the person';
    return refused(head, base, 'policy', reason);
  }
  const token = await readToken(place, broker.env);
  if (token === null) return refused(head, base, 'policy', sayNoToken(place));
  const forge: ForgeAccess = { ...place, token };
  const there = await findOpen(forge, head);
  if (there.kind !== 'ok')
    return refused(head, base, 'forge', `${place.host}: ${there.reason}; ask again later`);
  if (there.value !== null) return alreadyOpen(head, base, there.value);
  const { title, draft } = ask;
  const body = writeBody(ask.body, broker.words);
  const opened = await openOne(forge, { title, body, head, base, draft });
  if (opened.kind === 'ok')
    return { head, base, outcome: 'done', by: 'forge', reason: null, url: opened.value };
  return failed(head, base, place.host, opened, await findOpen(forge, head));
}

/** The forge did not open it, or did not say so: it may be there all the same. */
function failed(
  head: string,
  base: string,
  host: string,
  answer: Exclude<ForgeAnswer<string>, { kind: 'ok' }>,
  after: ForgeAnswer<string | null>,
): PullRequest {
  const url = after.kind === 'ok' ? after.value : null;
  if (answer.kind === 'refused')
    return url === null
      ? refused(head, base, 'forge', `${host}: ${answer.reason}`)
      : alreadyOpen(head, base, url);
  if (url !== null) return { head, base, outcome: 'done', by: 'forge', reason: null, url };
  const reason = `${host}: ${answer.reason}, so that it is not known whether the pull request was opened; ask again, and it is found if it was`;
  return { head, base, outcome: 'unknown', by: 'forge', reason, url: null };
}

const alreadyOpen = (head: string, base: string, url: string): PullRequest => ({
  ...refused(head, base, 'forge', `it is open already: ${url}`),
  url,
});

const refused = (
  head: string | null,
  base: string | null,
  by: PullRequest['by'],
  reason: string,
): PullRequest => ({ head, base, outcome: 'not_done', by, reason, url: null });

/** What the session is told: the address alone, or why there is none. */
export const sayPullRequest = ({ outcome, url, reason }: PullRequest): string =>
  outcome === 'done' ? `The pull request is open: ${url}` : `No pull request was opened: ${reason}`;
