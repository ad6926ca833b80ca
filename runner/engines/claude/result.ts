import type { EngineError, Observed } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { settleApprovals } from '../open-approvals.ts';
import { decideFailure, describeFailure } from './failures.ts';
import { isFatal } from '../failures.ts';
import type { ResultLine } from './lines.ts';
import { emit, notice, patch } from '../draft.ts';
import type { ClaudeState, Draft } from './state.ts';
import { refuseLaunch } from './ready.ts';
import { closeTools } from './tools.ts';
import { beginNamedTurn, endTurn, ensureTurn } from './turns.ts';
import { listSeen, settleSeen } from './seen.ts';
import { decideDifference, knownEntries, unsettledRemainder } from './usage.ts';
import { reportIgnored } from '../ignored.ts';

/** How many ids of results are remembered: a repeated one comes soon or never. */
const REMEMBERED = 200;
/** Before it has named one. */
const UNNAMED_MODEL = 'claude-default';

/** The end of a turn: the only line that ends one. */
export function readResult(draft: Draft, line: ResultLine): void {
  if (line.uuid && draft.state.results.includes(line.uuid)) return;
  if (isLost(line)) {
    const words = line.errors?.join(' ') ?? null;
    return refuseLaunch(draft, describeFailure('conversation_lost', words));
  }
  ensureTurn(draft, line.user_message_uuid ?? null, line.uuid);
  for (const uuid of line.user_message_uuids ?? []) beginNamedTurn(draft, uuid);
  const capped = draft.state.limited === true && line.subtype === 'error_max_budget_usd';
  const cutOff = wasInterrupted(draft.state, line);
  const usage = recordUsage(draft, line, cutOff);
  const interrupted = cutOff || capped;
  const error = interrupted || !line.is_error ? null : errorOf(draft.state, line);
  closeTools(draft, interrupted ? 'interrupted' : 'unknown', interrupted ? 'all' : 'own');
  settleApprovals(draft);
  reportIgnored(draft);
  const outcome: TurnOutcome = interrupted ? 'interrupted' : error ? 'failed' : 'ok';
  if (error && isFatal(error)) draft.items.push({ kind: 'fatal', error });
  if (capped) draft.items.push({ kind: 'capped' });
  endTurn(draft, { outcome, error, usage });
  patch(draft, {
    results: line.uuid
      ? [...draft.state.results, line.uuid].slice(-REMEMBERED)
      : draft.state.results,
    streams: {},
  });
}

/**
 * Ends the turn without waiting for the engine, which cannot succeed: see the `fatal` item. What
 * it still writes before it is ended is not read.
 */
export function giveUp(draft: Draft, error: EngineError): void {
  // A failure before the engine named the instruction is still that instruction's failure.
  if (draft.state.pending.length > 0) {
    patch(draft, { correlates: false });
    ensureTurn(draft, null, '');
  }
  draft.items.push({ kind: 'fatal', error });
  closeTools(draft, 'unknown');
  settleApprovals(draft);
  endTurn(draft, { outcome: 'failed', error, usage: recordUnsettled(draft) });
  patch(draft, { dead: true });
}

/**
 * It was to resume a conversation that it does not find: a result without a turn, which has no code
 * of its own (seen on 2.1.332).
 */
const isLost = ({ is_error: failed, errors }: ResultLine): boolean =>
  failed && (errors ?? []).some((words) => words.startsWith('No conversation found with session'));

function wasInterrupted(state: ClaudeState, line: ResultLine): boolean {
  if (line.terminal_reason?.startsWith('aborted')) return true;
  return (
    line.is_error && line.subtype === 'error_during_execution' && state.open?.interrupting === true
  );
}

function errorOf(state: ClaudeState, line: ResultLine): EngineError {
  const words = line.errors?.join(' ') || line.result || null;
  if (line.subtype === 'error_max_budget_usd')
    return {
      code: 'quota_exhausted',
      message: `The engine’s own budget for this process is spent. (The engine says: ${words ?? line.subtype})`,
    };
  const status = line.api_error_status ?? null;
  if (status === null && state.open?.error) return state.open.error;
  if (status === null) return describeFailure('unknown', words ?? line.subtype);
  const told = state.open?.error?.code;
  const code =
    told && told !== 'unknown'
      ? told
      : decideFailure({ error: null, status, credential: state.credential !== null });
  return describeFailure(code, words);
}

/** Records what the turn cost; says how much of it is known. */
function recordUsage(draft: Draft, line: ResultLine, interrupted: boolean): Observed {
  const { state } = draft;
  const difference = decideDifference(
    state.baseline,
    line.modelUsage,
    line.model_usage_since_last_result,
  );
  patch(draft, { baseline: difference.baseline });
  if (difference.kind === 'refused') {
    if (Object.keys(state.seen).length > 0 || state.baseline !== null) {
      notice(
        draft,
        'error',
        'usage_refused',
        `The engine’s usage figures were refused, because ${difference.reason}. The turn is recorded as unsettled from the messages seen.`,
      );
    }
    return recordUnsettled(draft);
  }
  const entries: UsageEntry[] = knownEntries(difference.figures, labelOf(state, 'reported'));
  // Some versions leave the message that an interrupt cut off out of their own figures.
  const rest = interrupted ? unsettledEntries(state, difference.figures) : [];
  settleSeen(draft);
  const all = [...entries, ...rest];
  const [first] = all;
  if (!first) return 'none';
  emit(draft, { type: 'usage/recorded', turnId: draft.state.open?.turnId ?? null, entries: all });
  return rest.length > 0 ? 'unsettled' : 'recorded';
}

/** Records the messages seen since the last result, for a turn whose figures will never come. */
export function recordUnsettled(draft: Draft): Observed {
  const entries = unsettledEntries(draft.state, {});
  settleSeen(draft);
  if (entries.length === 0) return 'none';
  emit(draft, { type: 'usage/recorded', turnId: draft.state.open?.turnId ?? null, entries });
  return 'unsettled';
}

/**
 * The process ended in the open turn. Where no message of it was seen, a call may have been under
 * way all the same: a line in the ledger says that nobody knows what it came to.
 */
export function recordCutOff(draft: Draft): Observed {
  const usage = recordUnsettled(draft);
  const { open, model, rehearsal } = draft.state;
  // A turn that the engine began by itself is known by its messages alone.
  if (usage !== 'none' || !open || open.uuid === null || rehearsal) return usage;
  const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const entry: UsageEntry = {
    model: model ?? UNNAMED_MODEL,
    ...labelOf(draft.state, 'unsettled'),
    ...nothing,
    microUsd: null,
  };
  emit(draft, { type: 'usage/recorded', turnId: open.turnId, entries: [entry] });
  return 'unsettled';
}

function unsettledEntries(
  state: ClaudeState,
  counted: Parameters<typeof unsettledRemainder>[1],
): UsageEntry[] {
  return unsettledRemainder(listSeen(state), counted).map((rest) => ({
    ...rest,
    ...labelOf(state, 'unsettled'),
  }));
}

function labelOf(
  state: ClaudeState,
  provenance: 'reported' | 'unsettled',
): Pick<UsageEntry, 'provenance' | 'payer'> {
  return state.rehearsal
    ? { provenance: 'rehearsal', payer: 'unknown' }
    : { provenance, payer: state.payer };
}
