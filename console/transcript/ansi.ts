import Anser from 'anser';

/** A run of text in one style. Colours are classes of the theme, so that both papers can read it. */
export type Span = { text: string; className: string };

/** What a terminal would leave of a line that returns to its start: the last thing written there. */
function settleLine(line: string): string {
  const parts = line.replace(/\r+$/, '').split('\r');
  return parts.at(-1) ?? '';
}

// Escape sequences that move the cursor, clear, or set titles: a transcript has no screen for them.
const NOT_STYLE =
  // oxlint-disable-next-line no-control-regex -- these bytes are what it looks for
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;?]*[A-LN-Za-ln-z]|\u001b[()][A-Z0-9]|\u001b[=>78]/g;

/** Terminal output as styled runs of text. Never markup: what is written is text whatever it says. */
export function parseAnsi(text: string): Span[] {
  const settled = text.replace(NOT_STYLE, '').split('\n').map(settleLine).join('\n');
  if (!settled.includes('\u001b')) return [{ text: settled, className: '' }];
  return Anser.ansiToJson(settled, { use_classes: true, json: true, remove_empty: true }).map(
    (entry) => ({ text: entry.content, className: classOf(entry) }),
  );
}

type Entry = Pick<Anser.AnserJsonEntry, 'fg' | 'bg' | 'decorations'>;

const DECORATIONS: Readonly<Record<string, string>> = {
  bold: 'font-semibold',
  dim: 'opacity-75',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'line-through',
};

const NAMED = /^ansi-(bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/;

function classOf({ fg, bg, decorations }: Entry): string {
  const names = decorations.flatMap((name) => DECORATIONS[name] ?? []);
  // Of 256 and true colours only the sixteen named ones are kept: the rest read as plain text.
  if (NAMED.test(fg ?? '')) names.push(fg);
  if (bg) names.push('ansi-on');
  return names.join(' ');
}
