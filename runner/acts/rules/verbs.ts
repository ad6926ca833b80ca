import { asksVersion, has, isDryRun, parseOptions, words } from '../arguments.ts';
import { ownEntry } from '../own.ts';
import { type Finding, NOTHING, type Rule } from '../types.ts';

/** A program's consequential subcommands: the words that begin them, and what they are. */
export type Verbs = Readonly<
  Record<string, Finding['kind'] | { kind: Finding['kind']; uncertain: true }>
>;

/**
 * A rule that goes by subcommand words. The longest match of the leading operands counts, so
 * `pages deploy` is found before `pages`; what follows is the target. `''` is the bare program.
 */
export function verbs(table: Verbs, valued: readonly string[] = []): Rule {
  return (args) => {
    const options = parseOptions(args, valued);
    if (isDryRun(options) || has(options, '-h', '--help') || asksVersion(args)) return NOTHING;
    const given = words(options);
    for (let count = Math.min(3, given.length); count >= 0; count--) {
      const meaning = ownEntry(table, given.slice(0, count).join(' '));
      if (meaning === undefined || (count === 0 && given.length > 0)) continue;
      const target = given.slice(count).join(' ') || null;
      return [typeof meaning === 'string' ? { kind: meaning, target } : { ...meaning, target }];
    }
    return NOTHING;
  };
}

/** A program whose every use is one kind. */
export function always(kind: Finding['kind'], uncertain: boolean): Rule {
  return (args) => {
    const options = parseOptions(args);
    if (isDryRun(options) || asksVersion(args)) return NOTHING;
    if (has(options, '-h', '--help', '--check', '--syntax-check')) return NOTHING;
    return [{ kind, target: words(options)[0] ?? null, ...(uncertain ? { uncertain } : {}) }];
  };
}
