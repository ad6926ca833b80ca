import type { Presence } from '../../protocol/machine.ts';
import { cx } from '../lib/class-names.ts';
import { nameHere } from '../lib/command-name.ts';

const LOOKS: Record<Presence, { dot: string; word: string; meaning: string }> = {
  online: { dot: 'bg-accent', word: 'online', meaning: 'It was heard within the last 45 seconds.' },
  offline: {
    dot: 'border border-line-strong',
    word: 'offline',
    meaning:
      'Nothing was heard of it for 45 seconds. Start its runner with `pilothouse runner start`.',
  },
  unknown: {
    dot: 'border border-dashed border-line-strong',
    word: 'unknown',
    meaning: 'Not heard since Pilothouse started: it may be there or not.',
  },
};

/** Whether a machine is there, in one dot and, where it is not, one word. */
export function PresenceMark({ presence, name }: { presence: Presence; name?: string }) {
  const { dot, word, meaning } = LOOKS[presence];
  return (
    <span
      className="inline-flex items-center gap-1.5 whitespace-nowrap text-soft"
      title={nameHere(meaning)}
    >
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', dot)} />
      {name !== undefined && <span className="truncate">{name}</span>}
      {(name === undefined || presence !== 'online') && <span>{word}</span>}
    </span>
  );
}
