import type { GateDecisionRow, GateRequest } from '../../protocol/gate.ts';
import { LOCAL_ACTOR } from '../../protocol/ids.ts';
import {
  type ChatEntry,
  type ChatEvent,
  type ChatState,
  type ChatView,
  sayRequest,
} from '../../protocol/operator-chat.ts';

/** Conversations with agents in the stand-in account: what is put in them, and what is said. */
export class MockChats {
  readonly requests: GateRequest[] = [];
  readonly decisions: GateDecisionRow[] = [];
  state: ChatState = 'idle';
  readonly #entries: ChatEntry[] = [];

  add(...events: ChatEvent[]): void {
    for (const event of events)
      this.#entries.push({ seq: this.#entries.length + 1, at: 1_000, event });
  }

  answer(method: string, verb: string, after: number, body: unknown): unknown {
    if (verb === 'decisions') return { items: this.decisions, nextCursor: null };
    if (method === 'POST') {
      const { text } = sayRequest.parse(body);
      this.add({ type: 'said', text, actorId: LOCAL_ACTOR });
      return { seq: this.#entries.length };
    }
    return this.#view(after);
  }

  #view(after: number): ChatView {
    return {
      state: this.state,
      waiting: null,
      entries: this.#entries.filter(({ seq }) => seq > after),
      last: this.#entries.length,
      spentMicroUsd: 1_200,
      unpriced: 0,
      budgetMicroUsd: null,
    };
  }
}
