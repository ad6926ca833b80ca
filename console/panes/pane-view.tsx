import { Keyboard, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import type { PaneShown } from '../../protocol/panes.ts';
import { drivePane, letGoPane } from '../api/panes.ts';
import { sentenceOfCode, tellError } from '../errors.ts';
import { cx } from '../lib/class-names.ts';
import { PHONE, useMedia } from '../lib/use-media.ts';
import { usePress } from '../lib/use-press.ts';
import { api } from '../paths.ts';
import { KeyBar } from '../takeover/key-bar.tsx';
import { TerminalFrame } from '../takeover/terminal-frame.tsx';
import { type TerminalState, wordsBeside, wordsOver } from '../takeover/terminal-state.ts';
import { useTerminal } from '../takeover/use-terminal.ts';
import { Button } from '../ui/button.tsx';
import { usePaneLease } from './lease.ts';
import { Words } from '../ui/words.tsx';

type PaneViewProps = {
  runnerId: string;
  target: string;
  shown: PaneShown;
  /** Whether the machine lets anybody type here; null before it has said. */
  drive: boolean | null;
};

/** A terminal of a machine, live: everybody looks on, and one at a time types. */
export function PaneView({ runnerId, target, shown, drive }: PaneViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isPhone = useMedia(PHONE);
  const [lease, hold] = usePaneLease(target);
  const { state, press, ctrl, toggleCtrl } = useTerminal({
    host,
    path: api.paneSocket(runnerId, target),
    leaseKey: lease?.key ?? null,
    left: () => button.current?.focus(),
    own: true,
  });
  const drives = lease !== null && state.driving;
  const taken = state.driver !== null && !drives;
  const take = usePress({ mutationFn: () => drivePane(runnerId, target, taken), onSuccess: hold });
  const letGo = usePress({
    mutationFn: () => letGoPane(runnerId, target, lease?.key ?? null),
    onSettled: () => hold(null),
  });
  const error = take.error ?? letGo.error;
  const over = wordsOver(state, 'machine');
  const beside = wordsBeside(state, 'machine');
  return (
    <section aria-label="Terminal" className="flex min-h-0 flex-1 flex-col bg-sunken">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-paper px-4 py-1.5 text-sm">
        <output className="flex min-w-0 flex-1 flex-wrap gap-x-2">
          <strong className={cx('font-medium', drives ? 'text-accent' : 'text-ink')}>
            {wordsOfPane(state, drives)}
          </strong>
          <span className="text-soft">
            {drives ? 'Every key reaches the terminal.' : 'Nothing typed here reaches it.'}
            {drives && !isPhone && (
              <>
                {' '}
                <kbd>Ctrl ]</kbd> leaves the terminal.
              </>
            )}
            {shown === 'polled' && ' It is looked at once a second, as text without colours.'}
          </span>
          {beside !== null && <span className="text-amber">{beside}</span>}
          {error !== null && (
            <span role="alert" className="text-red">
              <Words text={tellError(error).sentence} />
            </span>
          )}
        </output>
        {drives ? (
          <Button
            ref={button}
            kind="primary"
            size="small"
            busy={letGo.isPending}
            onClick={() => letGo.mutate()}
          >
            <Undo2 /> Let go
          </Button>
        ) : (
          <Button
            ref={button}
            size="small"
            busy={take.isPending}
            reason={obstacle(drive, shown)}
            onClick={() => take.mutate()}
          >
            <Keyboard /> {taken ? 'Type instead of them' : 'Type here'}
          </Button>
        )}
      </div>
      <TerminalFrame host={host} over={over} />
      {isPhone && drives && <KeyBar press={press} ctrl={ctrl} toggleCtrl={toggleCtrl} />}
    </section>
  );
}

function wordsOfPane({ driver }: TerminalState, drives: boolean): string {
  if (drives) return 'You type here';
  if (driver === null) return 'You watch';
  return driver.channel === 'cli'
    ? 'Somebody types from a shell'
    : 'Somebody types in another window';
}

function obstacle(drive: boolean | null, shown: PaneShown): string | null {
  if (shown === 'polled')
    return 'This kind of terminal can be watched from here, not typed into. Type where it is.';
  return drive === false ? sentenceOfCode('terminal_drive_not_allowed') : null;
}
