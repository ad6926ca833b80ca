import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type { EngineFork } from '../engine.ts';
import { turnUuid } from '../ids.ts';
import type { Look } from '../terminal-books.ts';
import { projectsDirectory } from './books.ts';

const line = z.looseObject({ uuid: z.string().nullish() });

/**
 * The file that a conversation of claude is kept in, below the directory of the project that it was
 * begun in; null where there is none.
 */
async function find(
  look: Look,
  engineSessionId: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const projects = projectsDirectory(env);
  const name = `${engineSessionId}.jsonl`;
  for (const project of await look.list(projects)) {
    if ((await look.list(join(projects, project))).includes(name))
      return join(projects, project, name);
  }
  return null;
}

/**
 * A conversation as it was when a turn was over. Its file only ever grows, and what is said to claude
 * stands in it under the id of its turn: everything before the next turn is what there was then.
 * Lines after the last one with an id are of no turn. Null where the turn is not in it. Pure.
 */
export function cutConversation(
  text: string,
  { turnId, nextTurnId }: Parameters<EngineFork['cut']>[1],
): string | null {
  const lines = text.split('\n').filter((each) => each !== '');
  const ids = lines.map((each) => line.safeParse(parseJson(each)).data?.uuid ?? null);
  const began = ids.indexOf(turnUuid(turnId));
  const next = nextTurnId === null ? lines.length : ids.indexOf(turnUuid(nextTurnId));
  if (began < 0 || next <= began) return null;
  const last = ids.slice(0, next).findLastIndex((id) => id !== null);
  return `${lines.slice(0, last + 1).join('\n')}\n`;
}

/** `claude --resume FILE.jsonl --fork-session` (seen on 2.1.197 and 2.1.332). */
export const claudeFork: EngineFork = {
  extension: 'jsonl',
  find,
  cut: cutConversation,
};
