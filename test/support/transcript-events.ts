import type { ActSeen } from '../../protocol/act.ts';
import type { ApprovalRequest } from '../../protocol/approval.ts';
import type { EventOf, FeedEvent, TextDelta } from '../../protocol/engine-event.ts';
import { actId, LOCAL_ACTOR, launchId, requestId } from '../../protocol/ids.ts';
import { wholeText } from '../../protocol/text.ts';
import { SESSION, TURN } from './protocol-builders.ts';

const LAUNCH = launchId.parse('lau_test1');

type Over<T extends FeedEvent['type']> = Partial<EventOf<T>>;

/** An instruction that the cloud took. */
export function accepted(over: Over<'turn/accepted'> = {}): EventOf<'turn/accepted'> {
  return { type: 'turn/accepted', turnId: TURN, text: 'Go on', actorId: LOCAL_ACTOR, ...over };
}

export function started(over: Over<'turn/started'> = {}): EventOf<'turn/started'> {
  return { type: 'turn/started', turnId: TURN, origin: 'instruction', ...over };
}

export function ended(over: Over<'turn/ended'> = {}): EventOf<'turn/ended'> {
  return {
    type: 'turn/ended',
    turnId: TURN,
    outcome: 'ok',
    error: null,
    durationMs: 2_000,
    usage: 'recorded',
    acts: 'recorded',
    ...over,
  };
}

/** A block of text that is complete. */
export function said(text: string, over: Over<'text/completed'> = {}): EventOf<'text/completed'> {
  return {
    type: 'text/completed',
    turnId: TURN,
    blockId: 'block-1',
    parentToolId: null,
    kind: 'answer',
    text: wholeText(text),
    ...over,
  };
}

/** Text on its way. */
export function delta(text: string, offset: number, over: Partial<TextDelta> = {}): TextDelta {
  return {
    sessionId: SESSION,
    turnId: TURN,
    blockId: 'block-1',
    parentToolId: null,
    kind: 'answer',
    offset,
    text,
    ...over,
  };
}

export function toolStarted(over: Over<'tool/started'> = {}): EventOf<'tool/started'> {
  return {
    type: 'tool/started',
    turnId: TURN,
    toolId: 'tool-1',
    parentToolId: null,
    name: 'Bash',
    summary: 'npm test',
    input: wholeText('{}'),
    ...over,
  };
}

export function toolEnded(over: Over<'tool/ended'> = {}): EventOf<'tool/ended'> {
  return {
    type: 'tool/ended',
    toolId: 'tool-1',
    outcome: 'ok',
    exitCode: 0,
    output: wholeText(''),
    files: [],
    durationMs: 3_200,
    ...over,
  };
}

export function ready(over: Over<'engine/ready'> = {}): EventOf<'engine/ready'> {
  return {
    type: 'engine/ready',
    launchId: LAUNCH,
    engineSessionId: 'conversation-1',
    engineVersion: '2.1',
    model: 'opus',
    payer: 'api-key',
    credential: 'ANTHROPIC_API_KEY',
    ...over,
  };
}

export function launchFailed(over: Over<'launch/failed'> = {}): EventOf<'launch/failed'> {
  return {
    type: 'launch/failed',
    launchId: LAUNCH,
    state: 'failed_to_start',
    stage: 'queued',
    error: { code: 'workspace_refused', message: 'The directory is not there.' },
    elapsedMs: 12,
    stderrTail: [],
    ...over,
  };
}

export function sessionEnded(over: Over<'session/ended'> = {}): EventOf<'session/ended'> {
  return { type: 'session/ended', end: 'stopped', reason: 'You stopped it.', ...over };
}

export function anAct(over: Partial<ActSeen> = {}): ActSeen {
  return {
    actId: actId.parse('act_test1'),
    turnId: TURN,
    toolId: 'tool-1',
    kind: 'push',
    command: 'git push origin main',
    target: 'origin main',
    witness: 'stream',
    uncertain: false,
    ...over,
  };
}

export function anApproval(over: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    requestId: requestId.parse('apr_test1'),
    turnId: TURN,
    toolId: 'tool-1',
    kind: 'tool',
    toolName: 'Bash',
    input: wholeText('{}'),
    summary: 'git push origin main',
    acts: ['push'],
    questions: [],
    suggestions: [],
    requestedAt: 1,
    expiresAt: null,
    ...over,
  };
}

/** A request that asks these questions. */
export function aQuestion(...questions: string[]): ApprovalRequest {
  return anApproval({
    kind: 'question',
    toolName: 'AskUserQuestion',
    summary: questions.join(' '),
    acts: [],
    questions: questions.map((question) => ({
      question,
      header: null,
      options: [
        { label: 'SQLite', description: null },
        { label: 'Postgres', description: 'A server' },
      ],
      multiSelect: false,
    })),
  });
}

/** What a launch reports until its first turn runs. */
export function running(turnId = TURN): FeedEvent[] {
  return [
    { type: 'launch/staged', launchId: LAUNCH, stage: 'spawned', process: null },
    { type: 'launch/staged', launchId: LAUNCH, stage: 'bootstrap_submitted', process: null },
    ready(),
    started({ turnId }),
  ];
}
