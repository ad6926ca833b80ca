import type { Argument } from './types.ts';

export type ParsedOptions = {
  /** Names as written, `-f` and `--force`; clusters are taken apart. */
  flags: ReadonlySet<string>;
  values: ReadonlyMap<string, string>;
  operands: readonly Argument[];
};

/**
 * Takes options and operands apart the way most programs do. `valued` names the options that
 * take the next argument; everything after `--` is an operand.
 */
export function parseOptions(
  args: readonly Argument[],
  valued: readonly string[] = [],
): ParsedOptions {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const operands: Argument[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (!arg) break;
    const { text } = arg;
    if (text === '--') return { flags, values, operands: [...operands, ...args.slice(index + 1)] };
    if (!text.startsWith('-') || text === '-') {
      operands.push(arg);
    } else if (text.startsWith('--')) {
      const [name = '', ...rest] = text.split('=');
      flags.add(name);
      if (rest.length > 0) values.set(name, rest.join('='));
      else if (valued.includes(name)) values.set(name, args[++index]?.text ?? '');
    } else if (valued.includes(text)) {
      flags.add(text);
      values.set(text, args[++index]?.text ?? '');
    } else {
      const joined = valued.find((name) => name.length === 2 && text.startsWith(name));
      if (joined) {
        flags.add(joined);
        values.set(joined, text.slice(2).replace(/^=/, ''));
      } else {
        flags.add(text);
        for (const letter of text.slice(1)) flags.add(`-${letter}`);
      }
    }
  }
  return { flags, values, operands };
}

/** Whether any of the names was given. */
export function has(options: ParsedOptions, ...names: string[]): boolean {
  return names.some((name) => options.flags.has(name));
}

/** Asks for words only, or changes nothing. */
export function isDryRun(options: ParsedOptions): boolean {
  const said = options.values.get('--dry-run') ?? '';
  return has(options, '--dry-run', '--help') && said !== 'none' && said !== 'false';
}

/** Whether a program is asked for its version; after a verb, `--version X` names one of something. */
export function asksVersion(args: readonly Argument[]): boolean {
  const at = args.findIndex(({ text }) => text === '--version');
  const isWord = (arg: Argument | undefined) => arg !== undefined && !arg.text.startsWith('-');
  return at >= 0 && !(args.slice(0, at).some(isWord) && isWord(args[at + 1]));
}

/** Where `find` looks: what is named before its first test or action, else here. */
export function placesOfFind(args: readonly Argument[]): readonly Argument[] {
  const named = args.slice(args.findIndex(({ text }) => !/^-[HLPDO]/.test(text)));
  const end = named.findIndex(({ text }) => /^[-!(]/.test(text));
  const places = end < 0 ? named : named.slice(0, end);
  return places.length > 0 ? places : [{ text: '.', certain: true }];
}

/** The operands' texts. */
export const words = (options: ParsedOptions): string[] => options.operands.map(({ text }) => text);
