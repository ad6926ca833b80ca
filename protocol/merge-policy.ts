import { z } from 'zod';
import {
  DEFAULT_PROTECTED_PATHS,
  DEFAULT_TOOL_RULES,
  type ToolRule,
  toolRule,
} from './policy-defaults.ts';
import { runnerId, sessionId } from './ids.ts';
import { findGlobFault } from './policy-globs.ts';

/** What becomes of merges and of pushes to protected branches, from the strictest. */
export const POLICY_MODES = ['none', 'pr', 'ask', 'merge'] as const;
export const policyMode = z.enum(POLICY_MODES);
export type PolicyMode = z.infer<typeof policyMode>;

/** Rewriting what was pushed: never, or branches that the session itself made on the remote. */
export const FORCE_RULES = ['never', 'own'] as const;
/** Tags: never, each new one is asked about, or new ones freely. A tag never moves. */
export const TAG_RULES = ['never', 'ask', 'new'] as const;

const glob = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.trim() === text && !text.startsWith('!'), 'must be a plain glob');
/** Most that one scope says; several scopes come to more together. */
const SAID_MAX = { globs: 100, tools: 200 } as const;
const HELD_MAX_GLOBS = 1_000;
/** Most rules of tools that hold for one session or terminal, of all its scopes together. */
export const POLICY_TOOLS_MAX = 2_000;
const globs = z.array(glob).max(HELD_MAX_GLOBS);

/** As a person says it now; what was kept before is read as it is. */
export const saidGlobs = (of: 'branch' | 'path') =>
  z
    .array(
      glob.superRefine((text, context) => {
        const fault = findGlobFault(text, of);
        if (fault !== null) context.addIssue({ code: 'custom', message: fault });
      }),
    )
    .max(SAID_MAX.globs);

/** What a session may do to a remote, and with its tools. The default branch is always protected. */
export const mergePolicy = z.strictObject({
  mode: policyMode,
  /** Further branches that are protected, as globs: `release/*`. */
  protectedBranches: globs,
  /** Paths whose change makes any push a protected one: `.github/workflows/**`. */
  protectedPaths: globs,
  force: z.enum(FORCE_RULES),
  tags: z.enum(TAG_RULES),
  tools: z.array(toolRule).max(POLICY_TOOLS_MAX),
});
export type MergePolicy = z.infer<typeof mergePolicy>;

/** What one scope says of it; what it does not say, it takes from the wider one. */
export const policyPart = mergePolicy.partial().extend({
  protectedBranches: z.array(glob).max(SAID_MAX.globs).optional(),
  protectedPaths: z.array(glob).max(SAID_MAX.globs).optional(),
  tools: z.array(toolRule).max(SAID_MAX.tools).optional(),
});
export type PolicyPart = z.infer<typeof policyPart>;

/** The same from a person: a glob that could protect nothing is refused where it is typed. */
export const saidPolicyPart = policyPart.extend({
  protectedBranches: saidGlobs('branch').optional(),
  protectedPaths: saidGlobs('path').optional(),
});

export const DEFAULT_POLICY: MergePolicy = {
  mode: 'pr',
  protectedBranches: [],
  protectedPaths: [...DEFAULT_PROTECTED_PATHS],
  force: 'own',
  tags: 'never',
  tools: [...DEFAULT_TOOL_RULES],
};

/** Where a policy holds: everywhere, in one repository of one machine, or in one session. */
export const policyScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account') }),
  z.object({
    kind: z.literal('repository'),
    runnerId,
    /** Its top, or any directory above the launches that are meant. */
    directory: z
      .string()
      .max(4096)
      .refine((path) => path.startsWith('/'), 'must be an absolute path'),
  }),
  z.object({ kind: z.literal('session'), sessionId }),
]);
export type PolicyScope = z.infer<typeof policyScope>;

/** Which version of which scope said something. */
export const policySource = z.object({ scope: policyScope, version: z.int().positive() });

/** The policy of a session, as it was read when it was launched. */
export const policySnapshot = z.object({
  policy: mergePolicy,
  /** From the widest scope to the nearest; empty where nobody has said anything. */
  sources: z.array(policySource),
  /** Scopes allow more, which the engine may not use because it cannot be observed. */
  capped: z.literal(true).optional(),
});
export type PolicySnapshot = z.infer<typeof policySnapshot>;

const stricter = <T>(order: readonly T[], one: T, other: T): T =>
  order.indexOf(one) <= order.indexOf(other) ? one : other;

const union = <T>(one: readonly T[], other: readonly T[]): T[] => {
  const seen = new Set(one.map((each) => JSON.stringify(each)));
  return [...one, ...other.filter((each) => !seen.has(JSON.stringify(each)))];
};

/** The wider policy as a narrower part tightens it: nothing becomes possible that was not. Pure. */
export function tightenPolicy(wide: MergePolicy, part: PolicyPart): MergePolicy {
  const stricterTools = (part.tools ?? []).filter(({ effect }) => effect !== 'allow');
  return {
    mode: stricter(POLICY_MODES, wide.mode, part.mode ?? wide.mode),
    protectedBranches: union(wide.protectedBranches, part.protectedBranches ?? []),
    protectedPaths: union(wide.protectedPaths, part.protectedPaths ?? []),
    force: stricter(FORCE_RULES, wide.force, part.force ?? wide.force),
    tags: stricter(TAG_RULES, wide.tags, part.tags ?? wide.tags),
    tools: union(wide.tools, stricterTools),
  };
}

/**
 * What holds for a session that is launched again: the stricter of what it has and what its scopes
 * say by now. Null where that takes nothing away; what they allow meanwhile is for new sessions.
 */
export function tightenSnapshot(
  held: PolicySnapshot | null,
  now: PolicySnapshot,
): PolicySnapshot | null {
  const before = held?.policy ?? DEFAULT_POLICY;
  const tight = tightenPolicy(before, now.policy);
  const allowed = new Set(now.policy.tools.map((rule) => JSON.stringify(rule)));
  // A rule that lets something go unasked and was taken back is no rule any more.
  const isKept = (rule: ToolRule) => rule.effect !== 'allow' || allowed.has(JSON.stringify(rule));
  const policy = { ...tight, tools: tight.tools.filter(isKept) };
  if (JSON.stringify(policy) === JSON.stringify(mergePolicy.parse(before))) return null;
  const sources = union(held?.sources ?? [], now.sources);
  return { ...held, policy, sources };
}

/** One scope's say: `widens` is why it may say more than the wider scope; null tightens only. */
export type PolicyLayer = { part: PolicyPart; widens: string | null };

/** The policy that scopes come to, from the widest to the nearest. Pure. */
export function mergePolicies(layers: readonly PolicyLayer[], base = DEFAULT_POLICY): MergePolicy {
  return layers.reduce(
    (wide, { part, widens }) =>
      widens === null ? tightenPolicy(wide, part) : mergePolicy.parse({ ...wide, ...part }),
    base,
  );
}

/** What a scope says and does not get, because it would be more than the wider one lets it. Pure. */
export function findHeldBack(wide: MergePolicy, { part, widens }: PolicyLayer): string[] {
  if (widens !== null) return [];
  const got = tightenPolicy(wide, part);
  const said = (['mode', 'force', 'tags'] as const).filter(
    (key) => part[key] !== undefined && part[key] !== got[key],
  );
  return said.map((key) => `${key} stays ${got[key]}`);
}
