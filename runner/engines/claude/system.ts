import { decideFailure, describeFailure } from './failures.ts';
import { isFatal } from '../failures.ts';
import { initLine, retryLine, systemLine, taskLine } from './lines.ts';
import { announceReady } from './ready.ts';
import { giveUp } from './result.ts';
import { notice, patch } from '../draft.ts';
import type { Draft } from './state.ts';
import { denyTool, finishBackground } from './tools.ts';

/** Subtypes that say nothing a transcript needs: progress, hooks, the state of the engine's own screen. */
const QUIET = new Set([
  'away_summary',
  'background_tasks_changed',
  'commands_changed',
  'control_request_progress',
  'file_snapshot',
  'files_persisted',
  'hook_progress',
  'hook_response',
  'hook_started',
  'memory_recall',
  'memory_saved',
  'per_turn_effort_changed',
  'permission_check_status',
  'post_turn_summary',
  'session_metadata',
  'session_state_changed',
  'session_title_changed',
  'shell_cwd',
  'status',
  'stop_hook_summary',
  'task_list_statuses',
  'task_progress',
  'task_started',
  'task_summary',
  'task_updated',
  'thinking_tokens',
  'turn_duration',
  'vcs_state_changed',
]);

/** Subtypes that a person should know of, in the engine's words where it has any. */
const TOLD = new Set([
  'informational',
  'file_attachments_missing',
  'instruction_size_warning',
  'late_allow_not_run',
  'model_consent_fallback',
  'model_fallback',
  'model_refusal_fallback',
  'model_refusal_no_fallback',
  'session_writes_lost',
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
    case 'permission_denied': {
      const task = taskLine.safeParse(raw);
      if (task.success && task.data.tool_use_id) denyTool(draft, task.data.tool_use_id);
      return true;
    }
    default:
      return tell(draft, line.data.subtype, raw) || QUIET.has(line.data.subtype);
  }
}

function tell(draft: Draft, subtype: string, raw: unknown): boolean {
  if (!TOLD.has(subtype)) return false;
  const words = wordsOf(raw) ?? `The engine reports: ${subtype.replaceAll('_', ' ')}.`;
  notice(draft, 'warning', `engine_${subtype}`, words);
  return true;
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
    open: draft.state.open && { ...draft.state.open, begun: true },
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
