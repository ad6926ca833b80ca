import type { ApprovalsMode } from '../../protocol/launch.ts';
import type { LaunchRequest } from '../../protocol/http.ts';
import { formatMoney } from '../format/money.ts';

/** The approvals modes as a person would put them. */
export const MODE_WORDS: Record<ApprovalsMode, { label: string; meaning: string; clause: string }> =
  {
    ask: {
      label: 'Ask me first',
      meaning: 'It reads freely and asks before it edits a file or runs a command.',
      clause: 'asks before edits and commands',
    },
    accept_edits: {
      label: 'Edit freely, ask for commands',
      meaning: 'It edits files in its checkout unasked and asks before it runs a command.',
      clause: 'edits files freely and asks before commands',
    },
    plan: {
      label: 'Plan only',
      meaning: 'It reads and proposes. Nothing changes until you accept its plan.',
      clause: 'only plans until you accept',
    },
    bypass: {
      label: 'Never ask',
      meaning: 'It edits and runs everything unasked, with all your rights on that machine.',
      clause: 'does everything unasked',
    },
  };

/** The launch in one sentence, read before it is made. */
export function summariseLaunch(
  request: LaunchRequest,
  names: { engine: string; machine: string },
): string {
  const place =
    request.directory === null
      ? 'a scratch repository'
      : request.checkout === 'inPlace'
        ? `${request.directory} itself`
        : `a checkout of its own of ${request.directory}`;
  const from = request.baseRef ? `, from ${request.baseRef}` : '';
  const dirty = request.fromUncommitted ? ', with your uncommitted changes' : '';
  const stop =
    (request.budgetMicroUsd ?? null) === null
      ? 'no spending limit'
      : `stops at ${formatMoney(request.budgetMicroUsd ?? 0)}`;
  const model = request.model ? ` with ${request.model}` : '';
  return `${names.engine}${model} on ${names.machine}, in ${place}${from}${dirty}; ${MODE_WORDS[request.approvals ?? 'ask'].clause}; ${stop}.`;
}
