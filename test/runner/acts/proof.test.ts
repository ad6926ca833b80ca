import { describe, expect, test } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';

/** What success and failure of the whole line would prove about its first act. */
function proofOf(line: string): string {
  const [act] = classifyCommand(line);
  if (!act) return 'no act';
  const proven = [
    act.provesDone ? 'success proves it' : '',
    act.provesNotDone ? 'failure refutes it' : '',
  ];
  return proven.filter(Boolean).join(', ') || 'nothing proven';
}

const BOTH = 'success proves it, failure refutes it';

const CASES: readonly (readonly [line: string, proof: string])[] = [
  ['git push', BOTH],
  ['cd x && git push', BOTH],
  ['cd x; git push', BOTH],
  ["bash -c 'git push'", BOTH],
  ['(git push)', BOTH],
  ['git push && echo done', 'success proves it'],
  ['git push; echo done', 'nothing proven'],
  ['set -e; git push; echo done', 'success proves it'],
  ['git push || true', 'failure refutes it'],
  ['git fetch || git push', 'failure refutes it'],
  ['git push && a || b', 'nothing proven'],
  ['a || b && git push', BOTH],
  ['git push &', 'nothing proven'],
  ['! git push', 'nothing proven'],
  ['git push | tee log', 'nothing proven'],
  ['set -o pipefail; git push | tee log', 'success proves it'],
  ['cat log | xargs git push', BOTH],
  ['if true; then git push; fi', 'nothing proven'],
  ['for b in x y; do git push; done', 'nothing proven'],
  ['echo $(git push)', 'nothing proven'],
  ['f() { git push; }; f', BOTH],
];

describe('what the status of a line proves about an act in it', () => {
  test.each(CASES)('%s: %s', (line, proof) => {
    expect(proofOf(line)).toBe(proof);
  });

  test('the act carries the simple command alone', () => {
    expect(
      classifyCommand("cd x && sudo -u y git push 'a b' && ls").map((act) => act.command),
    ).toEqual(["git push 'a b'"]);
  });
});
