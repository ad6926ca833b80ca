import { randomUUID } from 'node:crypto';
import type { Line, Output } from './output.ts';
import type { Shell } from './shell.ts';
import type { Transcript } from './transcript.ts';

/** A person stopped the turn. */
export class Interrupted extends Error {}

export type Answer = {
  behavior: 'allow' | 'deny';
  updatedInput?: Record<string, unknown>;
  message?: string;
};

/** What a person says, and the name under which it is spoken of. */
export type Instruction = { uuid: string | null; content: unknown };

/** What the steps of a turn share: where they run, what they may do, whom they ask. */
export type Conversation = {
  id: string;
  directory: string;
  permissionMode: string;
  output: Output;
  transcript: Transcript;
  /** The command under way, so that an interrupt reaches it. */
  shell: Shell | null;
  interrupted: boolean;
  deaf: boolean;
  lastAnswer: 'allowed' | 'denied' | null;
  /** Requests to the person, by id. */
  waiting: Map<string, (answer: Answer) => void>;
  /** The next message of a person that came while a turn is played; null when none did. */
  takeMessage(): Instruction | null;
  /** Called by an interrupt: wakes whatever waits. */
  wake: Set<() => void>;
};

/** Waits, unless interrupted. */
export async function pause(conversation: Conversation, ms: number): Promise<void> {
  if (conversation.interrupted) throw new Interrupted();
  if (ms === 0) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      conversation.wake.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    conversation.wake.add(done);
  });
  if (conversation.interrupted) throw new Interrupted();
}

/** Asks the person through the supervisor and waits for the answer, however long that takes. */
export async function askPerson(
  conversation: Conversation,
  request: {
    toolId: string;
    toolName: string;
    input: Record<string, unknown>;
    suggestions: Line[];
  },
): Promise<Answer> {
  const id = randomUUID();
  await conversation.output.line({
    type: 'control_request',
    request_id: id,
    request: {
      subtype: 'can_use_tool',
      tool_name: request.toolName,
      display_name: request.toolName,
      input: request.input,
      permission_suggestions: request.suggestions,
      tool_use_id: request.toolId,
    },
  });
  const answer = await new Promise<Answer | null>((resolve) => {
    const cancel = () => resolve(null);
    conversation.waiting.set(id, (given) => {
      conversation.wake.delete(cancel);
      resolve(given);
    });
    conversation.wake.add(cancel);
  });
  conversation.waiting.delete(id);
  if (answer) {
    conversation.lastAnswer = answer.behavior === 'allow' ? 'allowed' : 'denied';
    return answer;
  }
  await conversation.output.line({ type: 'control_cancel_request', request_id: id });
  throw new Interrupted();
}

/** Stops the turn: the running command is ended, whatever waits wakes up. */
export function interruptTurn(conversation: Conversation): void {
  if (conversation.deaf) return;
  conversation.interrupted = true;
  conversation.shell?.interrupt();
  for (const wake of conversation.wake) wake();
}
