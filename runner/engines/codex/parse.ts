import type { EngineError } from '../../../protocol/engine-event.ts';
import { emit, notice, patch } from '../draft.ts';
import { isFatal } from '../failures.ts';
import { ignoreUnknown } from '../ignored.ts';
import { capHead } from '../text-cap.ts';
import { isLastRefusal, isRefused, parseFailure } from './failures.ts';
import {
  errorItem,
  errorLine,
  itemLine,
  textItem,
  threadStarted,
  turnCompleted,
  turnFailed,
} from './lines.ts';
import type { Draft } from './state.ts';
import { finishTool, parseCall, startTool } from './tools.ts';
import { beginTurn } from './turns.ts';
import { recordUsage } from './usage.ts';
import { type Readers, readTypedLine } from '../typed-lines.ts';

/** Reads one line of the engine. Never throws: what cannot be read becomes a notice. */
export function readLine(draft: Draft, line: string): void {
  readTypedLine(draft, line, READERS);
}

const READERS: Readers<Draft> = {
  'thread.started'(draft, raw) {
    const line = threadStarted.safeParse(raw);
    if (line.success) announceThread(draft, line.data.thread_id);
    return line.success;
  },
  'turn.started'(draft) {
    beginTurn(draft);
    return true;
  },
  'item.started': (draft, raw) => readItem(draft, raw, 'started'),
  // Only the model's own list of what to do is told in steps; its last state is told whole.
  'item.updated': (_draft, raw) => itemLine.safeParse(raw).success,
  'item.completed': (draft, raw) => readItem(draft, raw, 'completed'),
  'turn.completed'(draft, raw) {
    const line = turnCompleted.safeParse(raw);
    if (!line.success) return false;
    beginTurn(draft);
    // A repeated total would be a difference of zero, and a turn without usage.
    if (draft.state.turn?.completed) return true;
    const usage = recordUsage(draft, line.data.usage);
    const { turn } = draft.state;
    patch(draft, { turn: turn && { ...turn, completed: true, usage } });
    return true;
  },
  'turn.failed'(draft, raw) {
    const line = turnFailed.safeParse(raw);
    if (line.success) failBy(draft, line.data.error.message);
    return line.success;
  },
  error(draft, raw) {
    const line = errorLine.safeParse(raw);
    if (!line.success) return false;
    const { message } = line.data;
    notice(draft, 'warning', 'engine_error', message);
    failBy(draft, message);
    if (isLastRefusal(message)) draft.items.push({ kind: 'fatal', error: parseFailure(message) });
    return true;
  },
};

/** The conversation is open; says so where it is another one than was asked for. */
export function announceThread(draft: Draft, threadId: string): void {
  const { launchId, threadId: expected, resumed, version, model, payer, credential } = draft.state;
  if (resumed && expected !== threadId) {
    notice(
      draft,
      'error',
      'conversation_changed',
      `The engine went on in another conversation (${threadId}) than the one that it was asked to resume (${expected}): it does not remember what was said before.`,
    );
  }
  patch(draft, { threadId });
  emit(draft, {
    type: 'engine/ready',
    launchId,
    engineSessionId: threadId,
    engineVersion: version,
    model,
    payer,
    credential,
  });
}

function failBy(draft: Draft, message: string): void {
  const error = parseFailure(message);
  fail(draft, error, isRefused(message, error));
}

/** The last failure that was told stands if the turn does not complete after all. */
export function fail(draft: Draft, error: EngineError, refused = false): void {
  const { turn } = draft.state;
  if (!turn) return;
  const unused = turn.usage === 'unsettled' && !turn.spoke && (refused || isFatal(error));
  patch(draft, { turn: { ...turn, error, usage: unused ? 'none' : turn.usage } });
}

function readItem(draft: Draft, raw: unknown, stage: 'started' | 'completed'): boolean {
  const line = itemLine.safeParse(raw);
  if (!line.success) return false;
  const { item } = line.data;
  const call = parseCall(item.type, item);
  if (call === null) return false;
  if (call) {
    beginTurn(draft);
    speak(draft);
    if (stage === 'started') startTool(draft, item.id, call);
    else finishTool(draft, item.id, call);
    return true;
  }
  if (stage === 'started') return true;
  return readSaid(draft, item.id, item.type, item);
}

/** What the model said, in a block of its own. */
export function readSaid(draft: Draft, itemId: string, type: string, item: unknown): boolean {
  switch (type) {
    case 'agent_message':
    case 'reasoning': {
      const said = textItem.safeParse(item);
      if (!said.success) return false;
      beginTurn(draft);
      speak(draft);
      const { turn, launchId } = draft.state;
      emit(draft, {
        type: 'text/completed',
        turnId: turn?.turnId ?? null,
        blockId: `${launchId}.${itemId}`,
        parentToolId: null,
        kind: type === 'reasoning' ? 'thinking' : 'answer',
        text: capHead(said.data.text),
      });
      return true;
    }
    case 'error': {
      const told = errorItem.safeParse(item);
      if (told.success) notice(draft, 'warning', 'engine_error', told.data.message);
      return told.success;
    }
    case 'todo_list':
      return true;
    default:
      ignoreUnknown(draft, `item/${type}`);
      return true;
  }
}

/** The model has answered: the provider counts it, whatever becomes of the turn. */
export function speak(draft: Draft): void {
  const { turn } = draft.state;
  if (turn && !turn.spoke) {
    const usage = turn.completed ? turn.usage : 'unsettled';
    patch(draft, { turn: { ...turn, spoke: true, usage } });
  }
}
