import type { DoctorFinding } from '../../protocol/machine.ts';
import { shellWord } from '../../protocol/shell-word.ts';

/**
 * The finding on taking sessions over with keys. `problem` is what keeps this machine from opening
 * a pseudo-terminal; `allowed` is what its limits say, null where they cannot be read; `program` is
 * where Pilothouse itself lies.
 */
export function checkTerminal(
  problem: string | null,
  allowed: boolean | null,
  program: string,
): DoctorFinding {
  if (problem !== null)
    return {
      check: 'terminal',
      status: 'warning',
      message: `No engine’s terminal can be opened here: ${problem}. Sessions run; they can be taken over with text alone.`,
      remedy: `\`cd ${shellWord(program)} && npm install\`. Where that changes nothing no command can: the machine has no free /dev/pts for it.`,
    };
  const message =
    allowed === false
      ? 'Nobody may take a session over with keys: limits.toml says `takeover = false`.'
      : 'Sessions can be taken over with keys.';
  return { check: 'terminal', status: 'ok', message, remedy: null };
}
