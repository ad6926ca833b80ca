import { decideFailure, describeFailure, isFatal } from './failures.ts';
import { initLine, retryLine, systemLine, taskLine } from './lines.ts';
import { announceReady } from './ready.ts';
import { giveUp } from './result.ts';
import { type Draft, notice, patch } from './state.ts';
import { finishBackground } from './tools.ts';

/** Subtypes that say nothing a transcript needs: progress, hooks, the state of the engine's own screen. */
const QUIET = new Set([
  'status',
  'task_started',
  'task_progress',
  'task_updated',
  'background_tasks_changed',
  'hook_started',
  'hook_progress',
  'hook_response',
  'session_state_changed',
  'files_persisted',
]);

/** Reads a `system` line; false when its subtype is one that this version does not know. */
export function readSystem(draft: Draft, raw: unknown): boolean {
  const line = systemLine.safeParse(raw);
  if (!line.success) return false;
  switch (line.data.subtype) {
    case 'init':
      return readInit(draft, raw);
    case 'api_retry':
      return readRetry(draft, raw);
    case 'task_notification': {
      const task = taskLine.safeParse(raw);
      if (task.success && task.data.tool_use_id)
        finishBackground(draft, task.data.tool_use_id, task.data.status ?? null);
      return true;
    }
    case 'compact_boundary':
      notice(
        draft,
        'info',
        'conversation_compacted',
        'The engine summed up the earlier part of the conversation to make room.',
      );
      return true;
    case 'informational':
    case 'model_fallback':
    case 'model_refusal_no_fallback':
      notice(
        draft,
        'warning',
        line.data.subtype,
        wordsOf(raw) ?? `The engine reports ${line.data.subtype.replaceAll('_', ' ')}.`,
      );
      return true;
    default:
      return QUIET.has(line.data.subtype);
  }
}

function wordsOf(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null || !('content' in raw)) return null;
  return typeof raw.content === 'string' ? raw.content : null;
}

function readInit(draft: Draft, raw: unknown): boolean {
  const init = initLine.safeParse(raw);
  if (!init.success) return false;
  const { session_id, model, apiKeySource, claude_code_version } = init.data;
  const key = apiKeySource && apiKeySource !== 'none' ? apiKeySource : null;
  patch(draft, {
    engineSessionId: session_id,
    model: model ?? draft.state.model,
    version: claude_code_version ?? draft.state.version,
    ...(key ? { payer: 'api-key' as const, credential: key } : {}),
  });
  announceReady(draft);
  return true;
}

/**
 * The engine tries a failed call again, for minutes. A refused login will be refused again, so
 * that one ends at once.
 */
function readRetry(draft: Draft, raw: unknown): boolean {
  const retry = retryLine.safeParse(raw);
  if (!retry.success) return false;
  const { attempt, max_retries, retry_delay_ms, error_status, error } = retry.data;
  const status = error_status ?? null;
  const code = decideFailure({
    error: error ?? null,
    status,
    credential: draft.state.credential !== null,
  });
  const failure = describeFailure(code, null);
  if (isFatal(failure)) {
    giveUp(draft, failure);
    return true;
  }
  const answered = status === null ? 'did not answer' : `answered ${status}`;
  const seconds = (retry_delay_ms / 1000).toFixed(1);
  notice(
    draft,
    'warning',
    'provider_retry',
    `The provider ${answered}. The engine tries again in ${seconds} s (attempt ${attempt} of ${max_retries}).`,
  );
  return true;
}
