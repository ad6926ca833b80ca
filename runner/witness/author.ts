import type { Claim } from './claims.ts';
import type { Evidence } from './evidence.ts';
import type { Move } from './snapshot.ts';

/** Whose a move is. What is not proven is nobody's: colleagues push too. */
export type Author = { by: 'session' | 'unknown'; reason: string };

const session = (reason: string): Author => ({ by: 'session', reason });
const unknown = (reason: string): Author => ({ by: 'unknown', reason });

/**
 * What the guard of an open session says of a move of a remote: it let the session push it, or it saw
 * no such push while it stood where it would have. Null: it has nothing to say.
 */
export type GuardWord = 'passed' | 'unseen' | null;

/** The shared reflogs show a push or a commit from there, and nothing shows the session at it. */
export const BESIDE: Author = unknown(
  'It was pushed from this directory while the session worked, and neither its guard nor its stream saw the session push: most likely a person did.',
);
const isHere = ({ logged, own }: Evidence): boolean => logged || own;

/**
 * Decides whether a move is this session's: because the gate passed it on, a reflog of the
 * session's says so, or the commit was the session's alone. A claim of the stream adds to
 * evidence and never stands for it, but where the session asked a forge, which makes a commit that
 * the session does not have: `asked` says that no more moved so than was asked for. What the guard let
 * go is evidence too; where it would have seen a push and saw none, reflogs that are shared are none. Pure.
 */
export function decideAuthor(
  move: Move,
  evidence: Evidence,
  claim: Claim | null,
  asked = true,
  guard: GuardWord = null,
): Author {
  if (claim?.gate && claim.outcome !== 'not_done') return session('The gate passed it on.');
  if (guard === 'passed') return session('The guard of the session let it push this.');
  if (guard === 'unseen' && !(claim && claim.outcome !== 'not_done') && isHere(evidence))
    return BESIDE;
  if (evidence.logged)
    return session('A reflog on the session’s side says that it was done there.');
  if (evidence.fetched) return unknown('The session fetched this commit; it is somebody else’s.');
  if (evidence.own)
    return session('The commit was made on the session’s side, and nobody else had it.');
  const claimed = claim !== null && claim.outcome !== 'not_done';
  if (move.after === null)
    return claimed
      ? session('The session said that it deletes it, and it is gone.')
      : unknown('It is gone, and nothing shows who deleted it.');
  if (claimed && evidence.held)
    return session('The session has this commit, and said that it sends it.');
  if (mayBeAsked(move, evidence, claim))
    return asked
      ? session('The session asked the forge to merge, which made this commit.')
      : unknown(
          'The session asked the forge to merge, and more moved than that: whose this is, is not known.',
        );
  return evidence.held
    ? unknown('The session has this commit, and others have it too.')
    : unknown('The commit is not from this session.');
}

/** Whether a move looks like a merge that a forge made because it was asked to: of a branch that was there. */
export const mayBeAsked = (move: Move, { held, fetched }: Evidence, claim: Claim | null): boolean =>
  claim?.kind === 'merge' &&
  claim.outcome === 'done' &&
  !held &&
  !fetched &&
  move.remote &&
  move.before !== null &&
  move.after !== null &&
  move.ref.startsWith('refs/heads/');
