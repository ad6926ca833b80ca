import { z } from 'zod';
import type { ToolRule } from './policy-defaults.ts';

/** Most characters of what a call touches that leave the machine. */
export const TOUCHES_MAX_CHARS = 64_000;
/** Most command lines, and most paths, of one call that are told. */
export const TOUCHES_MAX = 500;

const texts = z.array(z.string().max(TOUCHES_MAX_CHARS)).max(TOUCHES_MAX);

/** The command lines that a call would run and the paths that it names, as far as its input says. */
export const toolTouches = z.object({ commands: texts, paths: texts });
export type ToolTouches = z.infer<typeof toolTouches>;

/** The strictest rule that is about a call, and what it says; null where none is. */
export type ToolVerdict = { effect: ToolRule['effect']; rule: ToolRule } | null;

/** How paths are held against globs, on the machine and at the gate alike. */
export const PATH_GLOB = { dot: true, nocase: true, nonegate: true } as const;
/** Whether a path is one of a glob's, by `PATH_GLOB`: picomatch, which each runtime brings itself. */
export type IsMatch = (path: string, glob: string) => boolean;

const STRICTEST = ['deny', 'ask', 'allow'] as const;

/**
 * The strictest rule that is about a tool call; null where none is. `name` is the engine's own of
 * the tool. A word of a command line that is a protected file counts as its reading: what a shell
 * makes of other words cannot be seen from here. Pure.
 */
export function decideTouched(
  rules: readonly ToolRule[],
  { name, commands, paths }: ToolTouches & { name: string },
  isMatch: IsMatch,
): ToolVerdict {
  const words = commands.flatMap((line) => line.split(/[\s'"`;|&<>()=,]+/)).filter(Boolean);
  const matches = (rule: ToolRule): boolean => {
    switch (rule.on) {
      case 'file':
        return (
          [...paths, ...words].some((path) => matchesPath(rule.pattern, path, isMatch)) ||
          words.some((word) => mayBecome(rule.pattern, word, isMatch))
        );
      case 'edit':
        return /edit|write|patch|replace|create/i.test(name)
          ? paths.some((path) => matchesPath(rule.pattern, path, isMatch))
          : false;
      case 'command':
        return commands.some(
          (line) =>
            matchesText(rule.pattern, line.trim()) &&
            // What is allowed unasked is one plain command, and nothing that a shell makes of more.
            (rule.effect !== 'allow' || !/[;&|`$()<>\n]/.test(line)),
        );
      case 'tool':
        return matchesText(rule.pattern, name);
      default:
        return rule.on satisfies never;
    }
  };
  for (const effect of STRICTEST) {
    const rule = rules.find((each) => each.effect === effect && matches(each));
    if (rule) return { effect, rule };
  }
  return null;
}

/** A home is any home: the engine may be given one of its own. */
function matchesPath(pattern: string, path: string, isMatch: IsMatch): boolean {
  const glob = pattern.replace(/^~\//, '**/');
  const named = path.replace(/^(?:~|\$HOME|\$\{HOME\})\//, '').replace(/^(?:\.?\/)+/, '');
  return isMatch(named, glob);
}

/**
 * Whether a shell could make the protected file of a word with a wildcard, `.e*`. A word that does
 * not begin with two letters of the name is a pattern of text as often as not, `.*` above all.
 */
function mayBecome(pattern: string, word: string, isMatch: IsMatch): boolean {
  const name = lastOf(pattern);
  const glob = lastOf(word);
  if (WILDCARD.test(name) || glob.search(WILDCARD) < 2) return false;
  return isMatch(name, glob);
}

const WILDCARD = /[*?[]/;
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `*` is any text here: a command line is no path. */
function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is').test(text);
}
