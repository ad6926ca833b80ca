import type { DoctorFinding } from '../../protocol/machine.ts';

/**
 * The finding on taking sessions over with keys. `problem` is what keeps this machine from opening
 * a pseudo-terminal; `allowed` is what its limits say, null where they cannot be read.
 */
export function checkTerminal(problem: string | null, allowed: boolean | null): DoctorFinding {
  if (problem !== null)
    return {
      check: 'terminal',
      status: 'warning',
      message: `No engine’s terminal can be opened here: ${problem}. Sessions run; they can be taken over with text alone.`,
      remedy: 'Run `npm install` in the directory of Pilothouse, on a machine with free /dev/pts.',
    };
  const message =
    allowed === false
      ? 'Nobody may take a session over with keys: limits.toml says `takeover = false`.'
      : 'Sessions can be taken over with keys.';
  return { check: 'terminal', status: 'ok', message, remedy: null };
}
