import { CircleAlert, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { tokensOf } from '../../protocol/text.ts';
import type { TurnView } from '../../protocol/session-view.ts';
import { formatTokens, plural } from '../format/count.ts';
import { formatDuration } from '../format/time.ts';
import { cx } from '../lib/class-names.ts';
import { api } from '../paths.ts';
import { ImageThumb } from '../ui/image-thumb.tsx';
import { Spend } from '../ui/spend.tsx';
import { Ago } from '../ui/time.tsx';
import { describeDelivery } from './delivery.ts';

/** What somebody asked for, at the head of the work that it led to. */
export function TurnRow({
  sessionId,
  turn,
  number,
}: {
  sessionId: string;
  turn: TurnView;
  number: number;
}) {
  const lost = turn.delivery === 'undelivered' || turn.delivery === 'unknown';
  return (
    <div className="mt-3 border-t px-4 pt-3 pb-1">
      <div className="mb-1 flex flex-wrap items-center gap-x-2 text-sm text-faint">
        <span className="font-semibold whitespace-nowrap text-soft">Turn {number}</span>
        <Ago at={turn.startedAt ?? turn.acceptedAt} />
        {turn.briefed !== null && (
          <span title="The engine does not remember them. It was given a record of them before the instruction.">
            Briefed, not resumed · {plural(turn.briefed.turns, 'earlier turn')} in about{' '}
            {formatTokens(tokensOf(turn.briefed.chars))} tokens
          </span>
        )}
        {lost && turn.state === 'accepted' && (
          <span className="flex items-center gap-1 text-red">
            <CircleAlert /> {describeDelivery(turn, 'online')}
          </span>
        )}
      </div>
      {turn.text === null ? (
        <p className="text-soft italic">
          {turn.origin === 'terminal'
            ? 'A person drove in the engine’s own terminal.'
            : 'The engine began this turn by itself.'}
        </p>
      ) : (
        <p className="rounded-md border-l-2 border-accent bg-accent-wash px-3 py-2 text-md break-words whitespace-pre-wrap">
          {turn.text}
        </p>
      )}
      <TurnImages sessionId={sessionId} turn={turn} />
    </div>
  );
}

/** What the instruction came with. */
function TurnImages({ sessionId, turn: { images = [] } }: { sessionId: string; turn: TurnView }) {
  if (images.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {images.map((image, index) => (
        <ImageThumb
          key={image.imageId}
          address={api.image(sessionId, image.imageId)}
          name={`Image ${index + 1} of the instruction`}
        />
      ))}
    </div>
  );
}

const OUTCOMES: Record<NonNullable<TurnView['outcome']>, { word: string; className: string }> = {
  ok: { word: 'Turn done', className: 'text-soft' },
  failed: { word: 'Turn failed', className: 'text-red' },
  killed: { word: 'The engine died in this turn', className: 'text-red' },
  interrupted: { word: 'Interrupted', className: 'text-soft' },
  unknown: { word: 'How this turn ended is not known', className: 'text-red' },
};

const USAGE: Partial<Record<NonNullable<TurnView['usage']>, string>> = {
  none: 'The engine reported no usage for this turn.',
  unsettled: 'What this turn used is not settled.',
  unobservable: 'This engine cannot report usage. That is not zero.',
};

/** A turn's close: how it ended, how long it took, what it cost. */
export function TurnEndRow({ turn, fork = null }: { turn: TurnView; fork?: ReactNode }) {
  const outcome = OUTCOMES[turn.outcome ?? 'unknown'];
  const began = turn.startedAt ?? turn.acceptedAt;
  return (
    <div className="px-4 py-2 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-soft">
        <span className={cx('font-medium', outcome.className)}>{outcome.word}</span>
        {turn.endedAt !== null && (
          <span className="figure text-faint">{formatDuration(turn.endedAt - began)}</span>
        )}
        <Spend totals={turn.spend} wordy />
        {turn.acts > 0 && <span>{plural(turn.acts, 'act')}</span>}
        {turn.usage !== null && USAGE[turn.usage] !== undefined && (
          <span className="text-faint">{USAGE[turn.usage]}</span>
        )}
        {turn.actsObserved === 'unobservable' && turn.witnessed && (
          <span className="text-faint" title={turn.witnessed.places.join(', ')}>
            Acts witnessed only: {plural(turn.witnessed.refs, 'ref')} compared
          </span>
        )}
        {fork}
      </div>
      {turn.error && <p className="mt-1 break-words text-red">{turn.error.message}</p>}
    </div>
  );
}

/** An instruction that waits: shown at the end until its turn begins. */
export function QueuedRow({
  sessionId,
  turn,
  presence,
}: {
  sessionId: string;
  turn: TurnView;
  presence: 'online' | 'offline' | 'unknown';
}) {
  const lost = turn.delivery === 'undelivered' || turn.delivery === 'unknown';
  return (
    <div className="px-4 py-2" data-delivery={turn.delivery ?? 'accepted'}>
      <p className="rounded-md border border-dashed border-line-strong px-3 py-2 text-md break-words whitespace-pre-wrap text-soft">
        {turn.text}
      </p>
      <TurnImages sessionId={sessionId} turn={turn} />
      <p className={cx('mt-1 flex items-center gap-1.5 text-sm', lost ? 'text-red' : 'text-faint')}>
        {lost ? <CircleAlert /> : <Clock />}
        {describeDelivery(turn, presence)}
      </p>
    </div>
  );
}
