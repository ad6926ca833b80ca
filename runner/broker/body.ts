import { fence } from '../../protocol/markdown.ts';

const markOf = (how: 'Opened' | 'Written') =>
  `${how} by a session of a coding agent through Pilothouse. The words below are the agent’s, and nobody has read them yet.`;

/** Whether a pull request has the text of one that a session opened, and no person's. Pure. */
export const isAgentsBody = (body: string | null | undefined): boolean =>
  body?.startsWith(markOf('Opened')) ?? false;

/**
 * The text of a pull request, or of a comment on one. An agent's words stand in it as code: they call nobody by name, give
 * no bot an order, hide nothing and close no issue. A person's are theirs.
 */
export function writeBody(
  text: string,
  by: 'agent' | 'person' = 'agent',
  how: 'Opened' | 'Written' = 'Opened',
): string {
  const clean = text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim();
  if (by === 'person') return clean;
  return clean === '' ? markOf(how) : `${markOf(how)}\n\n${fence(clean)}`;
}
