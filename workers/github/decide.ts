import { type Association, GITHUB_COMMAND } from '../../protocol/github.ts';
import { phaseOf } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Comment, GithubEvent, Issue } from './event.ts';
import { isMarked } from './marks.ts';

/** Of a channel, what decides whether something on GitHub is meant for a session. */
export type ChannelRule = {
  repository: string;
  label: string;
  associations: readonly Association[];
};

/** What something on GitHub asks of us; `source` names it however it came. */
export type Wanted =
  | { do: 'ignore'; reason: string }
  | { do: 'start'; source: string; issue: Issue; words: null }
  | { do: 'steer'; source: string; issue: Issue; words: { author: string; text: string } };

const ignore = (reason: string): Wanted => ({ do: 'ignore', reason });

/**
 * Decides what an event asks for: the one decision of webhook and polling. Pure. `posted` is whether
 * we wrote this very comment: what a session says never wakes it.
 */
export function decideGithub(event: GithubEvent, rule: ChannelRule, posted: boolean): Wanted {
  if (event.kind === 'other') return ignore(`Nothing is done about ${event.name}.`);
  if (event.repository.toLowerCase() !== rule.repository.toLowerCase())
    return ignore(`It is of ${event.repository}, not of ${rule.repository}.`);
  if (!event.issue.open) return ignore('The issue is closed.');
  return event.kind === 'labeled'
    ? decideLabel(event, rule)
    : decideComment(event.comment, event.issue, rule, posted);
}

function decideLabel(
  { label, byBot, issue }: Extract<GithubEvent, { kind: 'labeled' }>,
  rule: ChannelRule,
): Wanted {
  if (!isSame(label, rule.label)) return ignore(`The label is ${label}, not ${rule.label}.`);
  if (byBot) return ignore('A bot set the label.');
  if (!rule.associations.includes(issue.association)) return ignore(refuseRank(issue.association));
  return { do: 'start', source: `issue:${issue.number}`, issue, words: null };
}

function decideComment(comment: Comment, issue: Issue, rule: ChannelRule, posted: boolean): Wanted {
  if (posted || isMarked(comment.body)) return ignore('It is a comment of our own.');
  if (comment.bot) return ignore('A bot wrote it.');
  if (comment.edited) return ignore('It was edited: only a new comment is taken.');
  if (!issue.labels.some((label) => isSame(label, rule.label)))
    return ignore(`The issue has no label ${rule.label}.`);
  const text = commandOf(comment.body);
  if (text === null) return ignore(`It does not begin with ${GITHUB_COMMAND}.`);
  if (text === '') return ignore(`Nothing stands behind ${GITHUB_COMMAND}.`);
  if (!rule.associations.includes(comment.association))
    return ignore(refuseRank(comment.association));
  const words = { author: comment.author, text };
  return { do: 'steer', source: `comment:${comment.id}`, issue, words };
}

/** Whether a session is over before any turn of it began: nobody works on its issue, nor will. */
export function cameToNothing({ state, turns }: Pick<SessionView, 'state' | 'turns'>): boolean {
  const phase = phaseOf(state);
  return (
    (phase === 'failed' || phase === 'ended') && turns.every((turn) => turn.state === 'accepted')
  );
}

/** Whether a comment begins with the command, whoever wrote it. */
export const commandIn = (body: string): boolean => commandOf(body) !== null;

/** What stands behind the command at the very beginning; null without it. */
function commandOf(body: string): string | null {
  const match = new RegExp(`^\\s*${GITHUB_COMMAND}(?:\\s+([\\s\\S]*))?$`).exec(body);
  return match ? (match[1] ?? '').trim() : null;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const refuseRank = (rank: Association): string =>
  `Who wrote it is ${rank} here, which may not start or steer.`;
