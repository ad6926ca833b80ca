import { oneLine } from './text-cap.ts';

/** The input fields that say most about a call, in order of preference. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'plan',
  'prompt',
] as const;

/** One line that says what a tool call does: the command, the path, the query. */
export function summarise(toolName: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return toolName;
  const fields = input as Record<string, unknown>;
  if (toolName === 'AskUserQuestion') return oneLine(firstQuestion(fields) ?? toolName);
  for (const name of TELLING) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim()) return oneLine(value);
  }
  const text = JSON.stringify(input);
  return text === '{}' ? toolName : oneLine(text);
}

function firstQuestion(fields: Record<string, unknown>): string | null {
  const [first] = Array.isArray(fields['questions']) ? fields['questions'] : [];
  if (typeof first !== 'object' || first === null || !('question' in first)) return null;
  return typeof first.question === 'string' ? first.question : null;
}
