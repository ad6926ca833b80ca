import { isCode } from '../modules/scripts.ts';
import { type Matcher, matcherOf, selectionOf } from '../tree/globs.ts';
import type { EnforcementRule } from './schema.ts';

/**
 * How a rule governs a file: as one that is looked at, as one that is guarded from others, or as
 * one that it asks for; null when the rule has nothing to do with it.
 */
export function governorOf(rule: EnforcementRule, root: string): (path: string) => string | null {
  const roles = rolesOf(rule, root);
  return (path) => roles.find(({ holds }) => holds(path))?.role ?? null;
}

type Role = { role: string; holds: Matcher };

function rolesOf(rule: EnforcementRule, root: string): Role[] {
  switch (rule.kind) {
    case 'imports': {
      const chosen = selectionOf(rule.from ?? ['**'], rule.except);
      return [
        { role: 'is guarded by it', holds: matcherOf(rule.modules ?? []) },
        { role: 'is allowed by it to import what others may not', holds: matcherOf(rule.allow) },
        {
          role: 'is looked at by it',
          holds: (path) => chosen(path) && (rule.from ? true : isCode(root, path)),
        },
      ];
    }
    case 'layers':
      return [
        ...rule.layers.map((layer) => ({
          role: `is in its layer ${layer.name}`,
          holds: selectionOf(layer.paths, [...layer.except, ...rule.except]),
        })),
        {
          role: 'must belong to one of its layers',
          holds: selectionOf(rule.within ?? [], rule.except),
        },
      ];
    case 'forbid':
      return [{ role: 'is looked at by it', holds: selectionOf(rule.paths, rule.except) }];
    case 'review':
      return [
        { role: 'needs a reviewer to answer it', holds: selectionOf(rule.paths, rule.except) },
      ];
    case 'dependencies':
      return [{ role: 'is looked at by it', holds: selectionOf(rule.manifests, rule.except) }];
    case 'command':
      return [{ role: 'makes its command run', holds: matcherOf(rule.paths ?? []) }];
    case 'advisory':
      return [{ role: 'is meant by it', holds: matcherOf(rule.paths ?? []) }];
    case 'require': {
      const asked = [
        ...(rule.files ?? []),
        ...(rule.exports ?? []).map((one) => one.file),
        ...(rule.tests ?? []).flatMap((one) => one.files),
        ...(rule.dependencies ?? []).map((one) => one.manifest),
        ...(rule.forEach?.files ?? []).map((glob) => glob.replaceAll('{name}', '*')),
      ];
      const each = rule.forEach
        ? [rule.forEach.each.replace(/\/?$/, '/**'), rule.forEach.each]
        : [];
      return [
        { role: 'must be there for it', holds: matcherOf(asked) },
        { role: 'must have what it asks for', holds: matcherOf(each) },
      ];
    }
    default:
      return rule satisfies never;
  }
}
