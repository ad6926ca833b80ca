import type { ActOutcome } from '../../protocol/act.ts';
import type { PolicyMode } from '../../protocol/merge-policy.ts';
import type { PullRequestAsk } from './ask.ts';
import { isAgentsBody, writeBody } from './body.ts';
import { decidePullRequest, type BranchFacts, type OwnBranch } from './decide.ts';
import type { ForgeAnswer } from './github.ts';
import { findOpen, openOne, type Pull } from './pulls.ts';
import { reachForge, type Reach } from './reach.ts';

/** What became of an ask for a pull request, as it is told to the session and put on record. */
export type PullRequest = {
  head: string | null;
  base: string | null;
  outcome: ActOutcome;
  /** Who decided: our policy, or the forge that was asked. */
  by: 'policy' | 'forge';
  reason: string | null;
  /** Where it is: opened now, or before; of a comment, where that is. */
  url: string | null;
  /** What was asked for on one that is there; absent: one was to be opened. */
  change?: { kind: 'edit' | 'comment'; number: number | null };
};

/** What the ask is judged by, and what the machine has to carry it out. */
export type Broker = Reach & {
  facts(): Promise<BranchFacts>;
  mode: PolicyMode;
  /** Takes the session's secrets out of its words. */
  redact(text: string): string;
  /** Told of what was opened for the session, so that it may write there later. */
  remember(pull: { number: number; head: string }): Promise<void>;
  /** Whose words it opens with: the agent's, unless a person lands what they reviewed. */
  words?: 'agent' | 'person';
  /** What `--repo` said; null is the session's own. */
  repository?: string | null;
};

/**
 * Opens a pull request for a session, with a login that the session never sees; nothing else is
 * done at the forge for it. One that is open from the branch already is the answer to a second ask.
 */
export async function openPullRequest(ask: PullRequestAsk, broker: Broker): Promise<PullRequest> {
  const facts = await broker.facts();
  const verdict = decidePullRequest(ask, facts, broker.mode);
  if (!verdict.ok) return refused(verdict.head, ask.base, 'policy', verdict.reason);
  const { head, base } = verdict;
  const reached = await reachForge(broker, broker.repository);
  if (!reached.ok) return refused(head, base, 'policy', reached.reason);
  const { forge } = reached;
  const there = await findOpen(forge, head);
  if (there.kind === 'late') return refused(head, base, 'policy', there.reason);
  if (there.kind !== 'ok')
    return refused(head, base, 'forge', `${forge.host}: ${there.reason}; ask again later`);
  const recall = async (pull: Pull) => {
    const own = facts.own.find(({ name }) => name === head);
    if (broker.words !== 'person' && isOpenedFrom(pull, own))
      await broker.remember({ number: pull.number, head });
    return alreadyOpen(head, base, pull.html_url);
  };
  if (there.value !== null) return recall(there.value);
  const title = broker.redact(ask.title);
  const body = writeBody(broker.redact(ask.body), broker.words);
  const opened = await openOne(forge, { title, body, head, base, draft: ask.draft });
  if (opened.kind === 'late') return refused(head, base, 'policy', opened.reason);
  const after = opened.kind === 'ok' ? opened : await findOpen(forge, head);
  const made = after.kind === 'ok' && opened.kind !== 'refused' ? after.value : null;
  if (opened.kind === 'refused' && after.kind === 'ok' && after.value) return recall(after.value);
  if (made === null) return failed(head, base, forge.host, opened);
  if (broker.words !== 'person') await broker.remember({ number: made.number, head });
  return { head, base, outcome: 'done', by: 'forge', reason: null, url: made.html_url };
}

/**
 * Whether it is what an earlier ask of the session opened without hearing so: from its own branch
 * as that is now, in a session's words. One that a person opened from there is theirs. Pure.
 */
const isOpenedFrom = ({ head, body }: Pull, own: OwnBranch | undefined): boolean =>
  (own?.tip ?? null) !== null && own?.tip === head.sha && isAgentsBody(body);

/** The forge did not open it, or nobody knows. */
function failed(head: string, base: string, host: string, answer: ForgeAnswer<Pull>): PullRequest {
  const said = answer.kind === 'ok' ? 'it did not say where it is' : answer.reason;
  if (answer.kind === 'refused') return refused(head, base, 'forge', `${host}: ${said}`);
  const reason = `${host}: ${said}, so that it is not known whether the pull request was opened; ask again, and it is found if it was`;
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
export function sayPullRequest({ outcome, url, reason, change }: PullRequest): string {
  if (!change)
    return outcome === 'done'
      ? `The pull request is open: ${url}`
      : `No pull request was opened: ${reason}`;
  const what = change.kind === 'comment' ? 'The comment was' : 'The pull request was';
  const done = change.kind === 'comment' ? 'written' : 'changed';
  switch (outcome) {
    case 'done':
      return `${what} ${done}: ${url}`;
    case 'unknown':
      return `${what} perhaps ${done}: ${reason}`;
    default:
      return `${what} not ${done}: ${reason}`;
  }
}
