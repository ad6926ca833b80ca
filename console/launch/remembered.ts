import { z } from 'zod';
import { readStored, writeStored } from '../lib/storage.ts';
import { EMPTY_DRAFT, launchDraft, type LaunchDraft } from './draft.ts';

const DRAFT = 'launch-draft';
const DIRECTORIES = 'launch-directories';
const KEPT = 8;

/** The form as it was left, or as it was last launched, without the words of that launch. */
export const readDraft = (): LaunchDraft => readStored(DRAFT, launchDraft) ?? EMPTY_DRAFT;
/** Keeps the form as it is, so that leaving the page loses nothing. */
export const writeDraft = (draft: LaunchDraft): boolean => writeStored(DRAFT, draft);

/** Directories launched in on one machine, the latest first. */
export function readDirectories(runnerId: string): string[] {
  return readStored(`${DIRECTORIES}:${runnerId}`, z.array(z.string())) ?? [];
}

/** Remembers a launch's choices for the next one. */
export function rememberLaunch(draft: LaunchDraft): void {
  writeDraft({ ...draft, objective: '', baseRef: '', fromUncommitted: false });
  const directory = draft.directory.trim();
  if (directory === '') return;
  const others = readDirectories(draft.runnerId).filter((held) => held !== directory);
  writeStored(`${DIRECTORIES}:${draft.runnerId}`, [directory, ...others].slice(0, KEPT));
}
