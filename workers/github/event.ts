import { z } from 'zod';
import { association, type Association } from '../../protocol/github.ts';

const user = z.object({ login: z.string(), type: z.string() }).nullable();
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const issueFields = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user,
  author_association: association,
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  updated_at: time.optional(),
});

export const commentFields = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  user,
  author_association: association,
  created_at: time,
  updated_at: time,
  performed_via_github_app: z.unknown().optional(),
});

const repository = z.object({ full_name: z.string() });

/** Of a delivery, what is looked at. Everything else in it stays outside. */
const payload = z.object({
  action: z.string().optional(),
  repository: repository.optional(),
  sender: user.optional(),
  label: z.object({ name: z.string() }).optional(),
  issue: issueFields.optional(),
  comment: commentFields.optional(),
});

export type Issue = {
  number: number;
  title: string;
  body: string;
  open: boolean;
  author: string;
  association: Association;
  labels: string[];
};
export type Comment = {
  id: number;
  body: string;
  author: string;
  bot: boolean;
  association: Association;
  edited: boolean;
};

/** Something that happened on GitHub, whichever way it came. */
export type GithubEvent =
  | { kind: 'labeled'; repository: string; label: string; byBot: boolean; issue: Issue; at: number }
  | { kind: 'commented'; repository: string; comment: Comment; issue: Issue; at: number }
  | { kind: 'other'; name: string };

/** Reads a delivery of GitHub; what is not about a label or a new comment is `other`. */
export function parseDelivery(name: string, body: unknown, nowMs: number): GithubEvent {
  const { data } = payload.safeParse(body);
  const told = `${name}${data?.action === undefined ? '' : ` ${data.action}`}`;
  if (!data?.repository || !data.issue) return { kind: 'other', name: told };
  const { full_name: where } = data.repository;
  const issue = toIssue(data.issue);
  if (name === 'issues' && data.action === 'labeled' && data.label) {
    const byBot = isBot(data.sender ?? null);
    const { name: label } = data.label;
    // Of the label itself: a delivery that comes again is as old as it was.
    const at = data.issue.updated_at ?? nowMs;
    return { kind: 'labeled', repository: where, label, byBot, issue, at };
  }
  if (name === 'issue_comment' && data.action === 'created' && data.comment) {
    const at = data.comment.created_at;
    return { kind: 'commented', repository: where, comment: toComment(data.comment), issue, at };
  }
  return { kind: 'other', name: told };
}

export function toIssue(fields: z.output<typeof issueFields>): Issue {
  const { number, title, body, state, user: by, author_association: rank, labels } = fields;
  return {
    number,
    title,
    body: body ?? '',
    open: state === 'open',
    author: by?.login ?? 'nobody',
    association: rank,
    labels: labels.map((label) => (typeof label === 'string' ? label : label.name)),
  };
}

export function toComment(fields: z.output<typeof commentFields>): Comment {
  const { id, body, user: by, author_association: rank } = fields;
  return {
    id,
    body: body ?? '',
    author: by?.login ?? 'nobody',
    bot: isBot(by) || Boolean(fields.performed_via_github_app),
    association: rank,
    edited: fields.updated_at !== fields.created_at,
  };
}

export const isBot = (by: { type: string } | null): boolean => by?.type === 'Bot';
