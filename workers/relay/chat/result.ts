import type { GateAnswer } from '../../../protocol/gate.ts';
import { asSentence } from '../../../protocol/gate.ts';
import {
  CHAT_PANE_CHARS,
  CHARS_PER_TOKEN,
  type ChatEvent,
} from '../../../protocol/operator-chat.ts';
import { fenced } from './messages.ts';

type Called = Extract<ChatEvent, { type: 'called' }>;
type Settled = Exclude<GateAnswer, { kind: 'waiting' }>;

/** What the model is told of a call's end: what a terminal showed in a fence, and cut. Pure. */
export function resultOf(callId: string, answer: Settled): Called {
  switch (answer.kind) {
    case 'done': {
      const { text, facts } = partsOf(answer.value);
      const kept = text.slice(-CHAT_PANE_CHARS);
      const omitted = text.length - kept.length;
      const cut = omitted > 0 ? ` (${omitted} characters before this are left out)` : '';
      return calledAs(callId, 'done', fenced(`${facts}${cut}`, kept), { omitted });
    }
    case 'denied': {
      const { rule, reason } = answer;
      return calledAs(callId, 'denied', `Denied, and nothing was done: ${asSentence(reason)}`, {
        rule,
      });
    }
    case 'refused':
      return calledAs(callId, 'refused', `Refused, and nothing was done: ${answer.message}`);
    case 'unknown':
      return calledAs(callId, 'unknown', `Nobody knows whether this happened: ${answer.message}`);
    default:
      return answer satisfies never;
  }
}

/**
 * The end of a call that a person stopped. One under way may have been done: what it comes to is put
 * down after this, if it can still be told.
 */
export const stoppedBefore = (callId: string, underWay: boolean): Called =>
  underWay
    ? calledAs(callId, 'unknown', 'The person stopped you while this was under way.')
    : calledAs(callId, 'not_done', 'The person stopped you before this was done.');

/** The end of a call in these words. */
export function calledAs(
  callId: string,
  outcome: Called['outcome'],
  text: string,
  over: Partial<Pick<Called, 'rule' | 'omitted'>> = {},
): Called {
  const tokens = Math.ceil(text.length / CHARS_PER_TOKEN);
  return { type: 'called', callId, outcome, rule: null, text, omitted: 0, tokens, ...over };
}

/** Facts of a value, and the text in it that a terminal wrote. All of a list is: names and titles. */
function partsOf(value: unknown): { facts: string; text: string } {
  if (typeof value !== 'object' || value === null || !('text' in value))
    return { facts: 'Done.', text: JSON.stringify(value, null, 1) };
  const { text, omitted: _omitted, ...facts } = value as { text: unknown; omitted?: unknown };
  const told = Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts)}` : '';
  return { facts: `Done.${told}`, text: String(text) };
}
