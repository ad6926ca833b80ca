import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TextItem } from '../feed/items.ts';
import type { LiveBlock } from '../feed/live-text.ts';
import { formatBytes } from '../format/bytes.ts';
import { LiveMarkdown, Markdown } from './markdown.tsx';

const VOICES = { narration: 'Narration', thinking: 'Thinking', answer: 'Answer' } as const;

/** What the engine said. What it thought on the way is one line until it is opened. */
export function TextRow({ item }: { item: TextItem }) {
  const { text, truncated } = item.text;
  const body = (
    <div className="prose-engine">
      <Markdown text={text} />
      {truncated !== null && (
        <p className="text-sm text-soft">Cut: the whole text has {formatBytes(truncated.bytes)}.</p>
      )}
    </div>
  );
  if (item.voice === 'answer') return <div className="px-4 py-2">{body}</div>;
  return (
    <Folded label={VOICES[item.voice]} preview={text}>
      {body}
    </Folded>
  );
}

/** Text that is still being written. */
export function LiveRow({ block }: { block: LiveBlock }) {
  if (block.kind === 'thinking') {
    const last = block.text.trimEnd().split('\n').at(-1) ?? '';
    return (
      <div className="flex min-h-8 items-center gap-2 px-4 text-sm text-faint">
        <span aria-hidden className="size-2 shrink-0 animate-pulse-live rounded-full bg-accent" />
        <span className="shrink-0">Thinking</span>
        <span className="min-w-0 truncate italic">{last}</span>
      </div>
    );
  }
  return (
    <div className="prose-engine px-4 py-2" aria-busy>
      {block.missing > 0 && <p className="text-sm text-faint">… the beginning follows</p>}
      <LiveMarkdown text={block.text} />
    </div>
  );
}

function Folded({
  label,
  preview,
  children,
}: {
  label: string;
  preview: string;
  children: ReactNode;
}) {
  return (
    <details className="group px-4">
      <summary className="flex h-8 items-center gap-2 text-sm text-faint hover:text-ink">
        <ChevronRight className="transition-transform duration-150 group-open:rotate-90" />
        <span className="shrink-0">{label}</span>
        <span className="min-w-0 truncate italic group-open:hidden">{preview.slice(0, 240)}</span>
      </summary>
      <div className="mb-2 border-l-2 pl-3 text-soft">{children}</div>
    </details>
  );
}
