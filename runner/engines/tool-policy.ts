import picomatch from 'picomatch';
import type { ToolRule } from '../../protocol/policy-defaults.ts';
import {
  decideTouched,
  PATH_GLOB,
  type ToolTouches,
  type ToolVerdict,
} from '../../protocol/tool-rules.ts';
import { messageOf } from '../failure.ts';

/** What a tool call would do, as far as its engine says. */
export type ToolUse = {
  /** The engine's own name of the tool. */
  name: string;
  /** Its input, as the engine gave it; text that is no JSON is looked at as a command line. */
  input: unknown;
};

const COMMAND_KEYS = ['command', 'cmd', 'script', 'commandLine'];
const PATH_KEYS = ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path', 'file'];

const isMatch = (path: string, glob: string): boolean => picomatch.isMatch(path, glob, PATH_GLOB);

/** The strictest rule that is about a tool call; null where none is. Pure. */
export const decideToolUse = (rules: readonly ToolRule[], { name, input }: ToolUse): ToolVerdict =>
  decideTouched(rules, { name, ...touchesOf(input) }, isMatch);

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

/** What a call touches, by its input: nothing else of it is looked at. Pure. */
export function touchesOf(input: unknown): ToolTouches {
  if (typeof input === 'string') return { commands: [input], paths: [] };
  if (Array.isArray(input)) return merged(input.map(touchesOf));
  if (typeof input !== 'object' || input === null) return { commands: [], paths: [] };
  return merged(
    Object.entries(input).map(([key, value]) => {
      if (COMMAND_KEYS.includes(key)) return { commands: [lineOf(value)], paths: [] };
      if (PATH_KEYS.includes(key) && typeof value === 'string')
        return { commands: [], paths: [value] };
      return typeof value === 'object' ? touchesOf(value) : { commands: [], paths: [] };
    }),
  );
}

const lineOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(' ') : String(value);

const merged = (parts: readonly ToolTouches[]): ToolTouches => ({
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
