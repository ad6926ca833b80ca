import { createHash } from 'node:crypto';
import {
  type ActId,
  actId,
  type RequestId,
  requestId,
  type TurnId,
  turnId,
} from '../../protocol/ids.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The UUID under which a turn is known to the engine. Derived, so that a runner that restarts
 * recognises the echo of an instruction that an earlier process handed over.
 */
export function turnUuid(turn: TurnId): string {
  const hex = hash(`turn ${turn}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Id of a turn that the engine began by itself, from the line that showed it. */
export function engineTurnId(scope: string, line: string): TurnId {
  return turnId.parse(`trn_${hash(`engine turn ${scope} ${line}`).slice(0, 26)}`);
}

/** Our id of an engine's request: its own UUID, or a hash of whatever else it uses. */
export function approvalId(scope: string, engineRequestId: string): RequestId {
  const plain = engineRequestId.replaceAll('-', '').toLowerCase();
  const own = /^[0-9a-f]{32}$/.test(plain)
    ? plain
    : hash(`request ${scope} ${engineRequestId}`).slice(0, 32);
  return requestId.parse(`apr_${own}`);
}

/** Id of the act of index `index` in one tool call. */
export function actIdOf(scope: string, toolId: string, index: number): ActId {
  return actId.parse(`act_${hash(`act ${scope} ${toolId} ${index}`).slice(0, 26)}`);
}
