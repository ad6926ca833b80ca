import type { CallToolResult } from '@modelcontextprotocol/server';
import { describeFault, log } from '../../lib/logger.ts';
import { toPilothouseError } from '../on-error.ts';

/** A value as a tool's answer. */
export const answerWith = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

/** A sentence that says what happened and what to do, as a failed call. */
export const refuseWith = (sentence: string): CallToolResult => ({
  content: [{ type: 'text', text: sentence }],
  isError: true,
});

/** Makes a call; whatever it throws is the sentence of its refusal, and no stack. */
export async function answerCall(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (fault) {
    const error = toPilothouseError(fault);
    if (error.code === 'internal') log('error', 'mcp.fault', { fault: describeFault(fault) });
    return refuseWith(`${error.code}: ${error.message}`);
  }
}
