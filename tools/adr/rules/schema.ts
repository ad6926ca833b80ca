import { z } from 'zod';
import type { AdrRuleKind } from '../../../protocol/adr-report.ts';

/**
 * The enforcement block of a record's front matter. Every object is strict: a misspelt key would
 * otherwise be a rule that checks less than its author believes.
 */
const glob = z.string().min(1);
const globs = z.array(glob).min(1);
const id = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'an id is lower-case words joined by dashes');
const reason = z.string().trim().min(8, 'a reason is a sentence of at least 8 characters');

/** `content: null` is a file that is gone, for rules that ask for one. */
const fixtureFile = z.strictObject({ path: z.string().min(1), content: z.string().nullable() });
/** What the rule must say of a fixture: broken, or, of a computed import, that nobody can tell. */
const expect = z.enum(['violation', 'uncheckable']).default('violation');
/** Files that break the rule: one file by itself, or several under a name. */
const fixture = z.union([
  fixtureFile.extend({ expect }),
  z.strictObject({ name: z.string().optional(), expect, files: z.array(fixtureFile).min(1) }),
]);

const common = {
  id,
  reason,
  level: z.enum(['enforced', 'advisory']).default('enforced'),
  /** The fewest things the rule must have looked at to mean anything. */
  atLeast: z.number().int().positive().optional(),
  violates: z.array(fixture).default([]),
};

export const importKind = z.enum([
  'static',
  'dynamic',
  'require',
  're-export',
  'type-only',
  'resolve',
]);
export type ImportKind = z.infer<typeof importKind>;

export const importsRule = z.strictObject({
  ...common,
  kind: z.literal('imports'),
  /** The modules that are guarded: files of the tree, or packages (`node:` built-ins included). */
  modules: globs.optional(),
  packages: globs.optional(),
  /** The importers that may. */
  allow: z.array(glob).default([]),
  /** The importers that are looked at; every file of a known language unless said. */
  from: globs.optional(),
  except: z.array(glob).default([]),
  importKinds: z.array(importKind).min(1).optional(),
  /** Why it is right that no guarded module is there (yet). */
  allowAbsent: reason.optional(),
});

const layer = z.strictObject({
  name: z.string().min(1),
  paths: globs,
  except: z.array(glob).default([]),
  /** The layers it may import; without it, every layer that stands after it. */
  may: z.array(z.string()).optional(),
  /** The only packages it may import; without it, any. */
  packages: z.array(glob).optional(),
  /** Packages it must not import. */
  bannedPackages: globs.optional(),
});

export const layersRule = z.strictObject({
  ...common,
  kind: z.literal('layers'),
  layers: z.array(layer).min(1),
  /** Files of which each must belong to a layer. */
  within: globs.optional(),
  except: z.array(glob).default([]),
});

export const forbidRule = z.strictObject({
  ...common,
  kind: z.literal('forbid'),
  paths: globs,
  except: z.array(glob).default([]),
  /** Patterns of code, as ast-grep writes them. */
  patterns: globs.optional(),
  /** A rule object of ast-grep, for what a pattern cannot say. */
  match: z.record(z.string(), z.unknown()).optional(),
  /**
   * Texts of which a file must hold one to be parsed at all. Parsing is most of the work, so a rule
   * by `match` over many files wants it; a pattern knows its own words.
   */
  contains: z.array(z.string().min(1)).min(1).optional(),
  /** A regular expression over the text, line by line, for any kind of file. */
  text: z.string().min(1).optional(),
});

const forEach = z.strictObject({
  /** A glob of files or directories; what its first `*` stands for is `{name}` below. */
  each: glob,
  except: z.array(z.string()).default([]),
  /** Globs of which each must match a file. */
  files: globs,
});

export const requireRule = z.strictObject({
  ...common,
  kind: z.literal('require'),
  files: globs.optional(),
  exports: z
    .array(z.strictObject({ file: z.string().min(1), names: z.array(z.string()).min(1) }))
    .min(1)
    .optional(),
  tests: z
    .array(z.strictObject({ files: globs, names: z.array(z.string()).min(1) }))
    .min(1)
    .optional(),
  dependencies: z
    .array(z.strictObject({ manifest: z.string().min(1), names: z.array(z.string()).min(1) }))
    .min(1)
    .optional(),
  forEach: forEach.optional(),
});

export const dependenciesRule = z.strictObject({
  ...common,
  kind: z.literal('dependencies'),
  manifests: globs.default(['package.json']),
  except: z.array(glob).default([]),
  /** Only these packages may stand there. */
  allow: z.array(glob).optional(),
  ban: z.array(glob).optional(),
  sections: z.array(z.string()).min(1).optional(),
});

export const commandRule = z.strictObject({
  ...common,
  kind: z.literal('command'),
  /** A program and its arguments, started without a shell. */
  run: z.array(z.string()).min(1).optional(),
  /** A line for the shell, for a record that says it wants one. */
  shell: z.string().min(1).optional(),
  timeoutSeconds: z.number().positive().max(3600).default(120),
  /** In a change-only check it runs only when one of these changed. */
  paths: globs.optional(),
});

export const reviewRule = z.strictObject({
  ...common,
  kind: z.literal('review'),
  paths: globs,
  except: z.array(glob).default([]),
  question: z.string().trim().min(8),
});

export const advisoryRule = z.strictObject({
  ...common,
  kind: z.literal('advisory'),
  level: z.literal('advisory').default('advisory'),
  paths: globs.optional(),
});

const kinds = {
  imports: importsRule,
  layers: layersRule,
  forbid: forbidRule,
  require: requireRule,
  dependencies: dependenciesRule,
  command: commandRule,
  review: reviewRule,
  advisory: advisoryRule,
} satisfies Record<AdrRuleKind, z.ZodObject>;

export const enforcementRule = z
  .discriminatedUnion('kind', [
    importsRule,
    layersRule,
    forbidRule,
    requireRule,
    dependenciesRule,
    commandRule,
    reviewRule,
    advisoryRule,
  ])
  .superRefine((rule, context) => {
    const problem = incompleteness(rule);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });
export type EnforcementRule = z.infer<typeof enforcementRule>;
export type RuleOf<Kind extends EnforcementRule['kind']> = Extract<EnforcementRule, { kind: Kind }>;

/** What a rule of its kind cannot do without, and strict objects alone cannot say. */
function incompleteness(rule: z.infer<(typeof kinds)[keyof typeof kinds]>): string | null {
  const count = (...given: readonly unknown[]) =>
    given.filter((value) => value !== undefined).length;
  switch (rule.kind) {
    case 'imports':
      return count(rule.modules, rule.packages) > 0 ? null : 'give `modules` or `packages`';
    case 'forbid':
      return count(rule.patterns, rule.match, rule.text) === 1
        ? null
        : 'give exactly one of `patterns`, `match` and `text`';
    case 'require':
      return count(rule.files, rule.exports, rule.tests, rule.dependencies, rule.forEach) > 0
        ? null
        : 'give `files`, `exports`, `tests`, `dependencies` or `forEach`';
    case 'dependencies':
      return count(rule.allow, rule.ban) > 0 ? null : 'give `allow` or `ban`';
    case 'command':
      return count(rule.run, rule.shell) === 1 ? null : 'give exactly one of `run` and `shell`';
    case 'layers': {
      const names = rule.layers.map((one) => one.name);
      const unknown = rule.layers
        .flatMap((one) => one.may ?? [])
        .find((name) => !names.includes(name));
      return unknown === undefined
        ? null
        : `\`may\` names the layer \`${unknown}\`, which is not there`;
    }
    case 'review':
    case 'advisory':
      return null;
    default:
      return rule satisfies never;
  }
}

export const waiverRow = z.strictObject({
  rule: id,
  /** A glob of the files whose findings may stand. */
  path: glob,
  owner: z.string().min(1),
  reason,
  expires: z.iso.date(),
});
export type WaiverRow = z.infer<typeof waiverRow>;

/** The keys that are possible at a place of a rule, for the suggestion beside an unknown one. */
export function keysAt(path: readonly PropertyKey[], value: unknown): readonly string[] {
  const named = path.findLast((part) => typeof part === 'string');
  if (named === 'layers') return Object.keys(layer.shape);
  if (named === 'forEach') return Object.keys(forEach.shape);
  if (named !== undefined) return [];
  const kind = typeof value === 'object' && value && 'kind' in value ? value.kind : undefined;
  const schema = Object.entries(kinds).find(([name]) => name === kind)?.[1];
  return schema ? Object.keys(schema.shape) : Object.keys(common);
}
export const WAIVER_KEYS = Object.keys(waiverRow.shape);
export const RULE_KINDS = Object.keys(kinds);
