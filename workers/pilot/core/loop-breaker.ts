import type { Evidence } from '../../../protocol/pilot.ts';

/** What is remembered of a turn to see whether the run moves. */
export type TurnMark = {
  /** Names the instruction. */
  instruction: string;
  /** Names what failed when it was looked at afterwards; null before that, or when nothing did. */
  failing: string | null;
  /** Names what the files became; null when none changed. */
  changes: string | null;
  /** What git had of the work then; absent in states of earlier versions. */
  tip?: string | null;
  acts: number;
};

/**
 * A short name of a text that differs from another one only in numbers, times and spaces: a
 * duration in a test's output does not make it another failure. Not for secrets (cyrb53).
 */
export function fingerprint(text: string): string {
  const plain = text
    .replaceAll(/[0-9]+/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < plain.length; index++) {
    const code = plain.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** Names what fails of the evidence; null when nothing does. */
export function failingOf(evidence: readonly Evidence[]): string | null {
  const failing = evidence.filter(({ passed }) => !passed);
  if (failing.length === 0) return null;
  return fingerprint(failing.map(({ command, tail }) => `${command}\n${tail}`).join('\n'));
}

/**
 * Why the run does not move, as a sentence; null while it does. Independent of the cause:
 * `turns` turns without a file changed and without an act; or twice as many in which the same
 * instruction met the same failure, whatever was written meanwhile.
 */
export function stallOf(marks: readonly TurnMark[], turns: number): string | null {
  const still = marks.slice(-turns);
  if (still.length === turns && still.every(({ changes, acts }) => changes === null && acts === 0))
    return `The last ${turns} turns changed no file and did nothing else that counts.`;
  const circle = marks.slice(-2 * turns);
  const [first] = circle;
  if (!first || circle.length < 2 * turns || first.failing === null) return null;
  const same = circle.every(
    ({ instruction, failing }) => instruction === first.instruction && failing === first.failing,
  );
  return same
    ? `The same instruction met the same failure ${2 * turns} times, whatever was changed.`
    : null;
}

/** Adds to the last turn what failed when it was looked at afterwards. */
export function markFailing(
  marks: readonly TurnMark[],
  failing: string | null,
): readonly TurnMark[] {
  const last = marks.at(-1);
  return last ? [...marks.slice(0, -1), { ...last, failing }] : marks;
}

/** The marks with one more, no more of them than {@link stallOf} looks at. */
export function remember(
  marks: readonly TurnMark[],
  mark: TurnMark,
  turns: number,
): readonly TurnMark[] {
  return [...marks, mark].slice(-2 * turns);
}
