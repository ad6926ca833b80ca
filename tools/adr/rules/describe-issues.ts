import type { z } from 'zod';

/** How many letters must change to make `a` into `b` (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known word that `word` was probably meant to be, or null when none is near. */
export function suggest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best && best.far <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : null;
}

/**
 * What is wrong with a value, in one line. Unknown keys come with the key that was probably
 * meant, when `keysAt` knows what is possible at that place.
 */
export function describeIssues(
  error: z.ZodError,
  value: unknown,
  keysAt: (path: readonly PropertyKey[], value: unknown) => readonly string[] = () => [],
): string {
  return error.issues
    .map((issue) => {
      const at = issue.path.map(String).join('.');
      const where = at === '' ? '' : `\`${at}\`: `;
      if (issue.code !== 'unrecognized_keys') return `${where}${issue.message}`;
      const known = keysAt(issue.path, value);
      return issue.keys
        .map((key) => {
          const meant = suggest(key, known);
          const hint = meant
            ? `; did you mean \`${meant}\`?`
            : known.length > 0
              ? `; possible are ${known.join(', ')}`
              : '';
          return `${where}unknown key \`${key}\`${hint}`;
        })
        .join('; ');
    })
    .join('; ');
}
