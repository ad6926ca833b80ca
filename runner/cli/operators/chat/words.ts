import { describeLook } from '../../../../protocol/drive-witness.ts';
import type { GateDecisionRow, GateRequest } from '../../../../protocol/gate.ts';
import type { ChatEntry, ChatView } from '../../../../protocol/operator-chat.ts';
import { describeDriveCost } from '../../../../protocol/unmetered-words.ts';
import {
  formatAgo,
  formatMoney,
  formatTable,
  oneLine,
  ownSentence,
  plainText,
} from '../../format.ts';

/** What the gate decided, newest first, each with why and what became of it. */
export function describeDecisions(items: readonly GateDecisionRow[], nowMs: number): string {
  if (items.length === 0) return 'It has made no call yet.';
  const table = formatTable(
    ['WHEN', 'BY', 'TOOL', 'DECISION', 'BECAME', 'COST'],
    items.map(({ at, actor, tool, explanation, outcome, code, effect, cost }) => [
      formatAgo(at, nowMs),
      actor.kind,
      tool,
      oneLine(explanation, 100),
      outcome === null
        ? effect === 'allow'
          ? 'not known'
          : ''
        : [outcome, code].filter(Boolean).join(': '),
      cost === null ? '' : describeDriveCost(cost),
    ]),
  );
  const looks = items.flatMap(({ tool, callId, look }) =>
    look !== null && look.others.length > 0
      ? [`${tool} (${callId})`, ...describeLook(look).map((line) => `  ${plainText(line)}`)]
      : [],
  );
  return [table, ...(looks.length > 0 ? [looks.join('\n')] : [])].join('\n\n');
}

/** Calls that wait, each with what it would do and the command that answers it. */
export function describeRequests(items: readonly GateRequest[], nowMs: number): string {
  if (items.length === 0) return 'No call of an operator waits for you.';
  return items
    .map(({ instanceId, callId, tool, params, reason, rule, at, expiresAt }) => {
      const left = Math.max(1, Math.round((expiresAt - nowMs) / 60_000));
      const agent = rule === 'agent';
      return [
        `${agent ? 'agent in the terminal' : tool}  ${instanceId}  ${formatAgo(at, nowMs)}`,
        `  would do  ${oneLine(JSON.stringify(params), agent ? 8_500 : 400)}`,
        `  because   ${plainText(reason)}`,
        `  ${agent ? 'stands in the terminal alone' : 'is no by itself'} in ${left} min; answer with`,
        `  ${sayHow({ instanceId, callId, rule })}`,
      ].join('\n');
    })
    .join('\n\n');
}

/** The command that answers a call. What another rule than consent asks, no consent settles. */
export function sayHow({
  instanceId,
  callId,
  rule,
}: Pick<GateRequest, 'instanceId' | 'callId'> & { rule: GateRequest['rule'] | null }): string {
  const all = rule === 'consent' ? '|instance' : '';
  return `pilothouse operators answer ${instanceId} ${callId} once${all}|deny`;
}

/** One entry of a conversation, as lines. */
export function describeEntry({ event }: ChatEntry): string[] {
  switch (event.type) {
    case 'said':
      return [];
    case 'answered':
      return [
        ...(event.text === '' ? [] : [plainText(event.text)]),
        ...event.calls.map(({ name, input }) => `→ ${name} ${oneLine(JSON.stringify(input), 160)}`),
      ];
    case 'called': {
      const size = event.tokens > 100 ? `  (about ${event.tokens} tokens)` : '';
      const why =
        event.outcome === 'done' || event.outcome === 'waited'
          ? ''
          : `: ${oneLine(event.text, 200)}`;
      return [`  ${event.outcome.replace('_', ' ')}${why}${size}`];
    }
    case 'lost':
      return ['  An answer of the model was lost.'];
    case 'stopped':
      return ['Stopped.'];
    case 'halted':
      return [ownSentence(event.reason)];
    default:
      return event satisfies never;
  }
}

/** What its model came to so far. */
export function describeChatSpend({ spentMicroUsd, unpriced, budgetMicroUsd }: ChatView): string {
  const of = budgetMicroUsd === null ? '' : ` of ${formatMoney(budgetMicroUsd)}`;
  const short = unpriced > 0 ? `, and ${unpriced} answers whose cost is not known` : '';
  return `estimated ${formatMoney(spentMicroUsd)}${of} for its model${short}`;
}
