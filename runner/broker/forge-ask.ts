import { z } from 'zod';
import { branchText } from '../../protocol/git-names.ts';
import { ASK_MAX_BYTES, checkedOut, pullRequestAsk, sayFault, titleText } from './ask.ts';

const COMMENT_MAX_CHARS = 20_000;
const LIST_MAX = 100;

/** OWNER/NAME or HOST/OWNER/NAME, as `--repo` says it; null is the session's own. */
const repository = z.string().max(300).nullable().default(null);
const fields = z.array(z.string().min(1).max(40)).min(1).max(40).nullable().default(null);
const branch = branchText.nullable().default(null);
const one = {
  repository,
  /** A number, an address or a branch; null is the one of what is checked out. */
  which: z.string().trim().min(1).max(500).nullable().default(null),
  ...checkedOut,
};

/** Everything that a session may ask a forge for, through its gate. Nothing in it names a call. */
const forgeAsk = z.discriminatedUnion('do', [
  pullRequestAsk.extend({ do: z.literal('open'), repository }),
  z.strictObject({
    do: z.literal('edit'),
    ...one,
    title: titleText.nullable().default(null),
    body: z.string().max(ASK_MAX_BYTES).nullable().default(null),
    base: branch,
  }),
  z.strictObject({
    do: z.literal('comment'),
    ...one,
    body: z
      .string()
      .trim()
      .min(1, 'say something')
      .max(COMMENT_MAX_CHARS, `has at most ${COMMENT_MAX_CHARS} characters`),
  }),
  z.strictObject({
    do: z.literal('view'),
    ...one,
    fields,
    comments: z.boolean().default(false),
  }),
  z.strictObject({ do: z.literal('checks'), ...one, fields }),
  z.strictObject({
    do: z.literal('list'),
    repository,
    state: z.enum(['open', 'closed', 'merged', 'all']).default('open'),
    head: branch,
    base: branch,
    limit: z.int().min(1).max(LIST_MAX, `is at most ${LIST_MAX}`).default(30),
    fields,
  }),
  z.strictObject({ do: z.literal('status'), repository, ...checkedOut }),
]);
export type ForgeAsk = z.infer<typeof forgeAsk>;
export type ChangeAsk = Extract<ForgeAsk, { do: 'edit' | 'comment' }>;
export type ReadAsk = Exclude<ForgeAsk, ChangeAsk | { do: 'open' }>;
/** Which pull request is meant. */
export type Which = Pick<ChangeAsk, 'which' | 'local' | 'commit'>;

export type ParsedForgeAsk = { ok: true; ask: ForgeAsk } | { ok: false; reason: string };

/** Parses what a session sent; one that says nothing else asks for a pull request. Pure. */
export function parseForgeAsk(raw: unknown): ParsedForgeAsk {
  const plain = typeof raw === 'object' && raw !== null && !('do' in raw);
  const parsed = forgeAsk.safeParse(plain ? { ...raw, do: 'open' } : raw);
  return parsed.success
    ? { ok: true, ask: parsed.data }
    : { ok: false, reason: sayFault(parsed.error) };
}
