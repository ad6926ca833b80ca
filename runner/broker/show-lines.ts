import type { Check } from './checks.ts';
import type { Comment, Pull } from './pulls.ts';
import { line, plain, stateOf } from './show.ts';

// As `gh` prints where nobody looks (cli/cli, pkg/cmd/pr): what reads gh reads these too.

/** One pull request: its facts, and its text after `--`. Pure. */
export const viewLines = (pull: Pull): string[] => [
  `title:\t${line(pull.title)}`,
  `state:\t${pull.draft === true && stateOf(pull) === 'OPEN' ? 'DRAFT' : stateOf(pull)}`,
  `author:\t${line(pull.user?.login)}`,
  `labels:\t${(pull.labels ?? []).map(({ name }) => line(name)).join(', ')}`,
  `number:\t${pull.number}`,
  `url:\t${pull.html_url}`,
  `additions:\t${pull.additions ?? '?'}`,
  `deletions:\t${pull.deletions ?? '?'}`,
  '--',
  plain(pull.body),
];

/** What was said of a conversation. Pure. */
export const commentLines = (comments: readonly Comment[]): string[] =>
  comments.flatMap(({ user, author_association, body }) => [
    `author:\t${line(user?.login)}`,
    `association:\t${line(author_association).toLowerCase()}`,
    '--',
    plain(body),
    '--',
  ]);

export const listLines = (pulls: readonly Pull[]): string[] =>
  pulls.map((pull) =>
    [
      pull.number,
      line(pull.title),
      line(pull.head.ref),
      pull.draft === true ? 'DRAFT' : stateOf(pull),
      pull.created_at ?? '',
    ].join('\t'),
  );

export const checkLines = (checks: readonly Check[]): string[] =>
  checks.map((check) =>
    [
      line(check.name),
      check.bucket === 'cancel' ? 'fail' : check.bucket,
      elapsed(check),
      line(check.link),
      line(check.description),
    ].join('\t'),
  );

function elapsed({ startedAt, completedAt }: Pick<Check, 'startedAt' | 'completedAt'>): string {
  const seconds = Math.round((Date.parse(completedAt ?? '') - Date.parse(startedAt ?? '')) / 1_000);
  if (!(seconds > 0)) return '0';
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${hours + minutes > 0 ? `${minutes}m` : ''}${seconds % 60}s`;
}

/** What a session's own are, and the one of what is checked out. Pure. */
export function statusLines(
  repository: string,
  here: Pull | null,
  opened: readonly Pull[],
): string[] {
  const row = ({ number, title, head, ...pull }: Pull) =>
    `  #${number}  ${line(title)} [${line(head.ref)}] ${stateOf(pull).toLowerCase()}`;
  return [
    `Relevant pull requests in ${repository}`,
    '',
    'Current branch',
    here ? row(here) : '  There is no pull request of what is checked out',
    '',
    'Opened by this session',
    ...(opened.length === 0 ? ['  It has opened no pull request'] : opened.map(row)),
  ];
}
