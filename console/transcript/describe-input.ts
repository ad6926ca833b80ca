import { z } from 'zod';
import { patchOfEdit } from './parse-patch.ts';

/** What a tool was asked, in the form that shows it best. */
export type ToolInput =
  | { kind: 'command'; command: string; description: string | null }
  | { kind: 'patch'; path: string; patch: string }
  | { kind: 'plan'; text: string }
  | { kind: 'text'; text: string };

const command = z.object({ command: z.string(), description: z.string().optional() });
const edit = z.object({ file_path: z.string(), old_string: z.string(), new_string: z.string() });
const write = z.object({ file_path: z.string(), content: z.string() });
const plan = z.object({ plan: z.string() });
/** Commits that wait to be pushed, as the gate tells of them. */
const push = z.object({ push: z.string() });

/**
 * Reads a tool's input by its shape: a command, a change of a file, a plan, or anything else as
 * indented JSON. A cut input is no JSON any more and is shown as it is.
 */
export function describeInput(input: string): ToolInput {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return { kind: 'text', text: input };
  }
  const asCommand = command.safeParse(value);
  if (asCommand.success) {
    const { command: line, description } = asCommand.data;
    return { kind: 'command', command: line, description: description ?? null };
  }
  const asEdit = edit.safeParse(value);
  if (asEdit.success) {
    const { file_path: path, old_string: before, new_string: after } = asEdit.data;
    return { kind: 'patch', path, patch: patchOfEdit(before, after) };
  }
  const asWrite = write.safeParse(value);
  if (asWrite.success) {
    return {
      kind: 'patch',
      path: asWrite.data.file_path,
      patch: patchOfEdit('', asWrite.data.content),
    };
  }
  const asPlan = plan.safeParse(value);
  if (asPlan.success) return { kind: 'plan', text: asPlan.data.plan };
  const asPush = push.safeParse(value);
  if (asPush.success) return { kind: 'text', text: asPush.data.push };
  return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) };
}
