import { lazy, type ReactNode, Suspense } from 'react';
import type { SessionView } from '../../protocol/session-view.ts';
import { SessionActions } from '../session/session-actions.tsx';
import { Button } from '../ui/button.tsx';
import { HAND_BACK_ID } from './take-over.tsx';

/** Only who meets a terminal loads the code that draws one. */
const TerminalPanel = lazy(async () => {
  try {
    return { default: (await import('./terminal-panel.tsx')).TerminalPanel };
  } catch {
    return { default: Unloaded };
  }
});

type DrivenProps = {
  view: SessionView;
  leaseKey: string | null;
  takeOver: ReactNode;
  /** The transcript, which stands in the terminal's place when the person wants it. */
  transcript: ReactNode;
  showsTranscript: boolean;
  toggle: () => void;
};

/** What stands in the place of transcript and composer while a person drives with keys. */
export function Driven(props: DrivenProps) {
  const { view, leaseKey, takeOver, transcript, showsTranscript, toggle } = props;
  return (
    <>
      {showsTranscript || !view.takeover ? (
        transcript
      ) : (
        <Suspense fallback={<p className="flex-1 p-4 text-soft">Opening the terminal …</p>}>
          <TerminalPanel
            sessionId={view.sessionId}
            takeover={view.takeover}
            leaseKey={leaseKey}
            left={() => document.getElementById(HAND_BACK_ID)?.focus()}
          />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t bg-paper px-3 py-2 md:px-4">
        {takeOver}
        <Button onClick={toggle}>{showsTranscript ? 'Terminal' : 'Transcript'}</Button>
        <SessionActions view={view} only="stop" />
      </div>
    </>
  );
}

function Unloaded() {
  return (
    <p role="alert" className="flex-1 p-4 text-red">
      The part of this page that draws a terminal could not be loaded. Reload the page; the engine’s
      terminal stays open meanwhile.
    </p>
  );
}
