import { cx } from '../lib/class-names.ts';

/** What an operator may do, one sentence a line; what it may not is quieter. */
export function Sentences({ label, words }: { label: string; words: readonly string[] }) {
  return (
    <ul aria-label={label} className="space-y-0.5">
      {words.map((word) => (
        <li key={word} className={cx(word.startsWith('May not') && 'text-soft')}>
          {word}
        </li>
      ))}
    </ul>
  );
}
