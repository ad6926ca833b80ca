import { stripVTControlCharacters } from 'node:util';
import { type AllowedPrompt, asksForSecret, EXCERPT_MAX_CHARS } from '../../protocol/prompt.ts';

/** What is known of a process that may wait for a line: its last words, and what the system says. */
export type PromptLook = {
  /** Sizes in bytes tell one prompt from the same one asked again. */
  out: { text: string; size: number };
  err: { text: string; size: number };
  /** It reads its standard input at this moment; null where the system does not tell. */
  waits: boolean | null;
  /** Its standard input carries a protocol, so that it waits there between any two messages. */
  protocol: boolean;
  /** What it may be answered. */
  allowed: readonly AllowedPrompt[];
};

/** A prompt outside every protocol. `at` tells one asking from the next. */
export type Asked = { at: string } & (
  | { kind: 'offer'; prompt: AllowedPrompt }
  | { kind: 'block'; why: 'unknown' | 'secret'; excerpt: string }
);

/** How a line ends that waits for another one. */
const ENDS_LIKE_A_PROMPT =
  /[?:]\s*$|(^|\s)[>❯›$#%]\s*$|\[[^\]]{1,40}\]\s*[:>]?\s*$|\([^()]{0,40}[/|][^()]{0,40}\)\s*[:>]?\s*$|\bpress (enter|return|any key)\b/i;

/**
 * Decides whether an engine waits for words that no protocol carries. Never by silence: it must
 * have said something, and the system must show that it reads. Where the system cannot show that,
 * only the exact text of a prompt that somebody vouched for counts.
 */
export function decideAsked(look: PromptLook): Asked | null {
  if (look.waits === false) return null;
  const at = `${look.out.size}z${look.err.size}`;
  const line = lastLine(look.out.text);
  // What ends in a newline on the error output is a remark; a prompt leaves the cursor behind it.
  const remark = lastLine(look.err.text);
  const words = [line, remark?.ended ? null : remark].filter((each) => each !== null);
  for (const { text } of words) {
    const prompt = look.allowed.find((each) => each.text === text && !asksForSecret(text));
    if (prompt) return { at, kind: 'offer', prompt };
  }
  if (look.waits === null) return null;
  const asking = words.find(
    ({ text, ended }) =>
      !isMessage(text) && (!look.protocol || (!ended && ENDS_LIKE_A_PROMPT.test(text))),
  );
  if (!asking) return null;
  const source = asking === line ? look.out.text : look.err.text;
  const why = asksForSecret(asking.text) ? 'secret' : 'unknown';
  return { at, kind: 'block', why, excerpt: excerptOf(source) };
}

type Line = { text: string; ended: boolean };

/** The last line that says something, and whether a newline ended it. */
function lastLine(text: string): Line | null {
  const plain = shown(text);
  const line = plain.trimEnd().split('\n').at(-1)?.trim();
  return line ? { text: line, ended: /\n\s*$/.test(plain) } : null;
}

/** A message of a protocol, whole or begun. */
const isMessage = (text: string): boolean => /^[{[]\s*["{[\]}]/.test(text);

/** As a screen would show it: a line that was drawn over is what was drawn last. */
function shown(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n');
}

/** Its last words, without what a protocol said before them. */
function excerptOf(text: string): string {
  const lines = shown(text).trimEnd().split('\n').slice(-12);
  return lines
    .filter((line) => !isMessage(line.trim()))
    .join('\n')
    .slice(-EXCERPT_MAX_CHARS);
}
