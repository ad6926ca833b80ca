import { useRef } from 'react';
import type { SessionView } from '../../protocol/session-view.ts';
import { cx } from '../lib/class-names.ts';
import { PHONE, useMedia } from '../lib/use-media.ts';
import { api } from '../paths.ts';
import { KeyBar } from './key-bar.tsx';
import { wordsOfDriver } from './offer.ts';
import { TerminalFrame } from './terminal-frame.tsx';
import { wordsBeside, wordsOver } from './terminal-state.ts';
import { useTerminal } from './use-terminal.ts';

type TerminalPanelProps = {
  sessionId: string;
  takeover: NonNullable<SessionView['takeover']>;
  leaseKey: string | null;
  /** The person wants out of the terminal by keyboard. */
  left: () => void;
};

/** The engine's own terminal: its driver's keys go there, everybody else looks on. */
export function TerminalPanel({ sessionId, takeover, leaseKey, left }: TerminalPanelProps) {
  const host = useRef<HTMLDivElement>(null);
  const isPhone = useMedia(PHONE);
  const { state, press, ctrl, toggleCtrl } = useTerminal({
    host,
    path: api.terminal(sessionId),
    leaseKey,
    left,
  });
  const drives = leaseKey !== null && !state.demoted;
  const over = wordsOver(state);
  const beside = wordsBeside(state);
  return (
    <section aria-label="Terminal" className="flex min-h-0 flex-1 flex-col bg-sunken">
      <output className="flex flex-wrap gap-x-2 border-b bg-paper px-4 py-1.5 text-sm">
        <strong className={cx('font-medium', drives ? 'text-accent' : 'text-ink')}>
          {drives ? 'You drive' : wordsOfDriver(takeover)}
        </strong>
        <span className="text-soft">
          {drives
            ? over === null && state.driving
              ? 'Every key reaches the engine.'
              : 'Keys reach the engine once its terminal is shown.'
            : 'You watch; nothing typed here reaches it.'}
          {drives && !isPhone && (
            <>
              {' '}
              <kbd>Ctrl ]</kbd> leaves the terminal.
            </>
          )}
        </span>
        {beside !== null && <span className="text-amber">{beside}</span>}
      </output>
      <TerminalFrame host={host} over={over} />
      {isPhone && drives && <KeyBar press={press} ctrl={ctrl} toggleCtrl={toggleCtrl} />}
    </section>
  );
}
