import type { ApprovalRequest } from '../../protocol/approval.ts';
import type { EventOf } from '../../protocol/engine-event.ts';
import {
  LOCAL_ACTOR,
  actId,
  commandId,
  launchId,
  requestId,
  type LaunchId,
  type RequestId,
  type TurnId,
} from '../../protocol/ids.ts';
import { wholeText } from '../../protocol/text.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import { TURN, aUsage } from './protocol-builders.ts';

/** One valid event of each kind that a test needs, with what the test is about said over it. */
export const LAUNCH: LaunchId = launchId.parse('lau_test1');
export const RELAUNCH: LaunchId = launchId.parse('lau_test2');
export const REQUEST: RequestId = requestId.parse('apr_test1');
export const OTHER_REQUEST: RequestId = requestId.parse('apr_test2');

export const staged = (
  stage: EventOf<'launch/staged'>['stage'],
  over: Partial<EventOf<'launch/staged'>> = {},
): EventOf<'launch/staged'> => ({
  type: 'launch/staged',
  launchId: LAUNCH,
  stage,
  process: null,
  ...over,
});

export const launchFailed = (
  over: Partial<EventOf<'launch/failed'>> = {},
): EventOf<'launch/failed'> => ({
  type: 'launch/failed',
  launchId: LAUNCH,
  state: 'provider_failed',
  stage: 'queued',
  error: { code: 'auth_missing', message: 'Not logged in.' },
  elapsedMs: 900,
  stderrTail: [],
  ...over,
});

export const ready = (over: Partial<EventOf<'engine/ready'>> = {}): EventOf<'engine/ready'> => ({
  type: 'engine/ready',
  launchId: LAUNCH,
  engineSessionId: 'conversation-1',
  engineVersion: '2.1.332',
  model: 'claude-opus-5-5',
  payer: 'api-key',
  credential: 'ANTHROPIC_API_KEY',
  ...over,
});

export const exited = (over: Partial<EventOf<'engine/exited'>> = {}): EventOf<'engine/exited'> => ({
  type: 'engine/exited',
  launchId: LAUNCH,
  exitCode: 0,
  signal: null,
  expected: true,
  stderrTail: [],
  ...over,
});

export const parked = (
  reason: EventOf<'engine/parked'>['reason'] = 'idle',
): EventOf<'engine/parked'> => ({ type: 'engine/parked', reason });

export const halted = (
  reason: EventOf<'session/halted'>['reason'] = 'budget',
): EventOf<'session/halted'> => ({ type: 'session/halted', reason, message: `halted: ${reason}` });

export const sessionEnded = (
  end: EventOf<'session/ended'>['end'] = 'stopped',
): EventOf<'session/ended'> => ({ type: 'session/ended', end, reason: `it ${end}` });

export const checkoutPrepared = (
  over: Partial<EventOf<'checkout/prepared'>> = {},
): EventOf<'checkout/prepared'> => ({
  type: 'checkout/prepared',
  mode: 'own',
  directory: '/home/dev/checkout',
  branch: 'pilothouse/fix',
  baseCommit: 'a'.repeat(40),
  included: [],
  fromUncommitted: false,
  ...over,
});

export const broughtBack = (
  over: Partial<EventOf<'checkout/broughtBack'>> = {},
): EventOf<'checkout/broughtBack'> => ({
  type: 'checkout/broughtBack',
  turnId: TURN,
  branch: 'pilothouse/fix',
  commit: 'b'.repeat(40),
  commits: 2,
  uncommittedFiles: 1,
  ...over,
});

export const accepted = (turnId: TurnId = TURN, text = 'go'): EventOf<'turn/accepted'> => ({
  type: 'turn/accepted',
  turnId,
  text,
  actorId: LOCAL_ACTOR,
});

export const delivered = (
  delivery: EventOf<'turn/delivered'>['delivery'],
  turnId: TurnId = TURN,
  reason: string | null = null,
): EventOf<'turn/delivered'> => ({ type: 'turn/delivered', turnId, delivery, reason });

export const started = (
  turnId: TurnId = TURN,
  origin: EventOf<'turn/started'>['origin'] = 'instruction',
): EventOf<'turn/started'> => ({ type: 'turn/started', turnId, origin });

export const turnEnded = (
  turnId: TurnId = TURN,
  over: Partial<EventOf<'turn/ended'>> = {},
): EventOf<'turn/ended'> => ({
  type: 'turn/ended',
  turnId,
  outcome: 'ok',
  error: null,
  durationMs: 5,
  usage: 'recorded',
  acts: 'none',
  ...over,
});

export const usageRecorded = (
  turnId: TurnId | null = TURN,
  entries: UsageEntry[] = [aUsage()],
): EventOf<'usage/recorded'> => ({ type: 'usage/recorded', turnId, entries });

export const actSeen = (
  turnId: TurnId | null = TURN,
  over: Partial<EventOf<'act/seen'>['act']> = {},
): EventOf<'act/seen'> => ({
  type: 'act/seen',
  act: {
    actId: actId.parse('act_test1'),
    turnId,
    toolId: 'tool-1',
    kind: 'push',
    command: 'git push origin main',
    target: 'origin main',
    witness: 'stream',
    uncertain: false,
    ...over,
  },
});

export const anApprovalRequest = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  requestId: REQUEST,
  turnId: TURN,
  toolId: 'tool-1',
  kind: 'tool',
  toolName: 'Bash',
  input: wholeText('{}'),
  summary: 'npm test',
  acts: [],
  questions: [],
  suggestions: [],
  requestedAt: 1,
  expiresAt: null,
  ...over,
});

export const approvalRequested = (
  over: Partial<ApprovalRequest> = {},
): EventOf<'approval/requested'> => ({
  type: 'approval/requested',
  request: anApprovalRequest(over),
});

export const approvalDecided = (id: RequestId = REQUEST): EventOf<'approval/decided'> => ({
  type: 'approval/decided',
  requestId: id,
  answer: { decision: 'allow', message: null, answers: null, suggestion: null },
  actorId: LOCAL_ACTOR,
  channel: 'console',
});

export const approvalResolved = (
  id: RequestId = REQUEST,
  resolution: EventOf<'approval/resolved'>['resolution'] = 'allowed',
): EventOf<'approval/resolved'> => ({ type: 'approval/resolved', requestId: id, resolution });

export const commandFailed = (
  over: Partial<EventOf<'command/failed'>> = {},
): EventOf<'command/failed'> => ({
  type: 'command/failed',
  commandId: commandId.parse('cmd_test1'),
  method: 'session/instruct',
  turnId: TURN,
  code: 'expired',
  message: 'It waited too long.',
  ...over,
});

export const requested = (
  action: EventOf<'action/requested'>['action'],
): EventOf<'action/requested'> => ({
  type: 'action/requested',
  action,
  actorId: LOCAL_ACTOR,
});

/** From a launch with its first instruction to the turn that works on it. */
export const working = (): [
  EventOf<'turn/accepted'>,
  EventOf<'launch/staged'>,
  EventOf<'launch/staged'>,
  EventOf<'engine/ready'>,
  EventOf<'turn/started'>,
] => [accepted(), staged('spawned'), staged('bootstrap_submitted'), ready(), started()];
