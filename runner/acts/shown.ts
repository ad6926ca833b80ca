import type { Reading } from './reading.ts';
import { type Argument, showCommand } from './types.ts';

/** Counted repetitions, for the text is a session's. `--author` says no secret. */
const NAMES = 'token|auth(?!or(?!i))|passw(?:or)?d|passphrase|secret|api[-_]?key|credential';
const OPTION = new RegExp(`^--?[\\w-]{0,60}(?:${NAMES})[\\w-]{0,60}$`, 'i');
const ASSIGNED = new RegExp(`((?:${NAMES})[\\w-]{0,60}["']?\\s{0,4}[:=]).+`, 'is');
const USER_INFO = /\/\/[^/@\s]+@/g;
const LOGIN = /^(?:-u|--user|--proxy-user)$/;

/**
 * Takes out of a command what a file keeps there for the machine alone. What is judged is the whole;
 * what is shown goes to a hub and to people who never opened the file.
 */
export class Shown {
  readonly #changed = new Map<string, string>();
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  command([name, ...args]: readonly Argument[]): string {
    const fields = args.map((arg, index) => {
      const text = this.#field(arg.text, args[index - 1]?.text ?? '');
      if (text !== arg.text) this.#changed.set(arg.text, text);
      return { ...arg, text };
    });
    return showCommand(name ? [name, ...fields] : fields);
  }

  /** What a command acts on is made of its words, each of which is shown as it is there. */
  target(target: string): string {
    let text = target;
    for (const [from, to] of this.#changed) {
      this.#reading.spend(text.length);
      if (from !== '') text = text.replaceAll(from, () => to);
    }
    return this.#field(text, '');
  }

  #field(whole: string, before: string): string {
    if (whole !== '' && OPTION.test(before) && !whole.startsWith('-')) return '…';
    if (LOGIN.test(before) && whole.includes(':')) return '…';
    let text = whole;
    for (const [value, name] of this.#reading.hidden) {
      this.#reading.spend(text.length);
      if (text.includes(value)) text = text.replaceAll(value, () => `$${name}`);
    }
    return text.replaceAll(USER_INFO, '//…@').replace(ASSIGNED, '$1…');
  }
}
