import type { ActKind, ActOutcome, ActSeen } from '../../protocol/act.ts';
import type { ActId } from '../../protocol/ids.ts';
import { asksForge } from '../gate/act-policy.ts';
import type { Move } from './snapshot.ts';

/** An act that somebody saw before the refs were compared. */
export type Claim = {
  actId: ActId;
  kind: ActKind;
  /** The tool call that carried it; null for one that the gate saw. Absent in older rows. */
  toolId?: string | null;
  /** Not all of the command could be seen. Absent in older rows. */
  uncertain?: boolean;
  command: string;
  target: string | null;
  /** Whether the gate saw it; else the engine's stream told of it. */
  gate: boolean;
  /** The same act in the stream, of one that the gate saw. */
  claimId: ActId | null;
  /** Where exactly a ref was to go, of one that the gate saw. */
  move: { ref: string; after: string } | null;
  outcome: ActOutcome | null;
};

/** Enough for one turn's. */
export const MAX_CLAIMS = 200;
/** As much of a command as a claim keeps. */
export const MAX_CLAIM_CHARS = 500;

const ABOUT_REFS: ReadonlySet<ActKind> = new Set([
  'push',
  'force_push',
  'tag',
  'delete',
  'merge',
  'pull_request',
  'release',
  'publish',
]);

/** What an act claims about refs; null for one that is about something else. */
export function claimOf(act: ActSeen): Claim | null {
  // What the guard tells of was refused: the refs speak for a try that went around it.
  if (!ABOUT_REFS.has(act.kind) || act.witness === 'git' || act.witness === 'guard') return null;
  const { actId, kind, toolId, uncertain, command, target, move } = act;
  return {
    actId,
    kind,
    toolId,
    uncertain,
    command: command.slice(0, MAX_CLAIM_CHARS),
    target,
    gate: act.witness === 'gate',
    claimId: act.claimId ?? null,
    move: move ? { ref: move.ref, after: move.after } : null,
    outcome: null,
  };
}

/** A command that sends refs to a remote, as opposed to one that changes them where it runs. */
export const sendsRefs = ({ command }: Pick<Claim, 'command'>): boolean =>
  /\b(push|send-pack|http-push|dcommit)\b/.test(command);

const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags|notes)\//, '');

/**
 * How well a claim fits a move: 3 the gate's own, 2 it names the ref, 1 it may be it (it names
 * none, or cannot be seen whole), 0 it is about something else.
 */
export function fitOf(claim: Claim, move: Move): number {
  if (claim.gate) {
    const same =
      claim.move?.ref === move.ref && claim.move.after.replace(/^0+$/, '') === (move.after ?? '');
    return same && move.remote ? 3 : 0;
  }
  if (!mayMove(claim, move)) return 0;
  const words = [...(claim.target ?? '').split(/\s+/), ...claim.command.split(/[\s:'"+=]+/)];
  const names = new Set(words.map(shortName));
  if (names.has(shortName(move.ref))) return 2;
  return namesRefs(claim) ? 0 : 1;
}

function mayMove(claim: Claim, move: Move): boolean {
  if (asksForge(claim)) return move.remote;
  const gone = move.after === null;
  switch (claim.kind) {
    case 'delete':
      return gone;
    case 'tag':
      return move.ref.startsWith('refs/tags/') && !gone;
    case 'merge':
      return !gone && (sendsRefs(claim) || !move.remote);
    case 'push':
    case 'force_push':
      return !gone || /--(mirror|prune)\b/.test(claim.command);
    default:
      return false;
  }
}

/** Whether a claim says which refs it is about: `origin main` does, `origin` and `--all` do not. */
function namesRefs(claim: Claim): boolean {
  const { target, command, kind } = claim;
  if (/…|\$|--(all|mirror|tags|follow-tags)\b|\bHEAD\b|(^|\s):(\s|$)/.test(command)) return false;
  if (kind === 'merge' || asksForge(claim)) return false;
  return (target ?? '').split(/\s+/).filter(Boolean).length > (sendsRefs(claim) ? 1 : 0);
}
