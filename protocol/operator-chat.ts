import { z } from 'zod';
import { gateRule } from './gate.ts';
import { actorId, messageId } from './ids.ts';
import { usageEntry } from './usage.ts';

/** The conversation of a person with the agent of an instance, as it is kept: only added to. */

export const CHAT_TEXT_MAX = 20_000;
/** Most times that the model is asked for one message of a person’s. */
export const CHAT_STEPS_MAX = 40;
/** Most characters of one terminal text that the model is shown: each is paid for. */
export const CHAT_PANE_CHARS = 12_000;
/** Characters that one token has about, for text on a terminal. */
export const CHARS_PER_TOKEN = 4;
/** Longest that the agent may wait between two looks, in seconds. */
export const CHAT_WAIT_MAX_S = 600;

/** Begins the name of each call of the agent at the gate; no other caller's name begins so. */
export const CHAT_CALL_PREFIX = 'chat.';

const callOf = z.object({
  /** Its name at the gate. */
  callId: z.string(),
  /** The model's own name of it. */
  toolCallId: z.string(),
  name: z.string(),
  input: z.unknown(),
});
export type ChatCall = z.infer<typeof callOf>;

export const chatEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('said'), text: z.string(), actorId }),
  /** What the model answered: words, calls, or both. */
  z.object({
    type: z.literal('answered'),
    text: z.string(),
    calls: z.array(callOf),
    usage: usageEntry,
    /** The last entry that the model was shown. */
    upTo: z.int().nonnegative(),
  }),
  /** What a call came to, as the model is told. */
  z.object({
    type: z.literal('called'),
    callId: z.string(),
    outcome: z.enum(['done', 'refused', 'denied', 'unknown', 'waited', 'not_done']),
    /** By which rule of the gate it was denied. */
    rule: gateRule.nullable(),
    text: z.string(),
    /** Characters of the terminal that were left out because they are too many. */
    omitted: z.int().nonnegative(),
    /** About how many tokens the text costs each time that the model is asked. */
    tokens: z.int().nonnegative(),
  }),
  /** The model was asked and no answer came; what that cost cannot be known. */
  z.object({ type: z.literal('lost'), usage: usageEntry }),
  z.object({ type: z.literal('stopped'), actorId }),
  /** Nothing more is done until a person says something. */
  z.object({ type: z.literal('halted'), reason: z.string() }),
]);
export type ChatEvent = z.infer<typeof chatEvent>;

export const chatEntry = z.object({ seq: z.int().positive(), at: z.int(), event: chatEvent });
export type ChatEntry = z.infer<typeof chatEntry>;

/** `waiting`: for a person’s answer to a call. `resting`: for a while that the agent chose. */
export const CHAT_STATES = [
  'idle',
  'thinking',
  'calling',
  'waiting',
  'resting',
  'stopped',
  'halted',
] as const;
export const chatState = z.enum(CHAT_STATES);
export type ChatState = z.infer<typeof chatState>;

export const chatView = z.object({
  state: chatState,
  /** The call that a person is asked about; null while none is. */
  waiting: z.object({ callId: z.string(), reason: z.string(), expiresAt: z.int() }).nullable(),
  /** After the `after` that was asked for, oldest first. */
  entries: z.array(chatEntry),
  /** The last entry that there is; 0 is none. */
  last: z.int().nonnegative(),
  /** What its model came to so far, estimated from tokens. */
  spentMicroUsd: z.int().nonnegative(),
  /** Answers of the model whose cost is not known. */
  unpriced: z.int().nonnegative(),
  budgetMicroUsd: z.int().nullable(),
});
export type ChatView = z.infer<typeof chatView>;

export const chatQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});
export const sayRequest = z.object({
  text: z.string().trim().min(1).max(CHAT_TEXT_MAX),
  /** Made by who says it: said again under it, as after an answer that was lost, it is said once. */
  messageId: messageId.optional(),
});
export const saidAnswer = z.object({ seq: z.int().positive() });

/** Whether the agent is at work, so that more is to come by itself. */
export const isWorking = (state: ChatState): boolean =>
  state === 'thinking' || state === 'calling' || state === 'resting' || state === 'waiting';
