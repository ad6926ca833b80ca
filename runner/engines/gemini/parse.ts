import { emit, notice, patch } from '../draft.ts';
import {
  errorLine,
  initLine,
  messageLine,
  resultLine,
  toolResultLine,
  toolUseLine,
} from './lines.ts';
import { completeBlock, readPiece } from '../pieces.ts';
import type { Draft } from './state.ts';
import { finishTool, startTool } from './tools.ts';
import { type Readers, readTypedLine } from '../typed-lines.ts';
import { emitBegun } from '../turn-events.ts';

/** Reads one line of the engine. Never throws: what cannot be read becomes a notice. */
export function readLine(draft: Draft, line: string): void {
  readTypedLine(draft, line, READERS);
}

const READERS: Readers<Draft> = {
  init(draft, raw) {
    const line = initLine.safeParse(raw);
    if (!line.success) return false;
    const { session_id: engineSessionId, model } = line.data;
    patch(draft, { engineSessionId, model: draft.state.model ?? model ?? null, ready: true });
    const { launchId, version, payer, credential } = draft.state;
    emit(draft, {
      type: 'engine/ready',
      launchId,
      engineSessionId,
      engineVersion: version,
      model: draft.state.model,
      payer,
      credential,
    });
    return true;
  },
  message(draft, raw) {
    const line = messageLine.safeParse(raw);
    if (!line.success) return false;
    beginTurn(draft);
    const turnId = draft.state.open?.turnId ?? null;
    const { role, content: text } = line.data;
    if (role === 'assistant') readPiece(draft, { kind: 'answer', turnId, text });
    return true;
  },
  tool_use(draft, raw) {
    const line = toolUseLine.safeParse(raw);
    if (!line.success) return false;
    beginTurn(draft);
    completeBlock(draft);
    startTool(draft, line.data.tool_id, line.data.tool_name, line.data.parameters);
    return true;
  },
  tool_result(draft, raw) {
    const line = toolResultLine.safeParse(raw);
    if (line.success) finishTool(draft, line.data);
    return line.success;
  },
  error(draft, raw) {
    const line = errorLine.safeParse(raw);
    if (!line.success) return false;
    const { severity, message } = line.data;
    notice(draft, severity === 'error' ? 'error' : 'warning', 'engine_error', message);
    return true;
  },
  result(draft, raw) {
    const line = resultLine.safeParse(raw);
    if (!line.success) return false;
    completeBlock(draft);
    patch(draft, { result: line.data });
    return true;
  },
};

/** The engine works on the instruction that it was started with. */
export function beginTurn(draft: Draft): void {
  const { pending: turnId } = draft.state;
  if (turnId === null) return;
  patch(draft, { pending: null, open: { turnId, startedAt: draft.at, acts: 0 } });
  emitBegun(draft, turnId);
}
