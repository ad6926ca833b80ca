import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Cumulative figures, in the form and under the names that the real engine uses. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  costUSD: number;
};

/** What survives the process: enough to go on with the same conversation. */
export type Transcript = { turns: number; usage: ModelUsage };

export const MODEL = 'rehearsal';

export const noUsage = (): ModelUsage => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  costUSD: 0,
});

const fileOf = (stateDirectory: string, id: string): string => join(stateDirectory, `${id}.json`);

/** The conversation of this id, or null when there is none. */
export const readTranscript = (stateDirectory: string, id: string): Transcript | null =>
  readTranscriptAt(fileOf(stateDirectory, id));

/** The conversation in a file; null when there is none. */
export function readTranscriptAt(path: string): Transcript | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Transcript;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes beside and renames, so that a killed process leaves the older or the newer, never half. */
export function writeTranscript(stateDirectory: string, id: string, transcript: Transcript): void {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const file = fileOf(stateDirectory, id);
  writeFileSync(`${file}.new`, JSON.stringify(transcript), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
