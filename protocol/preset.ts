import { z } from 'zod';
import { engineId } from './engine-id.ts';
import { type engineCapabilities, PARSERS, parserId } from './parsers.ts';
import { ALLOWED_PROMPTS_MAX, allowedPrompt } from './prompt.ts';
import { shellWord } from './shell-word.ts';

type Capabilities = z.infer<typeof engineCapabilities>;

/** Most engines of its own that an account keeps. */
export const PRESETS_MAX = 100;

/** What stands for the conversation's id in the words of `resume`. */
export const SESSION_SLOT = '{session}';

const word = z
  .string()
  .max(4_096, 'must have at most 4096 characters')
  .refine((text) => !text.includes('\0'), 'must not hold a zero byte');

const executable = word.refine(
  (text) => /^[^\s-]/.test(text) && (!text.includes('/') || text.startsWith('/')),
  'must be the name of a program on the PATH, such as "claude", or its whole path from / on',
);

const slotWords = z
  .array(word)
  .max(16, 'must have at most 16 words')
  .refine(
    (words) => words.some((each) => each.includes(SESSION_SLOT)),
    `must name ${SESSION_SLOT}, in whose place the conversation’s id is put`,
  );

const variable = z
  .string()
  .regex(
    /^[A-Za-z_]\w{0,199}$/,
    'must be the name of an environment variable, such as OLLAMA_HOST',
  );

const version = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9}){1,2}$/, 'must be a version such as 1.2.0, or null for any');

/** An engine as data: which command to start, how it takes the text, and how it is read. */
export const enginePreset = z
  .strictObject({
    id: engineId,
    label: z
      .string()
      .trim()
      .min(1, 'must say what the engine is called')
      .max(60, 'must have at most 60 characters'),
    parser: parserId,
    /** Program and first arguments. What the parser needs of flags is put after them. */
    command: z.tuple([executable], word).refine((words) => words.length <= 64, {
      message: 'must have at most 64 words',
    }),
    /** Plain text alone: how the instruction goes in. Other parsers know it themselves. */
    input: z.enum(['stdin', 'argument']).default('stdin'),
    /** Plain text alone: words that begin and that go on with a conversation under our own id. */
    resume: z.strictObject({ begin: slotWords, again: slotWords }).nullable().default(null),
    /** Variables that it gets beside the ordinary ones; null is the runner's whole environment. */
    env: z.array(variable).max(100, 'must name at most 100 variables').nullable().default(null),
    /** The oldest version that may run; null asks no version. */
    minVersion: version.nullable().default(null),
    /** Plain text that takes its instruction as an argument alone: what it may be answered. */
    prompts: z
      .array(allowedPrompt)
      .max(ALLOWED_PROMPTS_MAX, `must name at most ${ALLOWED_PROMPTS_MAX} prompts`)
      .default([]),
  })
  .superRefine((preset, context) => {
    if (preset.prompts.length > 0 && (preset.parser !== 'text' || preset.input !== 'argument'))
      context.addIssue({
        code: 'custom',
        path: ['prompts'],
        message:
          'is for plain text that takes its instruction as an argument: only there is the standard input free for an answer',
      });
    if (preset.parser === 'text') return;
    const fixed = [
      [preset.resume !== null, 'resume'],
      [preset.input !== 'stdin', 'input'],
    ] as const;
    for (const [wrong, field] of fixed) {
      if (wrong)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `is for plain text alone; leave it out, because ${PARSERS[preset.parser].label} brings its own`,
        });
    }
  });
export type EnginePreset = z.infer<typeof enginePreset>;
export type EnginePresetInput = z.input<typeof enginePreset>;

/** What an engine of this preset can do. */
export function capabilitiesOf(preset: Pick<EnginePreset, 'parser' | 'resume'>): Capabilities {
  const { capabilities } = PARSERS[preset.parser];
  return preset.resume ? { ...capabilities, resume: true } : capabilities;
}

/** Whether nothing of it can be metered: its spend is unknown, its acts are at most witnessed. */
export function isUnmetered(preset: Pick<EnginePreset, 'parser'>): boolean {
  return PARSERS[preset.parser].capabilities.usage === 'none';
}

/** Whether its command line is all that its program gets: no flag of a parser follows, no model. */
export function takesWholeCommand({ parser }: Pick<EnginePreset, 'parser'>): boolean {
  return parser === 'acp' || parser === 'text';
}

/**
 * Everything of a preset that decides what runs on a machine, in one canonical text: an approval
 * is of exactly this. A new name or label is no other program.
 */
export function runnableOf(preset: EnginePreset): string {
  const { parser, command, input, resume, env, minVersion, prompts } = preset;
  const variables = env && [...new Set(env)].toSorted();
  return JSON.stringify({
    parser,
    command,
    input,
    resume,
    env: variables,
    minVersion,
    // Left out where there are none, so that what was approved before there were any still is.
    ...(prompts.length > 0 && { prompts }),
  });
}

/** What a terminal or a page would act on, or turn around, instead of showing it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text that hides nothing: what would not be seen in it stands as its number. */
export const showUnseen = (text: string): string =>
  text.replaceAll(UNSEEN, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);

/** A word as a shell takes it, so that a command line reads as one and hides nothing. */
export function quoteWord(text: string): string {
  if (showUnseen(text) !== text)
    // A quote stands as its number too: a shell that does not know these quotes ends them at one.
    return `$'${showUnseen(text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\x27`))}'`;
  return shellWord(text);
}

/** The prefix as one command line. */
export function commandLineOf({ command }: Pick<EnginePreset, 'command'>): string {
  return command.map(quoteWord).join(' ');
}

/** What is wrong with a preset: the field, and what to write there. */
export type PresetFault = { field: string; message: string };

/** Parses what was typed or read from a file. Faults name the field and what to write. */
export function parsePreset(
  raw: unknown,
): { ok: true; preset: EnginePreset } | { ok: false; faults: PresetFault[] } {
  const parsed = enginePreset.safeParse(raw);
  if (parsed.success) return { ok: true, preset: parsed.data };
  return { ok: false, faults: parsed.error.issues.map(faultOf) };
}

const EXPECTED: Readonly<Record<string, string>> = {
  id: 'must be lower-case letters, digits and dashes, beginning with a letter, such as "my-agent"',
  parser: `must be one of ${Object.keys(PARSERS).join(', ')}`,
  command: 'must be a list of words, the program first, such as ["ollama", "run", "llama3"]',
  input: 'must be "stdin" or "argument"',
  label: 'must be a text that says what the engine is called',
  env: 'must be a list of names, or null for the whole environment',
  resume: 'must be {"begin": […], "again": […]}, or null',
  minVersion: 'must be a version such as "1.2.0", or null',
  prompts: 'must be a list such as [{"text": "Continue? [y/N]", "answers": ["y", "n"]}]',
};

function faultOf(issue: z.core.$ZodIssue): PresetFault {
  if (issue.code === 'unrecognized_keys')
    return { field: issue.keys[0] ?? '', message: 'is not a field of a preset; leave it out' };
  const [first] = issue.path;
  const field = issue.path.map((part) => (typeof part === 'number' ? part + 1 : part)).join(' ');
  const own = issue.code === 'custom' || issue.message.startsWith('must');
  if (own) return { field: field || 'preset', message: issue.message };
  const expected = EXPECTED[String(first)];
  return expected
    ? { field: String(first), message: expected }
    : { field: field || 'preset', message: 'must be an object with the fields of a preset' };
}

/** Faults as one sentence. */
export function describeFaults(faults: readonly PresetFault[]): string {
  return faults.map(({ field, message }) => `${field} ${message}`).join('; ');
}
