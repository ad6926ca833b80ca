/** Helpers that keep words from outside from being read as Markdown, mentions or HTML. */

/** A text as a block of code: nothing in it is markup, a link or somebody's name. */
export function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}text\n${text}\n${ticks}`;
}

/** A short text as code on one line, fit for a cell of a table too. */
export function code(text: string, maxChars = 120): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '¦').trim();
  const cut = line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
  const longest = Math.max(0, ...(cut.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return cut === '' ? '' : `${ticks}${pad}${cut}${pad}${ticks}`;
}

/** Words on one line: what could be markup is escaped, and no name is called. */
export function words(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|~&]/g, String.raw`\$&`)
    .replaceAll(/[@#](?=\w)/g, '$&\u200B');
}

/** A table; every cell is Markdown already. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
