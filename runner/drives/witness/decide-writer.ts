import type { DriveEnd } from '../../../protocol/drive-witness.ts';
import { mayBeAsked } from '../../witness/author.ts';
import type { Claim } from '../../witness/claims.ts';
import type { Evidence } from '../../witness/evidence.ts';
import type { Move } from '../../witness/snapshot.ts';

/** Who else may have moved something while a write had its effect. */
export type Company = {
  /** A person typed in the same terminal. */
  typed: boolean;
  /** Another operator wrote into a terminal of the same repository. */
  shared: boolean;
  /** The runner ended meanwhile, and does not know who typed. */
  restarted: boolean;
  end: DriveEnd;
};

/** Whose a move is. What is not proven is nobody's. */
export type Writer = { by: 'operator' | 'unknown'; reason: string };

const operator = (reason: string): Writer => ({ by: 'operator', reason });
const unknown = (reason: string): Writer => ({ by: 'unknown', reason });

/**
 * Decides whether a move was done by what an operator wrote. It works in a person's own repository,
 * so that a reflog says only that it was done there: it is the operator's where nobody else wrote in
 * that time, and where it was told to do it or what it wrote is known to be over. `claim` is what it
 * was told to do; `asked` says that no more moved so than a forge was asked for. Pure.
 */
export function decideWriter(
  move: Move,
  evidence: Evidence,
  claim: Claim | null,
  company: Company,
  asked: boolean,
): Writer {
  const { logged, own, fetched, held } = evidence;
  if (fetched) return unknown('The repository fetched this commit; it is somebody else’s.');
  const here = logged || own || (claim !== null && (held || move.after === null));
  const forge = mayBeAsked(move, evidence, claim);
  if (!here && !forge)
    return unknown(
      move.after === null
        ? 'It is gone, and nothing shows who deleted it.'
        : 'Nothing shows that it was moved from this repository.',
    );
  if (company.typed) return unknown('A person typed in the same terminal meanwhile.');
  if (company.shared) return unknown('Another operator wrote in the same repository meanwhile.');
  if (forge)
    return asked
      ? operator('It was told to ask the forge for it, which made this commit.')
      : unknown('It was told to ask the forge to merge, and more moved than that.');
  if (claim) return operator(`It was told to, and ${hereIn(evidence, move)}.`);
  if (company.restarted)
    return unknown('The runner ended meanwhile, and does not know who typed in the terminal.');
  if (company.end === 'late')
    return unknown('Nothing shows whether what it wrote was over, or what a person did meanwhile.');
  return operator(`While what it wrote had its effect, ${hereIn(evidence, move)}.`);
}

function hereIn({ logged, own }: Evidence, { after }: Move): string {
  if (after === null) return 'the ref is gone';
  if (logged) return 'a reflog of the repository says that it was done there';
  return own
    ? 'the commit was made there, and nobody else had it'
    : 'the repository has the commit';
}
