import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportedModel } from '../../protocol/drive-report.ts';
import type { RunningClaude } from '../agents/running-claude.ts';
import { messageIdsIn, readTranscript } from '../engines/claude/transcript.ts';
import { readPart } from '../process/read-part.ts';

/** The most that one interval may have written, in bytes: beyond it nothing is told rather than a part. */
const PART_BYTES = 32 * 1024 * 1024;
/** So much before it is looked through for messages that had begun, in bytes. */
const BEFORE_BYTES = 512 * 1024;

/** How long each file of a conversation is, in bytes: a place in it. */
export type Place = Readonly<Record<string, number>>;

/**
 * Where a conversation stands: its own file, and those of the agents that it sent out. Null where
 * it has none yet.
 */
export async function placeOf({
  projects,
  sessionId,
}: Pick<RunningClaude, 'projects' | 'sessionId'>): Promise<Place | null> {
  const names = await readdir(projects).catch(() => []);
  for (const project of names) {
    const own = join(projects, project, `${sessionId}.jsonl`);
    const size = await sizeOf(own);
    if (size === null) continue;
    const directory = join(projects, project, sessionId, 'subagents');
    const others = await readdir(directory).catch(() => []);
    const sizes = others
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => [join(directory, name), await sizeOf(join(directory, name))] as const);
    const known = (await Promise.all(sizes)).filter(
      (pair): pair is readonly [string, number] => pair[1] !== null,
    );
    return Object.fromEntries([[own, size], ...known]);
  }
  return null;
}

const sizeOf = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.size ?? null;

/** What was used between two places. Null: a part cannot be read, and so nothing can be told. */
export async function usedBetween(from: Place, to: Place): Promise<ReportedModel[] | null> {
  const parts: string[] = [];
  const known = new Set<string>();
  for (const [path, end] of Object.entries(to)) {
    const begin = from[path] ?? 0;
    if (end === begin) continue;
    if (end < begin || end - begin > PART_BYTES) return null;
    const part = await readPart(path, () => ({ from: begin, to: end }));
    if (!part) return null;
    parts.push(part.text);
    const before = { from: Math.max(0, begin - BEFORE_BYTES), to: begin };
    for (const id of messageIdsIn((await readPart(path, () => before))?.text ?? '')) known.add(id);
  }
  return readTranscript(parts.join('\n'), known);
}
