/** What the real remote did with one ref. */
export type PushAnswer = { kind: 'done' } | { kind: 'refused'; reason: string };

/**
 * Parses `git push --porcelain`: a flag, the refs and a summary per line (git-push(1), OUTPUT).
 * A ref that is not in it has no answer.
 */
export function parsePushOutput(output: string): Map<string, PushAnswer> {
  const answers = new Map<string, PushAnswer>();
  for (const line of output.split('\n')) {
    const match = /^([ +*=!-])\t[^\t]*:(refs\/[^\t]+)\t(.*)$/.exec(line);
    if (!match) continue;
    const [, flag, ref = '', summary = ''] = match;
    answers.set(
      ref,
      flag === '!' ? { kind: 'refused', reason: reasonIn(summary) } : { kind: 'done' },
    );
  }
  return answers;
}

/** `[remote rejected] (pre-receive hook declined)`: what stands in the parentheses, else all of it. */
function reasonIn(summary: string): string {
  return /\(([^()]*(?:\([^()]*\))?[^()]*)\)\s*$/.exec(summary)?.[1] ?? summary;
}
