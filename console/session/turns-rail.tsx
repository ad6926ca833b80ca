import { memo } from 'react';
import type { TurnView } from '../../protocol/session-view.ts';
import { nameOfTurn } from '../../protocol/turn-name.ts';
import { cx } from '../lib/class-names.ts';
import { Spend } from '../ui/spend.tsx';

type Mark = { look: string; word: string };

/** A turn's mark: hollow waits, pulsing works, full is over, red went wrong. */
export function markOfTurn(turn: Pick<TurnView, 'state' | 'outcome' | 'delivery'>): Mark {
  if (turn.state === 'started') return { look: 'bg-accent animate-pulse-live', word: 'works' };
  if (turn.state === 'accepted') {
    return turn.delivery === 'undelivered' || turn.delivery === 'unknown'
      ? { look: 'border border-red', word: 'not delivered' }
      : { look: 'border border-dashed border-line-strong', word: 'waits' };
  }
  if (turn.outcome === 'ok') return { look: 'bg-line-strong', word: 'done' };
  if (turn.outcome === 'interrupted')
    return { look: 'border border-line-strong', word: 'interrupted' };
  return { look: 'bg-red', word: turn.outcome ?? 'not known' };
}

type TurnRowProps = {
  turn: TurnView;
  number: number;
  showTurn: (turnId: string) => void;
};

/** Every turn with its cost, and the way to it. Of a thousand, those out of sight cost nothing. */
export function TurnsRail({
  turns,
  showTurn,
}: {
  turns: readonly TurnView[];
  showTurn: (turnId: string) => void;
}) {
  return (
    <nav
      aria-label="Turns"
      className="hidden w-36 shrink-0 overflow-y-auto border-r py-2 contain-strict lg:block"
    >
      <ol>
        {turns.map((turn, index) => (
          <TurnRow key={turn.turnId} turn={turn} number={index + 1} showTurn={showTurn} />
        ))}
      </ol>
    </nav>
  );
}

const TurnRow = memo(function TurnRow({ turn, number, showTurn }: TurnRowProps) {
  const { look, word } = markOfTurn(turn);
  return (
    <li className="flex h-8 items-center gap-2 pr-3 [contain-intrinsic-size:auto_32px] [content-visibility:auto] hover:bg-sunken">
      <button
        type="button"
        onClick={() => showTurn(turn.turnId)}
        title={nameOfTurn(turn)}
        className="flex h-full flex-1 items-center gap-2 pl-4"
      >
        <span className="figure w-4 text-right text-faint">{number}</span>
        <span aria-hidden className={cx('size-2 rounded-full', look)} />
        <span className="sr-only">
          Turn {number}, {word}
        </span>
      </button>
      {Object.keys(turn.spend).length > 0 && (
        <span className="text-sm">
          <Spend totals={turn.spend} />
        </span>
      )}
    </li>
  );
});
