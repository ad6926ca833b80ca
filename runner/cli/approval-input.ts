import { z } from 'zod';
import type { ApprovalRequest } from '../../protocol/approval.ts';
import { plainText } from './format.ts';
import type { Paint } from './output.ts';

/** Most characters of an input that was already cut on its way. */
const CUT_INPUT_CHARS = 2000;
/** Most lines of a change, and characters of one line, that a terminal shows before an answer. */
const CHANGE_LINES = 60;
const CHANGE_CHARS = 200;

const whole = z.union([
  z.object({ plan: z.string() }).transform(({ plan }) => plan),
  z.object({ command: z.string() }).transform(({ command }) => command),
  /** Commits that wait to be pushed, as the gate tells of them. */
  z.object({ push: z.string() }).transform(({ push }) => push),
]);

const oneEdit = z.object({ old_string: z.string(), new_string: z.string() });
/** Claude Code's Write, Edit and MultiEdit, by their shape: other engines use the same words. */
const change = z.union([
  z.object({ file_path: z.string(), edits: z.array(oneEdit) }),
  oneEdit.extend({ file_path: z.string() }).transform((edit) => ({ ...edit, edits: [edit] })),
  z.object({ file_path: z.string(), content: z.string() }).transform(({ file_path, content }) => ({
    file_path,
    edits: [{ old_string: '', new_string: content }],
  })),
]);

/**
 * What a request would do, as far as its one line does not say it: a whole plan or command, or a
 * file's change as lines with − and +, capped with the number of what is left out. Null when there
 * is no more to say: nobody can say yes to what is not shown.
 */
export function describeRequest(
  { input }: ApprovalRequest,
  shownLine: string,
  paint: Paint,
): string | null {
  let value: unknown;
  try {
    value = JSON.parse(input.text);
  } catch {
    // A cut input is no JSON any more: its beginning is shown as it is.
    return `${plainText(input.text.slice(0, CUT_INPUT_CHARS))}…`;
  }
  const asChange = change.safeParse(value);
  if (asChange.success) return describeChange(asChange.data, paint);
  const asWhole = whole.safeParse(value);
  if (!asWhole.success) return null;
  const text = plainText(asWhole.data).trim();
  return text === shownLine ? null : text;
}

function describeChange({ file_path, edits }: z.infer<typeof change>, paint: Paint): string {
  const lines = edits.flatMap(({ old_string, new_string }) => [
    ...linesOf(old_string).map((line) => paint('red', `- ${line}`)),
    ...linesOf(new_string).map((line) => paint('green', `+ ${line}`)),
  ]);
  const left = lines.length - CHANGE_LINES;
  return [
    plainText(file_path),
    ...lines.slice(0, CHANGE_LINES),
    ...(left > 0 ? [paint('yellow', `… ${left} more lines; the console shows them all`)] : []),
  ].join('\n');
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const plain = plainText(line);
      return plain.length > CHANGE_CHARS ? `${plain.slice(0, CHANGE_CHARS)}…` : plain;
    });
}
