import { useMemo, useState } from 'react';
import type { CappedText } from '../../protocol/text.ts';
import { readToolOutput } from '../api/requests.ts';
import { tellError } from '../errors.ts';
import { formatBytes } from '../format/bytes.ts';
import { plural } from '../format/count.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { parseAnsi } from './ansi.ts';
import { Words } from '../ui/words.tsx';

/** Longer output shows its head and its tail until all of it is asked for, in lines. */
const FOLD_OVER = 40;
const HEAD = 20;
const TAIL = 12;

/** What a program printed, in its own colours as far as the theme has them. */
export function Terminal({ text }: { text: string }) {
  const spans = useMemo(() => parseAnsi(text), [text]);
  return (
    <pre className="terminal-text">
      {spans.map((span, index) => (
        <span key={index} className={span.className}>
          {span.text}
        </span>
      ))}
    </pre>
  );
}

/** Head and tail of a long text, with the number of lines between them; null when it is short. */
export function foldLines(text: string): { head: string; tail: string; hidden: number } | null {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= FOLD_OVER) return null;
  const hidden = lines.length - HEAD - TAIL;
  return {
    head: lines.slice(0, HEAD).join('\n'),
    tail: lines.slice(-TAIL).join('\n'),
    hidden,
  };
}

type OutputProps = { sessionId: string; toolId: string; output: CappedText };

/** What a tool printed. The part that the record does not hold is fetched from the machine. */
export function ToolOutput({ sessionId, toolId, output }: OutputProps) {
  const [all, setAll] = useState(false);
  const fetchWhole = usePress({ mutationFn: () => readToolOutput(sessionId, toolId) });
  const text = fetchWhole.data?.text ?? output.text;
  if (text === '') return <p className="px-3 py-2 text-sm text-faint">It printed nothing.</p>;
  const fold = all ? null : foldLines(text);
  const cut = output.truncated !== null && !fetchWhole.data;
  return (
    <div className="px-3 py-2">
      {fold ? (
        <>
          <Terminal text={fold.head} />
          <div className="my-1">
            <Button size="small" kind="quiet" onClick={() => setAll(true)}>
              Show {plural(fold.hidden, 'more line')}
            </Button>
          </div>
          <Terminal text={fold.tail} />
        </>
      ) : (
        <Terminal text={text.replace(/\n$/, '')} />
      )}
      {cut && (
        <div className="mt-1 flex flex-wrap items-center gap-2 text-sm text-soft">
          <span>The record holds a part of {formatBytes(output.truncated?.bytes ?? 0)}.</span>
          <Button size="small" busy={fetchWhole.isPending} onClick={() => fetchWhole.mutate()}>
            Show full output
          </Button>
        </div>
      )}
      {fetchWhole.isError && (
        <p role="alert" className="mt-1 text-sm text-red">
          <Words text={tellError(fetchWhole.error).sentence} />
        </p>
      )}
    </div>
  );
}
