import type { Undoing } from '../../protocol/breach.ts';
import { quoteWord } from '../../protocol/preset.ts';
import type { RefMove } from '../../protocol/witness.ts';
import type { Claim } from './claims.ts';

/** Where a move is taken back: the person's working tree, and the branch it has checked out. */
export type UndoRoom = { directory: string; head: string | null };

const line = (...words: readonly string[]): string => words.map(quoteWord).join(' ');

const REVERT =
  'Where the forge refuses a forced push, take the commits back by new ones on a branch of your own (`git revert`) and merge that.';
const PULLED =
  'Whoever has fetched it meanwhile has it still: tell them, and withdraw any secret that was in it.';

/**
 * The commands that put a ref back to where it was, each bound to where it is now: if somebody has
 * moved it on since, git refuses, and nothing of theirs is lost. Pure.
 */
export function undoMove(move: RefMove, remote: boolean, { directory, head }: UndoRoom): Undoing {
  const { place, ref, before, after } = move;
  if (!remote) return { directory, commands: undoHere(move, head), note: '' };
  const lease = `--force-with-lease=${ref}:${after ?? ''}`;
  if (before === null)
    return {
      directory,
      commands: [line('git', 'push', lease, '--', place, `:${ref}`)],
      note: PULLED,
    };
  const commands = [
    line('git', 'fetch', '--', place),
    line('git', 'push', lease, '--', place, `${before}:${ref}`),
  ];
  return { directory, commands, note: after === null ? '' : REVERT };
}

function undoHere({ ref, before, after }: RefMove, head: string | null): string[] {
  if (before === null) return [line('git', 'update-ref', '-d', ref, after ?? '')];
  if (after === null) return [line('git', 'update-ref', ref, before, '0'.repeat(before.length))];
  return ref === `refs/heads/${head}`
    ? [line('git', 'reset', '--keep', before)]
    : [line('git', 'update-ref', ref, before, after)];
}

/** How something that was asked of a forge is taken back, as far as the command shows it. Pure. */
export function undoClaim({ kind, command, target }: Claim, directory: string | null): Undoing {
  const name = target?.split(/\s+/)[0] ?? null;
  const gh = command.startsWith('gh ');
  const named = gh && name !== null && !name.startsWith('-') ? name : null;
  switch (kind) {
    case 'pull_request':
      return {
        directory,
        commands: [],
        note: 'Close the pull request on the forge; nothing is merged by it.',
      };
    case 'release':
      return {
        directory,
        commands: named ? [line('gh', 'release', 'delete', named, '--cleanup-tag')] : [],
        note: 'A release is taken back on the forge, its tag too. Who has downloaded it has it still.',
      };
    default:
      return {
        directory,
        commands: named ? [line('gh', 'pr', 'view', named, '--json', 'state,mergeCommit')] : [],
        note: 'Look on the forge whether it is merged by now. If it is, revert the merge commit there (`git revert -m 1`, or the forge’s Revert button); if it is only queued, take automatic merging back.',
      };
  }
}
