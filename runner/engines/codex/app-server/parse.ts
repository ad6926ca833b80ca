import { turnId } from '../../../../protocol/ids.ts';
import { notice, patch } from '../../draft.ts';
import { type RpcAnswer, type RpcReaders, readRpcLine } from '../../json-rpc.ts';
import { emitTaken } from '../../turn-events.ts';
import { parseRefusal } from '../failures.ts';
import { announceThread, fail } from '../parse.ts';
import { askChange, askCommand, readResolved } from './approvals.ts';
import { askToEnd, openThread, sendWaiting } from './encode.ts';
import { failureOf, isLastRefusal, isRefusedBy } from './failures.ts';
import { readItem } from './read-items.ts';
import {
  errorTold,
  rerouted,
  threadAnswer,
  turnAnswer,
  turnCompleted,
  turnStarted,
  warned,
} from './messages.ts';
import type { Draft } from './state.ts';
import { readDelta } from './texts.ts';
import { endTurn, refuseTurn, startTurn } from './turns.ts';
import { readUsage } from './usage.ts';

/** Reads one line of the engine. Never throws: what cannot be read becomes a notice. */
export const readLine = (draft: Draft, line: string): void => readRpcLine(draft, line, READERS);

/** Said of every thread and turn, and told by other messages where it matters. */
const PASSED_OVER = new Set([
  'thread/started',
  'thread/status/changed',
  'thread/name/updated',
  'thread/goal/cleared',
  'thread/settings/updated',
  'thread/queue/changed',
  'thread/environment/connected',
  'turn/diff/updated',
  'turn/plan/updated',
  'item/commandExecution/outputDelta',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'item/plan/delta',
  'item/reasoning/summaryPartAdded',
  'item/reasoning/textDelta',
  'account/rateLimits/updated',
  'account/updated',
  'remoteControl/status/changed',
  'mcpServer/startupStatus/updated',
  'deprecationNotice',
  'skills/changed',
  'app/list/updated',
  'model/verification',
]);

const READERS: RpcReaders<Draft> = {
  passedOver: PASSED_OVER,
  answers: {
    initialize(draft, { error }) {
      if (error) refuseLaunch(draft, error.message);
      else openThread(draft);
      return true;
    },
    thread: readThread,
    turn: readTurnAnswer,
    // It did not come in time, or said words that the turn did not wait for: both are told by the turn.
    interrupt: () => true,
    steered: readSteered,
    steer(draft, { error }) {
      const message = 'Your words with the denial did not reach the engine, which had gone on.';
      if (error) notice(draft, 'warning', 'message_lost', message);
      return true;
    },
  },
  requests: {
    'item/commandExecution/requestApproval': askCommand,
    'item/fileChange/requestApproval': askChange,
  },
  notifications: {
    'turn/started'(draft, params, line) {
      const told = turnStarted.safeParse(params);
      if (told.success && told.data.threadId === draft.state.threadId)
        readStart(draft, told.data.turn.id, line);
      return told.success;
    },
    'turn/completed'(draft, params) {
      const told = turnCompleted.safeParse(params);
      if (!told.success) return false;
      const { threadId, turn } = told.data;
      const { engineTurnId } = draft.state;
      if (threadId === draft.state.threadId && turn.id === engineTurnId)
        endTurn(draft, turn.status, turn.error ?? null);
      return true;
    },
    'item/started': (draft, params) => readItem(draft, params, 'started'),
    'item/completed': (draft, params) => readItem(draft, params, 'completed'),
    'item/agentMessage/delta': (draft, params) => readDelta(draft, params, 'answer'),
    'item/reasoning/summaryTextDelta': (draft, params) => readDelta(draft, params, 'thinking'),
    'thread/tokenUsage/updated': readUsage,
    'serverRequest/resolved': readResolved,
    'model/rerouted'(draft, params) {
      const told = rerouted.safeParse(params);
      if (told.success && told.data.threadId === draft.state.threadId)
        patch(draft, { model: told.data.toModel });
      return told.success;
    },
    error: readError,
    warning: readWarning,
    guardianWarning: readWarning,
    configWarning: readWarning,
  },
};

function readThread(draft: Draft, { result, error }: RpcAnswer): boolean {
  if (error) {
    refuseLaunch(draft, error.message);
    return true;
  }
  const told = threadAnswer.safeParse(result);
  if (!told.success) return false;
  patch(draft, { model: told.data.model ?? draft.state.model, ready: true });
  announceThread(draft, told.data.thread.id);
  sendWaiting(draft);
  return true;
}

/** Who interrupted it before it had a name meant it all the same. */
function readStart(draft: Draft, id: string, line: string): void {
  startTurn(draft, id, line);
  if (draft.state.turn?.interrupting) askToEnd(draft);
}

/** Nothing can be done in this process: what it says is the launch's failure. */
function refuseLaunch(draft: Draft, message: string): void {
  const error = parseRefusal([`Error: ${message}`]) ?? failureOf({ message });
  draft.items.push({ kind: 'fatal', error });
}

function readTurnAnswer(draft: Draft, { about, result, error }: RpcAnswer): boolean {
  if (draft.state.turn?.turnId !== about) return true;
  if (error) {
    refuseTurn(draft, error.message);
    return true;
  }
  const told = turnAnswer.safeParse(result);
  if (told.success) startTurn(draft, told.data.turn.id, '');
  return told.success;
}

/** Words for the turn under way: taken into it, or too late for it. */
function readSteered(draft: Draft, { about, error }: RpcAnswer): boolean {
  const told = turnId.safeParse(about);
  if (!told.success) return false;
  if (error || !draft.state.turn) draft.items.push({ kind: 'unsteered', turnId: told.data });
  else {
    emitTaken(draft, told.data);
    patch(draft, { merged: [...draft.state.merged, told.data] });
  }
  return true;
}

function readError(draft: Draft, params: unknown): boolean {
  const told = errorTold.safeParse(params);
  if (!told.success) return false;
  const { error, willRetry } = told.data;
  const failure = failureOf(error);
  if (willRetry) {
    const details = error.additionalDetails ? ` (${error.additionalDetails})` : '';
    notice(draft, 'warning', 'engine_error', `${error.message}${details}`);
  }
  fail(draft, failure, isRefusedBy(error, failure));
  if (isLastRefusal(error)) draft.items.push({ kind: 'fatal', error: failure });
  return true;
}

function readWarning(draft: Draft, params: unknown): boolean {
  const told = warned.safeParse(params);
  const message = told.success ? (told.data.summary ?? told.data.message) : undefined;
  if (message === undefined) return false;
  notice(draft, 'info', 'engine_warning', message);
  return true;
}
