import type { BrainReply } from './brain-script.ts';

type Calls = Extract<BrainReply, { kind: 'calls' }>;

/** An agent's answer as Anthropic's API gives it. `turn` keeps the ids of its calls apart. */
export function agentMessage(
  asked: Record<string, unknown>,
  { text, calls, usage }: Calls,
  turn: number,
) {
  const words = text === undefined ? [] : [{ type: 'text', text }];
  const uses = calls.map(({ name, input }, index) => ({
    type: 'tool_use',
    id: `toolu_${turn}_${index}`,
    name,
    input,
  }));
  return {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: asked['model'],
    content: [...words, ...uses],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: usage?.input ?? 900, output_tokens: usage?.output ?? 40 },
  };
}

/** The same as an OpenAI-compatible API gives it. */
export function agentCompletion(
  asked: Record<string, unknown>,
  { text, calls, usage }: Calls,
  turn: number,
) {
  const input = usage?.input ?? 900;
  const output = usage?.output ?? 40;
  const tools = calls.map(({ name, input: given }, index) => ({
    id: `call_${turn}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  return {
    id: `chatcmpl-${turn}`,
    object: 'chat.completion',
    created: 1,
    model: asked['model'],
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(calls.length > 0 && { tool_calls: tools }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}
