import { ChevronRight } from 'lucide-react';
import type { ToolItem } from '../feed/items.ts';
import { plural } from '../format/count.ts';
import { formatDuration } from '../format/time.ts';
import { cx } from '../lib/class-names.ts';
import { useNow } from '../lib/use-now.ts';
import { ActMark } from './act-mark.tsx';
import { DiffCount, FileChange } from './diff.tsx';
import { ToolOutput } from './output.tsx';
import { useShorten } from './shorten.ts';
import { ToolInputView } from './tool-input.tsx';

type Ended = NonNullable<ToolItem['ended']>;

const OUTCOMES: Record<Ended['outcome'], { word: string; className: string } | null> = {
  ok: null,
  failed: { word: 'failed', className: 'text-red' },
  denied: { word: 'denied', className: 'text-soft' },
  interrupted: { word: 'interrupted', className: 'text-soft' },
  unknown: { word: 'outcome not known', className: 'text-soft' },
};

type ToolRowProps = {
  item: ToolItem;
  sessionId: string;
  open: boolean;
  /** How many steps of a subagent belong to it. */
  steps: number;
  /** It does nothing before somebody allows it. */
  waiting: boolean;
  toggle: () => void;
};

/** A tool call: one line until it is opened, then what went in and what came out. */
export function ToolRow({ item, sessionId, open, steps, waiting, toggle }: ToolRowProps) {
  const { ended, name, summary, acts } = item;
  const shorten = useShorten();
  return (
    <div className="px-2">
      <button
        type="button"
        aria-expanded={open}
        onClick={toggle}
        className="flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-sunken"
      >
        <ChevronRight
          className={cx('text-faint transition-transform duration-150', open && 'rotate-90')}
        />
        <span className="shrink-0 font-medium">{name}</span>
        <code className="min-w-0 flex-1 truncate text-sm text-soft">{shorten(summary)}</code>
        {steps > 0 && <span className="shrink-0 text-sm text-faint">{plural(steps, 'step')}</span>}
        {ended?.files.length === 1 && ended.files[0] && <DiffCount file={ended.files[0]} />}
        {ended ? (
          <EndedFacts ended={ended} />
        ) : waiting ? (
          <span className="shrink-0 text-sm text-amber">waits for you</span>
        ) : (
          <Running since={item.at} />
        )}
      </button>
      {acts.length > 0 && (
        <div className="flex flex-wrap gap-1 pb-1 pl-8">
          {acts.map((marked) => (
            <ActMark key={marked.act.actId} marked={marked} waiting={waiting} />
          ))}
        </div>
      )}
      {open && <Contents item={item} sessionId={sessionId} />}
    </div>
  );
}

function EndedFacts({ ended }: { ended: Ended }) {
  const outcome = OUTCOMES[ended.outcome];
  const { exitCode } = ended;
  return (
    <span className="flex shrink-0 items-center gap-3 text-sm">
      {outcome && <span className={outcome.className}>{outcome.word}</span>}
      {exitCode !== null && (
        <span className={cx('figure', exitCode === 0 ? 'text-faint' : 'text-red')}>
          exit {exitCode}
        </span>
      )}
      <span className="figure hidden min-w-12 text-right text-faint sm:inline">
        {formatDuration(ended.durationMs)}
      </span>
    </span>
  );
}

function Running({ since }: { since: number }) {
  const now = useNow('second');
  return (
    <span className="flex shrink-0 items-center gap-2 text-sm text-accent">
      <span aria-hidden className="size-2 animate-pulse-live rounded-full bg-accent" />
      <span className="sr-only">running for</span>
      <span className="figure min-w-12 text-right">
        {formatDuration(Math.max(0, Math.floor((now - since) / 1_000) * 1_000))}
      </span>
    </span>
  );
}

function Contents({ item, sessionId }: { item: ToolItem; sessionId: string }) {
  const { ended } = item;
  const changed = (ended?.files.length ?? 0) > 0;
  return (
    <div className="mr-2 mb-2 ml-8 overflow-hidden rounded-md border bg-raised">
      {/* A diff says what the input of an edit says, and better. */}
      {!changed && <ToolInputView input={item.input} />}
      {ended?.files.map((file) => (
        <FileChange key={file.path} file={file} />
      ))}
      {ended && !(changed && ended.outcome === 'ok') && (
        <div className={cx(!changed && 'border-t')}>
          <ToolOutput sessionId={sessionId} toolId={item.toolId} output={ended.output} />
        </div>
      )}
    </div>
  );
}
