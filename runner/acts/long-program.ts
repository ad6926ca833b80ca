import {
  COMMON,
  findStarted,
  HINTS,
  IMPORTED,
  type Language,
  MODULES,
  type Started,
} from './program-text.ts';
import type { Reading } from './reading.ts';
import { WORD_MAX_CHARS } from './scope.ts';

/** A name that is called, which may start a command. Wider than what counts as one in the end. */
const CALLS =
  /\b(?:system|popen|get(?:status)?output|create_subprocess_(?:shell|exec)|exec(?:[lv]p?e?|a|File|aCommand)?(?:Sync)?|spawn(?:[lv]p?e?|Sync)?|run|call|check_(?:call|output)|Popen)\s{0,8}\(|(?<=(?:\b(?:await|return|yield)|[=(,:;?&|>{}])\s{0,4})\$(?=`)/g;
/** What stands before such a name, if that can be read backwards. */
const RECEIVER = /(?:\b[\w$]+\(["'][\w:/-]{1,40}["']\)|[\w$][\w$.?]{0,80})\.\s{0,8}$/;
const RECEIVER_CHARS = 130;
/** Names that are given a text or a list; what else they are given is worked out at run time. */
const VALUES = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,8}=\s{0,8}(?=["'`[]|[rf]["'])/g;
const IMPORTS = /\b(?:import|from)\s+(?:subprocess|os)\b(?:\s+import\b)?|\bchild_process\b/g;
/** Where code begins, which is no word of a command. */
const CODE = /\{|=>|\b(?:function|async|lambda|new)\b/;
const NAMES = /[A-Za-z_$][\w$]*/g;
/** A call with more in it is not one that is written for its command alone. */
const MAX_CALL = 4_096;
const MAX_VALUE = 2_048;
const MAX_NAMES = 8;
/** How many characters are looked over for one unit, and what a piece costs beside its length. */
const CHARS_A_UNIT = 4;
const PIECE_UNITS = 200;

/**
 * The same as {@link findStarted} of a text that is too long to be parsed as a whole: of its calls
 * alone, with what the names in them stand for. Where each stands is not known, so that all of it
 * is doubtful.
 */
export function findStartedInLong(
  language: Language,
  text: string,
  reading: Reading,
): Started[] | null {
  if (!HINTS[language].test(text)) return [];
  const digest = digestOf(language, text, reading);
  const found = findStarted(language, digest.text, reading);
  if (!found) return null;
  const doubtful = found.map((each): Started =>
    each.kind === 'unseen' ? each : { ...each, doubtful: true, proven: false },
  );
  return digest.cut ? [...doubtful, { kind: 'unseen' }] : doubtful;
}

function digestOf(
  language: Language,
  text: string,
  reading: Reading,
): { text: string; cut: boolean } {
  reading.spend(text.length / CHARS_A_UNIT);
  const isImported = IMPORTED.test(text);
  const mark = language === 'python' ? '#' : '//';
  const imports = [...new Set(text.match(IMPORTS))].map((each) => `${mark} ${each}`);
  const defined = new Set<string>();
  let values: ReadonlyMap<string, string> | null = null;
  let digest = `${imports.join('\n')}\n`;
  for (const { 0: call, index } of text.matchAll(CALLS)) {
    reading.spend(PIECE_UNITS);
    const before = text.slice(Math.max(0, index - RECEIVER_CHARS), index);
    const receiver = RECEIVER.exec(before)?.[0] ?? farReceiver(before);
    const isCommon = COMMON.test(call.replace(/\s*\($/, ''));
    if (isCommon && (receiver === '' ? !isImported : !MODULES.test(receiver))) continue;
    // What is reached through something else is not called on its own.
    if (isCommon && receiver === '' && before.endsWith('.')) continue;
    const piece = pieceOf(text, index, index + call.length - (call === '$' ? 0 : 1), reading);
    if (piece === null) return { text: digest, cut: true };
    for (const name of new Set((piece.match(NAMES) ?? []).slice(0, MAX_NAMES))) {
      values ??= valuesOf(text, reading);
      const value = values.get(name);
      if (value === undefined || defined.has(name)) continue;
      defined.add(name);
      digest += `${language === 'python' ? '' : 'const '}${name} = ${value}\n`;
    }
    digest += `${receiver}${piece}\n`;
    if (digest.length >= WORD_MAX_CHARS)
      return { text: digest.slice(0, digest.lastIndexOf(receiver + piece)), cut: true };
  }
  return { text: digest, cut: false };
}

/** The module that a call is reached through over lines or brackets; '' where none is seen near it. */
function farReceiver(before: string): string {
  const [said] = /\.\s*$/.test(before) ? (before.match(MODULES) ?? []) : [];
  return said === undefined ? '' : `${said}.`;
}

/** A call as a whole; of one that is given much code, what it is given before that. */
function pieceOf(text: string, index: number, open: number, reading: Reading): string | null {
  const end = endOf(text, open, MAX_CALL, reading);
  if (end !== null) return text.slice(index, end);
  const start = text.slice(index, index + MAX_CALL);
  const code = start.search(CODE);
  return code < 0 ? null : `${start.slice(0, code)} 0)`;
}

/** What names are given, each where that happens once. */
function valuesOf(text: string, reading: Reading): Map<string, string> {
  reading.spend(text.length / CHARS_A_UNIT);
  const values = new Map<string, string>();
  const twice = new Set<string>();
  for (const { 0: head, 1: name = '', index } of text.matchAll(VALUES)) {
    if (values.has(name)) twice.add(name);
    if (twice.has(name)) continue;
    const from = index + head.length;
    const end = endOf(text, /["'`[]/.test(text[from] ?? '') ? from : from + 1, MAX_VALUE, reading);
    if (end !== null) values.set(name, text.slice(from, end));
  }
  for (const name of twice) values.delete(name);
  return values;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Where what opens at `from` is closed again; null where it is not within `most` characters. */
function endOf(text: string, from: number, most: number, reading: Reading): number | null {
  const open: string[] = [];
  const until = Math.min(text.length, from + most);
  let at = from;
  for (; at < until; at++) {
    const letter = text[at] ?? '';
    const last = open.at(-1);
    if (last === '"' || last === "'" || last === '`') {
      if (letter === '\\') at += 1;
      else if (letter === last) open.pop();
    } else if (letter === last) open.pop();
    else if (letter === '"' || letter === "'" || letter === '`') open.push(letter);
    else if (CLOSING[letter] !== undefined) open.push(CLOSING[letter]);
    if (open.length === 0) break;
  }
  reading.spend(at - from);
  return at < until ? at + 1 : null;
}
