import { z } from 'zod';
import { readStored, writeStored } from '../lib/storage.ts';

const KEY = 'objective-templates';
const KEPT = 20;
const NAME_CHARS = 48;

/** Objectives that most repositories have a use for, each whole enough to be sent as it is. */
export const COMMON_TEMPLATES: readonly string[] = [
  'Run the tests, fix what fails, and commit.',
  'Review what this branch changes against the default branch. Change nothing; list what should be different and why, with file and line.',
  'Update the dependencies to their newest compatible versions, run the tests, and commit what passes.',
  'Explain how this repository is built up to somebody who is new to it. Change nothing.',
];

/** Objectives that this person kept in this browser, the latest first. */
export const readTemplates = (): string[] => readStored(KEY, z.array(z.string())) ?? [];

/** Keeps an objective for later launches; the oldest goes where there are too many. */
export function keepTemplate(objective: string): void {
  const text = objective.trim();
  if (text === '') return;
  writeStored(KEY, [text, ...readTemplates().filter((kept) => kept !== text)].slice(0, KEPT));
}

export function forgetTemplate(objective: string): void {
  const left = readTemplates().filter((kept) => kept !== objective.trim());
  writeStored(KEY, left.length > 0 ? left : null);
}

/** A template by its first words. */
export function nameOfTemplate(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > NAME_CHARS ? `${line.slice(0, NAME_CHARS).trimEnd()}…` : line;
}
