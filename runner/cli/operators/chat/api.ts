import {
  gateAnswerBody,
  gateDecisionPage,
  gateRequestList,
  type GateDecisionRow,
  type GateRequest,
  type GateSaid,
} from '../../../../protocol/gate.ts';
import { accepted } from '../../../../protocol/http.ts';
import { chatView, saidAnswer, type ChatView } from '../../../../protocol/operator-chat.ts';
import type { Call } from '../../api.ts';

/** The part of the API that is about the gate and the agents of instances. */
export type ChatApi = {
  listGateDecisions(
    instanceId: string,
    limit: number,
  ): Promise<{ items: GateDecisionRow[]; nextCursor: string | null }>;
  listGateRequests(): Promise<GateRequest[]>;
  /** Answers the call; what stands is the first word on it. */
  answerCall(instanceId: string, callId: string, answer: GateSaid): Promise<GateSaid>;
  readChat(instanceId: string, after: number): Promise<ChatView>;
  /** Answers the place of the words in the conversation. */
  say(instanceId: string, text: string): Promise<number>;
  stopChat(instanceId: string): Promise<void>;
};

/** That part of a client whose requests go through `call`. */
export function createChatApi(call: Call): ChatApi {
  const of = (id: string, rest: string) => `/v1/instances/${encodeURIComponent(id)}${rest}`;
  return {
    listGateDecisions: (id, limit) =>
      call('GET', of(id, `/decisions?limit=${limit}`), gateDecisionPage),
    listGateRequests: async () => (await call('GET', '/v1/gate/requests', gateRequestList)).items,
    answerCall: async (id, callId, answer) => {
      const path = of(id, `/calls/${encodeURIComponent(callId)}/answer`);
      return (await call('POST', path, gateAnswerBody, { answer })).answer;
    },
    readChat: (id, after) => call('GET', of(id, `/chat?after=${after}`), chatView),
    say: async (id, text) => (await call('POST', of(id, '/chat'), saidAnswer, { text })).seq,
    async stopChat(id) {
      await call('POST', of(id, '/chat/stop'), accepted, {});
    },
  };
}
