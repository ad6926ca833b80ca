import { isAbsolute, normalize } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { brainBaseUrl } from '../../protocol/brain-keys.ts';
import { engineId } from '../../protocol/engine-id.ts';
import { ANSWER_MAX_MS, NO_OUTPUT_MAX_MS } from '../../protocol/launch.ts';
import { grade } from '../../protocol/grade.ts';
import { network } from '../../protocol/network.ts';
import { policyMode, saidGlobs } from '../../protocol/merge-policy.ts';
import { KEPT_MS } from '../../protocol/retention.ts';
import { terminalBackend } from '../../protocol/terminal.ts';
import { patternFault } from '../guard/patterns/compile.ts';
import { SECRET_MIN_CHARS } from '../guard/secrets.ts';

/** Longest set-up that a file may allow, in seconds. */
const SETUP_MAX_SECONDS = 3_600;
const SETUP_DEFAULT_SECONDS = 600;

const directory = z
  .string()
  .refine(
    (path) => isAbsolute(path) || path === '~' || path.startsWith('~/'),
    'must begin with / or ~/',
  )
  .refine((path) => !path.includes('\0'), 'must not hold a zero byte');

/** A file of the repository, named from its top; it can never name one outside. */
const repositoryFile = z.string().refine((path) => {
  const clean = normalize(path);
  const outside = isAbsolute(clean) || clean === '..' || clean.startsWith('../');
  return clean !== '.' && !outside && !path.includes('\0') && clean.split('/')[0] !== '.git';
}, 'must be the path of a file inside the repository, such as ".env"');

const commandLine = z.string().refine((line) => line.trim().length > 0, 'must not be empty');

const repository = z.strictObject({
  directory,
  include: z.array(repositoryFile).default([]),
  setup: commandLine.optional(),
  show: z.array(directory).default([]),
  protected: saidGlobs('branch').default([]),
  push_tags: z.boolean().default(false),
  merge: policyMode.default('ask'),
  variables: z.array(z.string().regex(/^\w+$/, 'must be the name of a variable')).default([]),
  hosts: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(
          /^[a-z0-9][a-z0-9.-]*(:\d{1,5})?$/,
          'must be the name of a host, such as "registry.npmjs.org"',
        ),
    )
    .default([]),
  setup_seconds: z.int().positive().max(SETUP_MAX_SECONDS).default(SETUP_DEFAULT_SECONDS),
});

const forge = z.strictObject({
  host: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9][\w.-]*$/, 'must be the name of a host, such as "github.example.com"'),
  api: brainBaseUrl.optional(),
  token: z.string().regex(/^\w+$/, 'must be the name of a variable').optional(),
});

/** Sessions of ours that ended are kept for so many minutes, at most a week. */
const KEEP_MINUTES_MAX = 7 * 24 * 60;
export const KEEP_MINUTES = KEPT_MS.terminal / 60_000;

/** Days that what is no part of a record is kept: a day to look at it, at most ten years. */
const keptDays = z.number().min(1).max(3_650).optional();

const keep = z.strictObject({
  checkout_days: keptDays,
  output_days: keptDays,
  image_days: keptDays,
});

const terminal = z.strictObject({
  backends: z.array(terminalBackend).default([]),
  default_server: z.boolean().default(false),
  prefixes: z.array(z.string().min(1).max(60)).optional(),
  variables: z.array(z.string().regex(/^\w+$/, 'must be the name of a variable')).default([]),
  kitty_socket: directory.optional(),
  watch: z.boolean().default(true),
  drive: z.boolean().default(true),
  keep_minutes: z.number().min(0).max(KEEP_MINUTES_MAX).default(KEEP_MINUTES),
});

/** Each is looked for in every text that a session sends. */
const PATTERNS_MAX = 32;

const secretPattern = z
  .strictObject({
    name: z
      .string()
      .regex(/^\w[\w.-]{0,39}$/, 'must be up to 40 letters, digits, dots, dashes or underscores'),
    pattern: z
      .string()
      .superRefine((source, context) => {
        const fault = patternFault(source);
        if (fault !== null) context.addIssue({ code: 'custom', message: fault });
      })
      .optional(),
    literal: z
      .string()
      .refine(
        (text) => text.trim().length >= SECRET_MIN_CHARS,
        `must have at least ${SECRET_MIN_CHARS} characters, for shorter ones stand anywhere by chance`,
      )
      .optional(),
  })
  .refine(
    ({ pattern, literal }) => (pattern === undefined) !== (literal === undefined),
    'must have either `pattern` or `literal`',
  );

const limitsFile = z.strictObject({
  directories: z.array(directory).optional(),
  engines: z.array(engineId).optional(),
  bypass: z.boolean().default(false),
  discard: z.boolean().default(true),
  minimum_grade: grade.default('open'),
  default_grade: grade.optional(),
  minimum_network: network.default('open'),
  default_network: network.default('open'),
  takeover: z.boolean().default(true),
  preview: z.boolean().default(true),
  model_gate: z.boolean().default(true),
  no_output_minutes: z
    .number()
    .min(0.1)
    .max(NO_OUTPUT_MAX_MS / 60_000)
    .optional(),
  start_minutes: z.number().min(0.01).max(60).optional(),
  answer_hours: z
    .number()
    .min(0.01)
    .max(ANSWER_MAX_MS / 3_600_000)
    .optional(),
  commands: z.array(commandLine).default([]),
  secret_variables: z
    .array(z.string().regex(/^\w+$/, 'must be the name of a variable'))
    .default([]),
  secret_patterns: z.array(secretPattern).max(PATTERNS_MAX).default([]),
  repositories: z.array(repository).default([]),
  forges: z.array(forge).optional(),
  terminal: terminal.optional(),
  keep: keep.optional(),
});
export type LimitsFile = z.infer<typeof limitsFile>;

/** What is wrong with a limits file; `line` is null where it is not one line's fault. */
export type LimitsFault = { line: number | null; reason: string };

/** Parses the text of limits.toml. An unknown key is a fault: a misspelt limit limits nothing. */
export function parseLimitsFile(
  text: string,
): { kind: 'valid'; file: LimitsFile } | { kind: 'invalid'; fault: LimitsFault } {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n', 1)[0] ?? 'not TOML';
    return { kind: 'invalid', fault: { line: error.line, reason } };
  }
  const parsed = limitsFile.safeParse(raw);
  if (parsed.success) return { kind: 'valid', file: parsed.data };
  return { kind: 'invalid', fault: faultOf(text, parsed.error) };
}

function faultOf(text: string, error: z.ZodError): LimitsFault {
  const issue = error.issues[0];
  if (!issue) return { line: null, reason: 'malformed' };
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const path = [...issue.path, key];
    return { line: lineOf(text, path), reason: `unknown key ${JSON.stringify(key)}` };
  }
  return { line: lineOf(text, issue.path), reason: `${keyOf(issue.path)}: ${issue.message}` };
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : String(part))).join(' ');
}

const HEADER = /^\s*\[+\s*["']?([^\]"'.]+)["']?\s*[\].]/;

/**
 * The line, from 1, on which the key of `path` stands: the parser keeps no places of values. A
 * list that goes over several lines is named by its first.
 */
function lineOf(text: string, path: readonly PropertyKey[]): number | null {
  const names = path.filter((part) => typeof part === 'string');
  const table = tableOf(path);
  const key = table ? names[1] : names[0];
  let current: string | null = null;
  let seen = -1;
  let header: number | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const name = HEADER.exec(line)?.[1]?.trim();
    if (name !== undefined) {
      current = name;
      if (name === table?.name) seen += 1;
      if (table ? name === table.name && seen === table.index : name === key) header = index + 1;
      continue;
    }
    const inPlace = table ? current === table.name && seen === table.index : current === null;
    if (inPlace && key !== undefined && keyAtStart(line) === key) return index + 1;
  }
  return header;
}

/** The table that a path leads into: one of several, or the only one of its name. */
function tableOf([name, index, ...rest]: readonly PropertyKey[]) {
  if (typeof index === 'string') return { name, index: 0 };
  return typeof index === 'number' && rest.length > 0 ? { name, index } : null;
}

function keyAtStart(line: string): string | null {
  return /^\s*["']?([\w-]+)["']?\s*=/.exec(line)?.[1] ?? null;
}
