import type { EngineError } from '../../../protocol/engine-event.ts';
import { ownEntry } from '../../acts/own.ts';
import { emit, patch } from '../draft.ts';
import { ignoreUnknown } from '../ignored.ts';
import { type RpcAnswer, type RpcError, type RpcReaders, readRpcLine } from '../json-rpc.ts';
import { readPiece } from '../pieces.ts';
import { askPermission, readAnswered } from './approvals.ts';
import { openSession, sendWaiting } from './encode.ts';
import { failureOf, failureToResume } from './failures.ts';
import { chunk, initialized, sessionOpened, toolCall, updateTold } from './messages.ts';
import type { Draft } from './state.ts';
import { readToolCall } from './tools.ts';
import { beginTurn, readTurnAnswer } from './turns.ts';
import { readCost } from './usage.ts';

/** Reads one line of the agent. Never throws: what cannot be read becomes a notice. */
export const readLine = (draft: Draft, line: string): void => readRpcLine(draft, line, READERS);

const READERS: RpcReaders<Draft> = {
  passedOver: new Set(),
  declined: new Set([
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'terminal/output',
    'terminal/wait_for_exit',
    'terminal/kill',
    'terminal/release',
  ]),
  answers: {
    initialize: readInitialized,
    session: readSession,
    turn: readTurnAnswer,
    taken(draft, { about }) {
      patch(draft, { retelling: false });
      if (draft.state.turn?.turnId === about) beginTurn(draft);
      return true;
    },
    answered: readAnswered,
  },
  requests: { 'session/request_permission': askPermission },
  notifications: { 'session/update': readUpdate },
};

function readInitialized(draft: Draft, { result, error }: RpcAnswer): boolean {
  if (error) return refuseLaunch(draft, error);
  const told = initialized.safeParse(result);
  if (!told.success) return false;
  const { agentInfo, agentCapabilities: can } = told.data;
  patch(draft, {
    version: agentInfo?.version ?? draft.state.version,
    seesImages: can?.promptCapabilities?.image === true,
  });
  const resume = can?.sessionCapabilities?.resume;
  const ways = { resume: resume !== undefined && resume !== null, load: can?.loadSession === true };
  if (!ways.resume && !ways.load) draft.items.push({ kind: 'forgets' });
  if (openSession(draft, ways)) return true;
  const message =
    'This engine cannot take up an earlier conversation. Begin a new one; `--from` tells it the record of a session.';
  return refuseLaunch(draft, { code: 0, message, data: null });
}

function readSession(draft: Draft, { result, error }: RpcAnswer): boolean {
  const { resumed, traits } = draft.state;
  if (error && resumed) return failLaunch(draft, failureToResume(traits, error));
  if (error) return refuseLaunch(draft, error);
  const told = sessionOpened.safeParse(result ?? {});
  const { launchId, version, payer, credential } = draft.state;
  const sessionId = told.data?.sessionId ?? draft.state.sessionId;
  if (!told.success || sessionId === null) return false;
  const option = told.data.configOptions?.find(({ id }) => id === 'model')?.currentValue;
  const chosen = told.data.models?.currentModelId ?? (typeof option === 'string' ? option : null);
  const model = chosen ?? draft.state.model;
  const { retelling } = draft.state;
  // By the protocol the past is told before this answer.
  const late = retelling && traits.retellsLate === true;
  patch(draft, { sessionId, model, ready: true, retelling: late });
  emit(draft, {
    type: 'engine/ready',
    launchId,
    engineSessionId: sessionId,
    engineVersion: version,
    model,
    payer,
    credential,
  });
  sendWaiting(draft);
  return true;
}

/** Nothing can be done in this process: what it says is the launch's failure. */
function refuseLaunch(draft: Draft, error: RpcError): true {
  return failLaunch(draft, failureOf(draft.state.traits, error));
}

function failLaunch(draft: Draft, error: EngineError): true {
  draft.items.push({ kind: 'fatal', error });
  return true;
}

type Update = { sessionUpdate: string };

function readUpdate(draft: Draft, params: unknown): boolean {
  const told = updateTold.safeParse(params);
  if (!told.success) return false;
  const { update } = told.data;
  const { retelling, ready } = draft.state;
  // A conversation that is taken up again tells its past first; we have it already.
  if ((retelling || !ready) && update.sessionUpdate !== 'usage_update') return true;
  const reader = ownEntry(UPDATES, update.sessionUpdate);
  if (reader) return reader(draft, update);
  ignoreUnknown(draft, update.sessionUpdate);
  return true;
}

const said = (kind: 'answer' | 'thinking') => (draft: Draft, update: Update) => {
  const piece = chunk.safeParse(update);
  beginTurn(draft);
  const { turn } = draft.state;
  patch(draft, { turn: turn && { ...turn, spoke: true } });
  // Pictures and sounds have no place in the transcript.
  if (piece.success)
    readPiece(draft, { kind, turnId: turn?.turnId ?? null, text: piece.data.content.text });
  return true;
};

function readTool(draft: Draft, update: Update): boolean {
  const call = toolCall.safeParse(update);
  if (!call.success) return false;
  beginTurn(draft);
  readToolCall(draft, call.data);
  return true;
}

const passOver = () => true;

const UPDATES: Readonly<Record<string, (draft: Draft, update: Update) => boolean>> = {
  agent_message_chunk: said('answer'),
  agent_thought_chunk: said('thinking'),
  tool_call: readTool,
  tool_call_update: readTool,
  usage_update: readCost,
  user_message_chunk: passOver,
  plan: passOver,
  available_commands_update: passOver,
  current_mode_update: passOver,
  config_option_update: passOver,
  session_info_update: passOver,
};
