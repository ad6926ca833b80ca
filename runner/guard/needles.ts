import { SECRET_MIN_CHARS, type Secret } from './secrets.ts';

/** One form of a secret to look for. */
export type Needle = { text: string; name: string };

/** A line of a long secret counts by itself: tools print files with line numbers between. */
const LINE_MIN_CHARS = 16;

/**
 * Every form in which a secret is looked for: as it is, escaped once and twice for JSON, encoded
 * for addresses and forms, in base64 at each of the three places where it can stand inside a
 * longer text, and, when it has several lines, line by line.
 */
export function needlesOf(secrets: readonly Secret[]): Needle[] {
  const found = new Map<string, string>();
  for (const { name, value } of secrets) {
    for (const text of formsOf(value)) {
      if (text.length >= SECRET_MIN_CHARS && !found.has(text)) found.set(text, labelOf(name));
    }
  }
  return [...found].map(([text, name]) => ({ text, name }));
}

/** The name as it can stand between brackets and in one line. */
function labelOf(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '_').slice(0, 80) || 'secret';
}

function formsOf(value: string): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const parts =
    lines.length > 1
      ? lines.filter((line) => line.length >= LINE_MIN_CHARS && !line.startsWith('-----'))
      : [];
  return [trimmed, ...parts].flatMap((text) => [
    text,
    ...escapedForms(text),
    ...encodedForms(text),
    ...base64Forms(text),
  ]);
}

function escapedForms(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1);
  return [once, JSON.stringify(once).slice(1, -1), once.replaceAll('/', '\\/')];
}

function encodedForms(text: string): string[] {
  // An unpaired surrogate has no encoding, hence no encoded form to look for.
  if (!text.isWellFormed()) return [];
  const encoded = encodeURIComponent(text);
  // Python and forms encode marks that JavaScript leaves; some encoders write small letters.
  const strict = encoded.replaceAll(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const spaced = strict.replaceAll('%20', '+');
  const forms = [encoded, strict, spaced, form, strict.replaceAll('%2F', '/'), encodeURI(text)];
  return forms.flatMap((form) => [
    form,
    form.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  ]);
}

/** Base64 at three alignments, without the characters that depend on what stands beside. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const start = Math.ceil((before * 8) / 6);
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const inner = encoded.slice(start, whole);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
