import { join } from 'node:path';
import { z } from 'zod';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { parseJson } from '../../json.ts';
import type { BookedConversation, Look, Settlement, TerminalBooks } from '../terminal-books.ts';
import type { ClaudeState } from './state.ts';
import { type Baseline, decideDifference, knownEntries } from './usage.ts';
import { homeOf } from '../../home.ts';

/** How much of a conversation's file is looked through for its last figures: bytes. */
const TAIL_BYTES = 4 * 1024 * 1024;
/** The state file, of which every project that was ever opened is a part: bytes. */
const STATE_FILE_BYTES = 16 * 1024 * 1024;
/** Stands for the model where the launch names none and the engine has told none. */
const UNNAMED_MODEL = 'claude-default';

const books = z.object({
  /**
   * The last figures that the conversation's own file carries from process to process, and where
   * they stand; `searched` is false where a part of the file was not looked through.
   */
  carried: z.object({ at: z.int(), usage: z.unknown() }).nullable(),
  searched: z.boolean(),
  /** What the last terminal of this conversation left at its exit: of that process alone. */
  atExit: z.object({ mark: z.string(), usage: z.unknown() }).nullable(),
});
type Books = z.infer<typeof books>;

const costState = z.object({ type: z.literal('cost-state'), modelUsage: z.unknown() });
const stateFile = z.object({ projects: z.record(z.string(), z.unknown()) });
const exitRecord = z.looseObject({ lastSessionId: z.string(), lastModelUsage: z.unknown() });

/** Where claude keeps its conversations, those of each project in a directory. */
export const projectsDirectory = (env: NodeJS.ProcessEnv): string =>
  join(env['CLAUDE_CONFIG_DIR'] ?? join(homeOf(env), '.claude'), 'projects');

/**
 * Versions that carry a conversation's figures from process to process write them into its file
 * as each one ends. Those that do not leave a terminal's own figures in their state file.
 */
async function read(
  look: Look,
  conversation: BookedConversation,
  env: NodeJS.ProcessEnv,
): Promise<Books> {
  const home = homeOf(env);
  const own = env['CLAUDE_CONFIG_DIR'];
  const kept = await readCarried(look, projectsDirectory(env), conversation);
  const file = await look.tail(join(own ?? home, '.claude.json'), STATE_FILE_BYTES);
  const whole = file?.from === 0 ? file.text : null;
  return { ...kept, atExit: findExit(whole, conversation.engineSessionId) };
}

async function readCarried(
  look: Look,
  projects: string,
  { engineSessionId }: BookedConversation,
): Promise<Pick<Books, 'carried' | 'searched'>> {
  for (const project of await look.list(projects)) {
    const file = await look.tail(join(projects, project, `${engineSessionId}.jsonl`), TAIL_BYTES);
    if (file) return findCarried(file.text, file.from);
  }
  return { carried: null, searched: false };
}

function findCarried(text: string, from: number): Pick<Books, 'carried' | 'searched'> {
  const searched = from === 0;
  let end = text.length;
  for (let at = text.lastIndexOf('\n', end - 2); end > 0; at = text.lastIndexOf('\n', end - 2)) {
    const line = text.slice(at + 1, end);
    if (line.includes('"cost-state"')) {
      const parsed = costState.safeParse(parseJson(line));
      if (parsed.success) {
        const offset = from + Buffer.byteLength(text.slice(0, at + 1));
        return { carried: { at: offset, usage: parsed.data.modelUsage }, searched };
      }
    }
    if (at < 0) break;
    end = at + 1;
  }
  return { carried: null, searched };
}

function findExit(text: string | null, engineSessionId: string): Books['atExit'] {
  const file = stateFile.safeParse(parseJson(text ?? ''));
  if (!file.success) return null;
  for (const project of Object.values(file.data.projects)) {
    const record = exitRecord.safeParse(project);
    if (!record.success || record.data.lastSessionId !== engineSessionId) continue;
    const { lastModelUsage: usage } = record.data;
    // Every exit has times of its own, so that a record can be told from the one before.
    const figures = Object.entries(record.data).filter(([, value]) => typeof value === 'number');
    return { mark: JSON.stringify([figures, usage]), usage };
  }
  return null;
}

/** The difference of what is carried along; else all that the terminal itself told at its exit. */
function settle(state: ClaudeState | null, rawBefore: unknown, rawAfter: unknown) {
  const before = books.safeParse(rawBefore).data;
  const after = books.safeParse(rawAfter).data;
  const figures = before && after ? figuresBetween(before, after) : null;
  if (figures === null) return unsettled(state);
  const entries = knownEntries(figures, labelOf(state));
  return { state, entries, usage: entries.length > 0 ? 'recorded' : 'none' } as const;
}

function figuresBetween(before: Books, after: Books): Baseline | null {
  if (after.carried) {
    // A process that was killed wrote nothing: its figures are in no later total either.
    const unknown = before.carried === null && !before.searched;
    if (unknown || before.carried?.at === after.carried.at) return null;
    const base = decideDifference({}, before.carried?.usage ?? {}, null);
    const now = decideDifference(base.baseline, after.carried.usage, null);
    return base.kind === 'known' && now.kind === 'known' ? now.figures : null;
  }
  if (!after.atExit || after.atExit.mark === before.atExit?.mark) return null;
  const own = decideDifference({}, after.atExit.usage, null);
  return own.kind === 'known' ? own.figures : null;
}

const labelOf = (state: ClaudeState | null): Pick<UsageEntry, 'provenance' | 'payer'> => ({
  provenance: 'reported',
  payer: state?.payer ?? 'unknown',
});

function unsettled(state: ClaudeState | null): Settlement<ClaudeState> {
  const entry: UsageEntry = {
    ...labelOf(state),
    model: state?.model ?? UNNAMED_MODEL,
    provenance: 'unsettled',
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    microUsd: null,
  };
  return { state, entries: [entry], usage: 'unsettled' };
}

/** What claude writes down of a conversation's cost as each of its processes ends. */
export const claudeBooks: TerminalBooks<ClaudeState> = { read, settle };
