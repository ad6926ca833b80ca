import { cx } from '../lib/class-names.ts';
import type { VerdictLook } from './words.ts';

/** A verdict: its glyph, its word, its meaning on hover. Never colour alone. */
export function VerdictMark({ look }: { look: VerdictLook }) {
  return (
    <span
      className={cx('inline-flex items-center gap-1.5 whitespace-nowrap', look.className)}
      title={look.meaning}
    >
      <span aria-hidden className="figure w-3 text-center">
        {look.glyph}
      </span>
      {look.word}
    </span>
  );
}
