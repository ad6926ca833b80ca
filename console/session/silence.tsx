import { useState } from 'react';
import type { SessionView } from '../../protocol/session-view.ts';
import { silenceOf, silentUntil } from '../../protocol/silence.ts';
import type { LiveText } from '../feed/live-text.ts';
import { formatAbsolute, formatDuration } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';

/** Shorter pauses are a model that thinks. */
const SHOWN_AFTER_MS = 30_000;

/** For how long an engine at work has said nothing, and when that would end it. */
export function Silence({ view, live }: { view: SessionView; live: LiveText }) {
  const now = useNow('second');
  // Live text is not in the record, so that its time is when it came here.
  const [heard, setHeard] = useState({ live, at: live.size > 0 ? now : 0 });
  if (heard.live !== live) setHeard({ live, at: live.size > 0 ? now : heard.at });
  const told = silenceOf(view);
  const since = Math.max(told.heardAt, heard.at);
  const silentMs = now - since;
  const until = silentUntil({ ...told, heardAt: since });
  if (until === null || silentMs < SHOWN_AFTER_MS) return null;
  return (
    <span
      className="figure text-faint"
      title={`Last output ${formatAbsolute(since)}. A build may be silent for long; only an engine that hangs is ended.`}
    >
      silent for {formatDuration(Math.floor(silentMs / 1_000) * 1_000)}, ended at{' '}
      {formatDuration(told.noOutputMs)}
    </span>
  );
}
