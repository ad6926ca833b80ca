import type { ActSeen } from '../../protocol/act.ts';
import type { EventOf } from '../../protocol/engine-event.ts';
import type { ActId, SessionId, TurnId } from '../../protocol/ids.ts';
import { actIdOf } from '../engines/ids.ts';
import type { PullRequest } from '../broker/open.ts';
import type { PushOutcome } from '../gate/receive.ts';

/** The act that one ref of a push through the gate is. */
export function actOfPush(
  sessionId: SessionId,
  pushId: string,
  index: number,
  outcome: Pick<PushOutcome, 'kind' | 'ref' | 'before' | 'after'>,
  turnId: TurnId | null,
): ActSeen {
  const { kind, ref, before, after } = outcome;
  return {
    actId: actIdOf(`gate ${sessionId}`, pushId, index),
    turnId,
    toolId: null,
    kind,
    command: commandOf(outcome),
    target: `origin ${nameOfRef(ref)}`,
    witness: 'gate',
    uncertain: false,
    move: { ref, before, after },
  };
}

/** The act that an ask for a pull request is; its address is part of what was done. */
export function actOfPullRequest(
  sessionId: SessionId,
  pushId: string,
  pullRequest: PullRequest,
  turnId: TurnId | null,
): ActSeen {
  const { url } = pullRequest;
  return {
    actId: actIdOf(`gate ${sessionId}`, pushId, 0),
    turnId,
    toolId: null,
    kind: pullRequest.change?.kind === 'comment' ? 'comment' : 'pull_request',
    command: `${wordsOf(pullRequest)}${url === null ? '' : `: ${url}`}`,
    target: url ?? pullRequest.head,
    witness: 'gate',
    uncertain: false,
  };
}

function wordsOf({ head, base, change }: Omit<PullRequest, 'url'>): string {
  const number = change?.number ?? null;
  const which = number === null ? 'a pull request' : `pull request #${number}`;
  switch (change?.kind) {
    case 'comment':
      return `comment on ${which}`;
    case 'edit':
      return `change of ${which}${base === null ? '' : ` into ${base}`}`;
    default:
      return `pull request ${head ?? 'no branch'} into ${base ?? 'the default branch'}`;
  }
}

/** What became of it. */
export function endOfPush(
  actId: ActId,
  { outcome, by, reason }: Pick<PushOutcome, 'outcome' | 'by' | 'reason'>,
): EventOf<'act/ended'> {
  return { type: 'act/ended', actId, outcome, by, ...(reason !== null && { reason }) };
}

/** What git would be told to do the same. */
function commandOf({ kind, ref, after }: Pick<PushOutcome, 'kind' | 'ref' | 'after'>): string {
  if (/^0+$/.test(after)) return `git push origin --delete ${nameOfRef(ref)}`;
  return `git push ${kind === 'force_push' ? '--force ' : ''}origin ${after.slice(0, 12)}:${ref}`;
}

export const nameOfRef = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '');
