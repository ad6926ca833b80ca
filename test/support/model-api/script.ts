/** What a model says, block by block. Nothing here knows the product. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> };

export type Usage = {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
};

export type Reply =
  | {
      kind: 'message';
      content: Block[];
      usage?: Partial<Usage>;
      /** What is read from a cache is the conversation that the request carries, as at a provider. */
      readsAgain?: true;
      /** Pause before the first byte, and between two pieces of a text, in milliseconds. */
      firstByteMs?: number;
      pieceMs?: number;
      /** Close the connection after this many pieces, before the message ends. */
      cutAfter?: number;
    }
  | {
      kind: 'error';
      status: number;
      type: string;
      message: string;
      headers?: Record<string, string>;
    }
  /** Accepts the request and says nothing until the client leaves. */
  | { kind: 'hang' };

export type ModelRequest = {
  model: string;
  stream?: boolean;
  max_tokens?: number;
  system?: unknown;
  messages: { role: 'user' | 'assistant'; content: unknown }[];
  tools?: { name: string }[];
};

/** One reply after another to one question that is asked again; the last of them from then on. */
export type OneByOne = { kind: 'one by one'; replies: readonly [Reply, ...Reply[]] };

/**
 * Replies by instruction: the key is a part of what was asked, the list is what the model answers
 * to it, one after another as tool results come back. The answer depends on the conversation alone,
 * so a repeated request (a retry, a resumed process) gets the same one, unless the script says else.
 */
export type Script = Record<string, (Reply | OneByOne)[]>;

/** How often each was asked for. */
const askedFor = new WeakMap<OneByOne, number>();

function settle(reply: Reply | OneByOne): Reply {
  if (reply.kind !== 'one by one') return reply;
  const before = askedFor.get(reply) ?? 0;
  askedFor.set(reply, before + 1);
  return reply.replies[before] ?? reply.replies.at(-1) ?? reply.replies[0];
}

export const USAGE: Usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 300,
  output_tokens: 50,
};

/** No answer is longer than its request allows. */
export const cappedAt = (tokens: number, limit: number | undefined): number =>
  Math.min(tokens, limit ?? Infinity);

/** What the conversation of a request comes to, at a token for each four characters. */
export const conversationTokens = (messages: readonly unknown[]): number =>
  Math.floor(JSON.stringify(messages).length / 4);

/** A message of one text. */
export const says = (text: string, usage?: Partial<Usage>): Reply => ({
  kind: 'message',
  content: [{ type: 'text', text }],
  ...(usage && { usage }),
});

/** A message that calls one tool, with a text before it when given. */
export const calls = (name: string, input: Record<string, unknown>, text?: string): Reply => ({
  kind: 'message',
  content: [...(text ? [{ type: 'text' as const, text }] : []), { type: 'tool_use', name, input }],
});

/** A message that runs one shell command. */
export const runs = (command: string): Reply => calls('Bash', { command, description: 'run it' });

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: { type?: string; text?: string }) =>
      block.type === 'text' ? (block.text ?? '') : '',
    )
    .join('\n');
};

/**
 * Chooses the reply to a request: the last message that holds a key of the script decides the
 * list, and the number of the model's own messages since then the place in it. Anything else (a
 * title, a summary, a probe by a helper model) is answered briefly.
 */
export function chooseReply(script: Script, request: ModelRequest): Reply {
  let answered = 0;
  for (const message of request.messages.toReversed()) {
    if (message.role === 'assistant') {
      answered++;
      continue;
    }
    const text = textOf(message.content);
    const key = Object.keys(script).find((part) => text.includes(part));
    if (key === undefined) continue;
    const replies = script[key] ?? [];
    const isHelper = !request.tools || request.tools.length === 0;
    if (isHelper) return says('A short title', { output_tokens: 5 });
    return settle(replies[Math.min(answered, replies.length - 1)] ?? says('Nothing was scripted.'));
  }
  return says('Nothing was scripted for this.', { output_tokens: 5 });
}
