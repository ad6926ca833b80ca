import { queryOptions } from '@tanstack/react-query';
import {
  gateAnswerBody,
  gateDecisionPage,
  gateRequestList,
  type GateSaid,
} from '../../protocol/gate.ts';
import { accepted } from '../../protocol/http.ts';
import type { MessageId } from '../../protocol/ids.ts';
import { type ChatView, chatView, isWorking, saidAnswer } from '../../protocol/operator-chat.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** Everything that words, an answer or a stop changes. */
export const CHAT_KEY = ['chat'] as const;
/** How often a conversation is read while the agent works, and while it does not, in ms. */
const BUSY_MS = 800;
const QUIET_MS = 5_000;
const ENTRIES = 500;

const keyOf = (instanceId: string) => [...CHAT_KEY, instanceId] as const;

export const chatQuery = (instanceId: string) =>
  queryOptions({
    queryKey: keyOf(instanceId),
    // Entries are only added: what is on the page already is not read again.
    queryFn: ({ signal, client }) =>
      readOn(instanceId, client.getQueryData<ChatView>(keyOf(instanceId))?.entries ?? [], signal),
    refetchInterval: ({ state }) =>
      state.data && isWorking(state.data.state) ? BUSY_MS : QUIET_MS,
  });

/** The conversation to its end, page by page, after what is known of it. */
async function readOn(
  instanceId: string,
  known: ChatView['entries'],
  signal: AbortSignal,
): Promise<ChatView> {
  const entries = [...known];
  for (;;) {
    const query = { after: entries.at(-1)?.seq ?? 0, limit: ENTRIES };
    const view = await read(chatView, api.chat(instanceId), { signal, query });
    entries.push(...view.entries);
    if (view.entries.length === 0 || (entries.at(-1)?.seq ?? 0) >= view.last)
      return { ...view, entries };
  }
}

/** Every call that waits for the person, of whichever instance, the oldest first. */
export const waitingCallsQuery = queryOptions({
  queryKey: [...CHAT_KEY, 'requests'],
  queryFn: ({ signal }) => read(gateRequestList, api.gateRequests, { signal }),
  select: ({ items }) => items,
  refetchInterval: QUIET_MS,
});

export const gateRequestsQuery = (instanceId: string) =>
  queryOptions({
    queryKey: [...CHAT_KEY, 'requests', instanceId],
    queryFn: ({ signal }) =>
      read(gateRequestList, api.gateRequests, { signal, query: { instanceId } }),
    select: ({ items }) => items,
    refetchInterval: QUIET_MS,
  });

export const gateDecisionsQuery = (instanceId: string) =>
  queryOptions({
    queryKey: [...CHAT_KEY, 'decisions', instanceId],
    queryFn: ({ signal }) => read(gateDecisionPage, api.gateDecisions(instanceId), { signal }),
    select: ({ items }) => items,
    refetchInterval: QUIET_MS,
  });

/** Said again under the same id it is the same message. */
export const say = (instanceId: string, messageId: MessageId, text: string) =>
  send(saidAnswer, api.chat(instanceId), { text, messageId });
export const stopChat = (instanceId: string) => send(accepted, api.stopChat(instanceId));
export const answerCall = (instanceId: string, callId: string, answer: GateSaid) =>
  send(gateAnswerBody, api.answerCall(instanceId, callId), { answer });
