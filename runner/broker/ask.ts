import { z } from 'zod';
import { branchText as branch } from '../../protocol/git-names.ts';

/** What a session may send to ask for a pull request, in bytes. */
export const ASK_MAX_BYTES = 60_000;
const TITLE_MAX_CHARS = 200;

export const titleText = z
  .string()
  .transform((text) => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, 'say what the pull request is about in a title')
      .max(TITLE_MAX_CHARS, `has at most ${TITLE_MAX_CHARS} characters`),
  );

/** What is checked out where the ask was made: its branch, and its commit. */
export const checkedOut = {
  local: branch.nullable().default(null),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullable()
    .default(null),
};

/** What a session asks the gate for: a pull request for a branch that it pushed. */
export const pullRequestAsk = z.strictObject({
  title: titleText,
  body: z.string().max(ASK_MAX_BYTES).default(''),
  /** Where it should go; null is the default branch. */
  base: branch.nullable().default(null),
  /** The branch as it was pushed; null leaves it to the next two. */
  head: branch.nullable().default(null),
  /** It may have been pushed by another name. */
  ...checkedOut,
  draft: z.boolean().default(false),
});
export type PullRequestAsk = z.infer<typeof pullRequestAsk>;

export type ParsedAsk = { ok: true; ask: PullRequestAsk } | { ok: false; reason: string };

/** Parses what a session sent; the reason says which part is wrong. Pure. */
export function parseAsk(raw: unknown): ParsedAsk {
  const parsed = pullRequestAsk.safeParse(raw);
  return parsed.success
    ? { ok: true, ask: parsed.data }
    : { ok: false, reason: sayFault(parsed.error) };
}

/** The first part of an ask that is wrong, and how. Pure. */
export function sayFault({ issues: [issue] }: z.ZodError): string {
  return [...(issue?.path ?? []), issue?.message ?? 'it is not understood'].join(': ');
}

const OPTION = /^pr\.(title|body|base|draft)(?:=(.*))?$/s;

/**
 * Parses the options of a push. Several `pr.body` are as many lines, for an option holds none.
 * Null where no pull request is asked for; `foreign` are options that are somebody else's. Pure.
 */
export function parsePushOptions(options: readonly string[]): {
  asked: ParsedAsk | null;
  foreign: readonly string[];
} {
  const given = options.map((option) => ({ option, match: OPTION.exec(option) }));
  const all = (name: string) =>
    given.flatMap(({ match }) => (match?.[1] === name ? [match[2] ?? ''] : []));
  const foreign = given.flatMap(({ option, match }) => (match ? [] : [option]));
  if (foreign.length === options.length) return { asked: null, foreign };
  const base = all('base').at(-1);
  const draft = all('draft').at(-1);
  const asked = parseAsk({
    title: all('title').at(-1) ?? '',
    body: all('body').join('\n'),
    ...(base !== undefined && { base }),
    draft: draft !== undefined && draft !== 'false',
  });
  return { asked, foreign };
}
