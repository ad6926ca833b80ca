import picomatch from 'picomatch';
import type { ToolRule } from '../../protocol/policy-defaults.ts';
import { messageOf } from '../failure.ts';

/** What a tool call would do, as far as its engine says. */
export type ToolUse = {
  /** The engine's own name of the tool. */
  name: string;
  /** Its input, as the engine gave it; text that is no JSON is looked at as a command line. */
  input: unknown;
};

type ToolVerdict = { effect: 'deny' | 'ask' | 'allow'; rule: ToolRule } | null;

const STRICTEST = ['deny', 'ask', 'allow'] as const;
/** The command lines that a call would run, as far as its input says. */
export const commandLinesOf = (input: unknown): string[] => partsOf(input).commands;

const COMMAND_KEYS = ['command', 'cmd', 'script', 'commandLine'];
const PATH_KEYS = ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path', 'file'];

/**
 * The strictest rule that is about a tool call; null where none is. A word of a command line that
 * is a protected file counts as its reading: what a shell makes of other words cannot be seen
 * from here, and is kept away by absence in the seal. Pure.
 */
export function decideToolUse(rules: readonly ToolRule[], use: ToolUse): ToolVerdict {
  const { commands, paths } = partsOf(use.input);
  const words = commands.flatMap((line) => line.split(/[\s'"`;|&<>()=,]+/)).filter(Boolean);
  const matches = (rule: ToolRule): boolean => {
    switch (rule.on) {
      case 'file':
        return (
          [...paths, ...words].some((path) => matchesPath(rule.pattern, path)) ||
          words.some((word) => mayBecome(rule.pattern, word))
        );
      case 'edit':
        return /edit|write|patch|replace|create/i.test(use.name)
          ? paths.some((path) => matchesPath(rule.pattern, path))
          : false;
      case 'command':
        return commands.some(
          (line) =>
            matchesText(rule.pattern, line.trim()) &&
            // What is allowed unasked is one plain command, and nothing that a shell makes of more.
            (rule.effect !== 'allow' || !/[;&|`$()<>\n]/.test(line)),
        );
      case 'tool':
        return matchesText(rule.pattern, use.name);
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

/** What the policy answers to a tool call, in words for the engine and the person; null: nothing. */
export type ToolAnswer = { effect: 'deny' | 'ask'; reason: string } | { effect: 'allow' } | null;

/** The policy's answer to a tool call. What cannot be decided is denied, and says so. Pure. */
export function answerToolUse(rules: readonly ToolRule[], use: ToolUse): ToolAnswer {
  let verdict: ToolVerdict;
  try {
    verdict = decideToolUse(rules, use);
  } catch (error) {
    const reason = `The policy of this session could not be applied (${messageOf(error)}), so nothing is allowed. Ask a person to look at it.`;
    return { effect: 'deny', reason };
  }
  if (!verdict) return null;
  switch (verdict.effect) {
    case 'deny':
      return { effect: 'deny', reason: denialOf(verdict.rule) };
    case 'ask':
      return {
        effect: 'ask',
        reason: `The policy of this session asks a person about this (${verdict.rule.pattern}).`,
      };
    case 'allow':
      return { effect: 'allow' };
    default:
      return verdict.effect satisfies never;
  }
}

/** Why a call is denied and what to do, as it is told to the engine and to the person. */
function denialOf({ pattern }: ToolRule): string {
  return `The policy of this session denies this (${pattern}). Go on without it, or ask a person to do it or to change the policy.`;
}

/** A home is any home: the engine may be given one of its own. */
function matchesPath(pattern: string, path: string): boolean {
  const glob = pattern.replace(/^~\//, '**/');
  const named = path.replace(/^(?:~|\$HOME|\$\{HOME\})\//, '').replace(/^(?:\.?\/)+/, '');
  return picomatch.isMatch(named, glob, { dot: true, nocase: true, nonegate: true });
}

/**
 * Whether a shell could make the protected file of a word with a wildcard, `.e*`. A word that does
 * not begin with two letters of the name is a pattern of text as often as not, `.*` above all.
 */
function mayBecome(pattern: string, word: string): boolean {
  const name = lastOf(pattern);
  const glob = lastOf(word);
  if (WILDCARD.test(name) || glob.search(WILDCARD) < 2) return false;
  return picomatch.isMatch(name, glob, { dot: true, nocase: true, nonegate: true });
}

const WILDCARD = /[*?[]/;
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `*` is any text here: a command line is no path. */
function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is').test(text);
}

function partsOf(input: unknown): { commands: string[]; paths: string[] } {
  if (typeof input === 'string') return { commands: [input], paths: [] };
  if (Array.isArray(input)) return merged(input.map(partsOf));
  if (typeof input !== 'object' || input === null) return { commands: [], paths: [] };
  return merged(
    Object.entries(input).map(([key, value]) => {
      if (COMMAND_KEYS.includes(key)) return { commands: [lineOf(value)], paths: [] };
      if (PATH_KEYS.includes(key) && typeof value === 'string')
        return { commands: [], paths: [value] };
      return typeof value === 'object' ? partsOf(value) : { commands: [], paths: [] };
    }),
  );
}

const lineOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(' ') : String(value);

const merged = (parts: readonly { commands: string[]; paths: string[] }[]) => ({
  commands: parts.flatMap(({ commands }) => commands),
  paths: parts.flatMap(({ paths }) => paths),
});

/**
 * The rules in the words of claude's own permissions: a floor that holds whatever the approvals
 * mode is, before anybody is asked, and while no runner runs.
 */
export function claudePermissions(
  rules: readonly ToolRule[],
): Record<ToolRule['effect'], string[]> {
  const of = (effect: ToolRule['effect']) =>
    rules.filter((rule) => rule.effect === effect).flatMap(claudeRules);
  return { deny: of('deny'), ask: of('ask'), allow: of('allow') };
}

function claudeRules({ on, pattern }: ToolRule): string[] {
  // Two slashes begin at the root, wherever claude works; without them it is below its directory.
  const path = pattern.startsWith('**/') ? `//${pattern}` : pattern.replace(/^\//, '//');
  switch (on) {
    case 'file':
      return [`Read(${path})`, `Edit(${path})`];
    case 'edit':
      return [`Edit(${path})`];
    case 'command':
      return [`Bash(${pattern})`];
    case 'tool':
      return [pattern];
    default:
      return on satisfies never;
  }
}
