/** A tag with a type, up to its opening brace; what follows is read to the brace that closes it. */
const TYPED_TAG = /@\w+\s*\{/g;
const TYPE_IMPORT = /\bimport\s*\(\s*(["'`])([^"'`]+)\1/g;
/** `@import { T } from './a.js'`. */
const IMPORT_TAG = /@import\b[^"'@]*?\bfrom\s*(["'])([^"']+)\1/g;
/** Whether a text can hold any of them at all. */
const HINT = /\bimport\s*\(|@import\b/;

type DocImport = { specifier: string; at: number };

/**
 * The modules that a documentation comment of JavaScript takes types from. The compiler follows
 * them as it follows `import type`; an example in prose is none.
 */
export function docImports(comment: string): DocImport[] {
  if (!comment.startsWith('/**') || !HINT.test(comment)) return [];
  const inTypes = [...comment.matchAll(TYPED_TAG)].flatMap((tag) => {
    const start = tag.index + tag[0].length;
    const type = comment.slice(start, closingOf(comment, start));
    return [...type.matchAll(TYPE_IMPORT)].map((found) => docImport(found, start));
  });
  const tags = [...comment.matchAll(IMPORT_TAG)].map((found) => docImport(found, 0));
  return [...inTypes, ...tags];
}

const docImport = ({ 2: specifier = '', index }: RegExpExecArray, from: number): DocImport => ({
  specifier,
  at: from + index,
});

/** Where the brace before `start` is closed; the end where it never is. */
function closingOf(text: string, start: number): number {
  let open = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}' && --open === 0) return at;
  }
  return text.length;
}
