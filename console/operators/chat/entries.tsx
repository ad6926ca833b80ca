import { formatCount } from '../../format/locale.ts';
import type { ChatCall, ChatEntry, ChatEvent } from '../../../protocol/operator-chat.ts';
import { Markdown } from '../../transcript/markdown.tsx';

type Called = Extract<ChatEvent, { type: 'called' }>;

const OUTCOMES: Record<Called['outcome'], { word: string; className: string }> = {
  done: { word: 'done', className: 'text-soft' },
  waited: { word: 'waited', className: 'text-soft' },
  refused: { word: 'refused by the machine', className: 'text-amber' },
  denied: { word: 'denied', className: 'text-amber' },
  unknown: { word: 'not known whether it happened', className: 'text-red' },
  not_done: { word: 'not done', className: 'text-soft' },
};

/** What was said and done, the oldest first; a call stands with what it came to. */
export function Entries({ entries }: { entries: readonly ChatEntry[] }) {
  const results = new Map<string, Called>();
  for (const { event } of entries) if (event.type === 'called') results.set(event.callId, event);
  return (
    <ol className="flex flex-col gap-3">
      {entries
        .filter(({ event }) => event.type !== 'called')
        .map(({ seq, event }) => (
          <li key={seq}>
            <Entry event={event} results={results} />
          </li>
        ))}
    </ol>
  );
}

function Entry({ event, results }: { event: ChatEvent; results: ReadonlyMap<string, Called> }) {
  switch (event.type) {
    case 'said':
      return (
        <p className="ml-8 rounded-md bg-sunken px-3 py-2 break-words whitespace-pre-wrap">
          {event.text}
        </p>
      );
    case 'answered':
      return (
        <div className="flex flex-col gap-1">
          {event.text !== '' && <Markdown text={event.text} />}
          {event.calls.map((call) => (
            <CallLine key={call.callId} call={call} result={results.get(call.callId) ?? null} />
          ))}
        </div>
      );
    case 'lost':
      return <p className="text-sm text-faint">An answer of its model was lost.</p>;
    case 'stopped':
      return <p className="text-sm text-soft">You stopped it.</p>;
    case 'halted':
      return <p className="text-sm text-amber">{event.reason}</p>;
    case 'called':
      return null;
    default:
      return event satisfies never;
  }
}

/** One call: its tool, what is in it, and what the model was shown of its end. */
function CallLine({ call, result }: { call: ChatCall; result: Called | null }) {
  const outcome = result && OUTCOMES[result.outcome];
  return (
    <details className="rounded-md border px-3 py-1 text-sm">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-2">
        <code className="font-medium">{call.name}</code>
        <code className="min-w-0 flex-1 truncate text-soft">{JSON.stringify(call.input)}</code>
        <span className={outcome?.className ?? 'text-faint'}>{outcome?.word ?? 'under way'}</span>
        {result && result.tokens > 0 && (
          <span className="text-faint" title="Each time that the model is asked, as an estimate.">
            ~{formatCount(result.tokens)} tokens
          </span>
        )}
      </summary>
      {result && (
        <pre className="max-h-80 overflow-auto py-2 whitespace-pre-wrap">{result.text}</pre>
      )}
    </details>
  );
}
