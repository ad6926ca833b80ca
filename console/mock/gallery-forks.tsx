import { forkedInto, forkRequest } from '../../protocol/fork.ts';
import { earlierWork } from '../../protocol/story.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { ForkFacts } from '../launch/earlier.tsx';
import { ForkedInto, GoesOnFrom } from '../session/go-on.tsx';
import { Served } from '../session/side/preview-panel.tsx';
import { ForkHere } from '../transcript/fork-here.tsx';
import { sessionId } from '../../protocol/ids.ts';
import { MockRecord } from './record.ts';
import { aRunner, eventsAfterApproval, eventsUntilApproval, TURN } from './sentinels.ts';

const { view: VIEW } = new MockRecord(
  sessionId.parse('ses_gallery'),
  [...eventsUntilApproval(), ...eventsAfterApproval()],
  1_700_000_000_000,
);
const [TURN_OVER] = VIEW.turns;
const { machine: MACHINE } = aRunner();
const NOW = forkRequest.parse({ turnId: null });
const FORKED = forkedInto.parse({ sessionId: 'ses_fork', turnId: TURN, number: 1 });

/** A session that is a fork, its engine going on in a copy of the conversation or told the record. */
const forkOf = (briefed: SessionView['turns'][number]['briefed']): SessionView => ({
  ...VIEW,
  launch: {
    ...VIEW.launch,
    from: earlierWork.parse({
      sessionId: 'ses_before',
      branch: null,
      story: [],
      fork: { turnId: TURN, number: 1, nextTurnId: null, filesNow: true },
    }),
  },
  turns: VIEW.turns.map((turn) => ({ ...turn, briefed })),
});

/** Where a fork begins, what it came from and what came of it, and why there is none. */
export function GalleryForks() {
  const facts = { view: VIEW, machine: MACHINE, fork: NOW };
  return (
    <div className="space-y-2">
      {TURN_OVER && <ForkHere view={VIEW} turn={TURN_OVER} number={1} />}
      <p>
        <GoesOnFrom view={forkOf(null)} />
      </p>
      <p>
        <GoesOnFrom view={forkOf({ turns: 1, chars: 900 })} />
      </p>
      <p>
        <ForkedInto view={{ ...VIEW, forks: [FORKED] }} />
      </p>
      <ForkFacts {...facts} engineId={VIEW.launch.engineId} />
      <ForkFacts {...facts} engineId="another" />
      <ForkFacts {...facts} view={{ ...VIEW, turns: [] }} engineId="another" />
      <ForkFacts
        {...facts}
        machine={MACHINE && { ...MACHINE, forks: undefined }}
        engineId="another"
      />
    </div>
  );
}

const SERVERS = [
  { port: 5173, program: 'node vite', ownNetwork: true },
  { port: 8000, program: 'python3 -m http.server', ownNetwork: false },
];

/** What a session serves: opened here, on another machine alone, and nothing. */
export const GalleryPreviews = () => (
  <div className="space-y-3">
    <Served sessionId="ses_gallery" machine="lighthouse" items={SERVERS} here />
    <Served sessionId="ses_gallery" machine="lighthouse" items={SERVERS.slice(0, 1)} here={false} />
    <Served sessionId="ses_gallery" machine="lighthouse" items={[]} here />
  </div>
);
