import { fence } from '../../protocol/markdown.ts';

const MARK =
  'Opened by a session of a coding agent through Pilothouse. The words below are the agent’s, and nobody has read them yet.';

/**
 * The text of a pull request. The agent's words stand in it as code: they call nobody by name, give
 * no bot an order, hide nothing and close no issue.
 */
export function writeBody(text: string): string {
  const clean = text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim();
  return clean === '' ? MARK : `${MARK}\n\n${fence(clean)}`;
}
