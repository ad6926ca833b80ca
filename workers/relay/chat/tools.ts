import { tool, type ToolSet } from 'ai';
import { z } from 'zod';
import { CHAT_WAIT_MAX_S } from '../../../protocol/operator-chat.ts';
import { offeredTools } from '../../gate/tools.ts';
import type { InstanceRead } from '../../operators/read.ts';

/** The agent's own tool, which reaches nothing. */
export const WAIT_TOOL = 'wait';
const waitInput = z.strictObject({ seconds: z.number().min(1).max(CHAT_WAIT_MAX_S) });

/** The tools of the instance and `wait`, as the model is offered them. None carries anything out. */
export function modelTools(read: InstanceRead): ToolSet {
  const tools: ToolSet = {
    [WAIT_TOOL]: tool({
      description: `Wait before you look again, ${CHAT_WAIT_MAX_S} seconds at most.`,
      inputSchema: waitInput as z.ZodType,
    }),
  };
  for (const { name, description, input } of offeredTools(read))
    tools[name] = tool({ description, inputSchema: input as z.ZodType });
  return tools;
}

/** How long a call of `wait` asks for, in ms; null when it is none that can be read. */
export function waitMsOf(input: unknown): number | null {
  const parsed = waitInput.safeParse(input);
  return parsed.success ? Math.round(parsed.data.seconds * 1_000) : null;
}
