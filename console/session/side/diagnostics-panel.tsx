import type { SessionView } from '../../../protocol/session-view.ts';
import type { EventOf } from '../../../protocol/engine-event.ts';
import type { Item, NoteItem } from '../../feed/items.ts';
import { Terminal } from '../../transcript/output.tsx';
import { Ago } from '../../ui/time.tsx';
import { findProcess } from '../by-hand.tsx';
import { LaunchStages } from '../launch-progress.tsx';
import { ByHand } from './by-hand.tsx';
import { Facts, Heading, Nothing } from './facts.tsx';
import { Save } from './save.tsx';
import { ModelCallsLine } from './model-calls.tsx';

type NoteOf<T extends NoteItem['event']['type']> = { at: number; key: string; event: EventOf<T> };

/** The notes of one kind, in their order. */
export function listNotes<T extends NoteItem['event']['type']>(
  items: readonly Item[],
  type: T,
): NoteOf<T>[] {
  return items.flatMap((item) =>
    item.kind === 'note' && item.event.type === type
      ? [{ at: item.at, key: item.key, event: item.event as EventOf<T> }]
      : [],
  );
}

/** How the engine runs: its process, its login, what it said on the side, how it ended. */
export function DiagnosticsPanel({ view, items }: { view: SessionView; items: readonly Item[] }) {
  const process = findProcess(items);
  const exit = listNotes(items, 'engine/exited').at(-1);
  const notices = listNotes(items, 'notice/raised');
  const { engine } = view;
  return (
    <>
      <Save sessionId={view.sessionId} />
      <Heading>Launch</Heading>
      <LaunchStages view={view} />
      <div className="mt-2">
        <Facts
          facts={[
            ['Engine', `${view.launch.engineId} ${engine?.version ?? ''}`],
            ['Model', engine?.model ?? view.launch.model ?? 'the engine’s own choice'],
            ['Credential', engine?.credential ?? 'not known'],
            ['Paid by', engine?.payer ?? 'not known'],
            ['Model calls', <ModelCallsLine key="m" model={view.model} />],
            ['Conversation', <code key="c">{engine?.engineSessionId ?? 'none yet'}</code>],
            ['Session', <code key="s">{view.sessionId}</code>],
            ...(process
              ? [
                  [
                    'Process',
                    <span key="p" className="figure">
                      {process.pid}
                    </span>,
                  ] as const,
                ]
              : []),
          ]}
        />
      </div>
      {process && <ByHand process={process} view={view} />}
      <Heading>Notices</Heading>
      {notices.length === 0 && <Nothing>None.</Nothing>}
      <ul className="space-y-1">
        {notices.map(({ key, at, event }) => (
          <li key={key} className={event.level === 'error' ? 'text-red' : 'text-soft'}>
            {event.message} <Ago at={at} className="text-sm text-faint" />
          </li>
        ))}
      </ul>
      {exit && (
        <>
          <Heading>Last process ended</Heading>
          <Facts
            facts={[
              ['When', <Ago key="w" at={exit.at} />],
              ['Exit code', exit.event.exitCode ?? 'none'],
              ['Signal', exit.event.signal ?? 'none'],
              ['Asked for', exit.event.expected ? 'yes' : 'no, it ended by itself'],
            ]}
          />
          {exit.event.stderrTail.length > 0 && (
            <div className="mt-2 overflow-x-auto rounded-md border bg-sunken px-3 py-2">
              <Terminal text={exit.event.stderrTail.join('\n')} />
            </div>
          )}
        </>
      )}
    </>
  );
}
