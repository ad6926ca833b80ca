import type { DoctorFinding } from '../../protocol/machine.ts';
import type { UnreadFile } from '../guard/own-secrets.ts';
import { shellWord } from '../../protocol/shell-word.ts';

/** The finding on what engines keep in this home, whose values no transcript may show; null where all of it is searched. */
export function checkOwnSecrets(unread: readonly UnreadFile[]): DoctorFinding | null {
  const first = unread[0];
  if (!first) return null;
  const files = unread.map(({ path, reason }) => `${path} (${reason})`).join(', ');
  return {
    check: 'secrets',
    status: 'warning',
    message: `Not searched for secrets, so a session that prints one of them shows its values: ${files}.`,
    remedy: `See what is wrong with it: \`ls -l ${shellWord(first.path)}\`. A value that has to be hidden meanwhile can be named in limits.toml under secret_patterns.`,
  };
}
