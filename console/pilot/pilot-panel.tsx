import { useQuery } from '@tanstack/react-query';
import { isPilotOver, type PilotAsk } from '../../protocol/pilot.ts';
import type { PilotView } from '../../protocol/pilot-view.ts';
import { askPilot, pilotQuery } from '../api/pilot.ts';
import { tellError } from '../errors.ts';
import { usePress } from '../lib/use-press.ts';
import { Facts, Heading } from '../session/side/facts.tsx';
import { Button } from '../ui/button.tsx';
import { cliTwin } from '../format/cli.ts';
import { Command } from '../ui/copy.tsx';
import { Words } from '../ui/words.tsx';
import { ChangeObjective } from './change-objective.tsx';
import { DecisionList } from './decision-list.tsx';
import { Proposal } from './proposal.tsx';
import { brainWords, canResume, STATUS_WORDS } from './words.ts';

/** What drives the session by itself: where it stands, why, what it decided, and how to step in. */
export function PilotPanel({ sessionId }: { sessionId: string }) {
  const { data, error, refetch } = useQuery(pilotQuery(sessionId));
  if (!data)
    return error ? (
      <p role="alert" className="text-red">
        <Words text={tellError(error).sentence} />
      </p>
    ) : (
      <p className="text-soft">Reading what the Pilot does…</p>
    );
  const { pilot, decisions } = data;
  const asks = pilot.hold === 'proposal' || pilot.hold === 'question';
  return (
    <>
      <output className="block">
        <strong>{STATUS_WORDS[pilot.status]}.</strong> <Words text={pilot.reason} />
      </output>
      {!isPilotOver(pilot.status) && <PilotButtons pilot={pilot} onDone={refetch} />}
      {asks && <Proposal key={pilot.step} pilot={pilot} onDone={refetch} />}
      <Heading>Decisions</Heading>
      <DecisionList decisions={decisions} />
      <Heading>Run</Heading>
      <Facts
        facts={[
          ['Mode', pilot.mode === 'pilot' ? 'by itself' : 'each step confirmed'],
          ['Brain', brainWords(pilot)],
          ['Turns', `${pilot.turns} of ${pilot.bounds.maxTurns}`],
          ['Objective', pilot.objective],
          ['A long conversation', pilot.beginsAnew ? 'is begun anew' : 'is kept'],
          ['Merge policy', pilot.policy?.mode ?? 'not read yet'],
        ]}
      />
      {!isPilotOver(pilot.status) && (
        <>
          <Heading>The same in a terminal</Heading>
          {twinsOf(pilot).map((verb) => (
            <Command key={verb} text={cliTwin.pilot(sessionId, verb)} />
          ))}
          <Command text={cliTwin.conversation(sessionId, !pilot.beginsAnew)} />
        </>
      )}
    </>
  );
}

/** The commands that do what can be done here now. */
const twinsOf = (pilot: PilotView) =>
  ['status', canResume(pilot) ? 'resume' : 'pause', 'stop'] as const;

function PilotButtons({ pilot, onDone }: { pilot: PilotView; onDone: () => unknown }) {
  const press = usePress({
    mutationFn: (ask: PilotAsk) => askPilot(pilot.sessionId, ask),
    onSuccess: onDone,
  });
  const resumes = canResume(pilot);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {resumes ? (
        <Button busy={press.isPending} onClick={() => press.mutate({ action: 'resume' })}>
          Resume
        </Button>
      ) : (
        <Button busy={press.isPending} onClick={() => press.mutate({ action: 'pause' })}>
          Pause
        </Button>
      )}
      <Button kind="quiet" busy={press.isPending} onClick={() => press.mutate({ action: 'stop' })}>
        Stop the Pilot
      </Button>
      <ChangeObjective pilot={pilot} onDone={onDone} />
      <Button
        kind="quiet"
        busy={press.isPending}
        onClick={() => press.mutate({ action: 'conversation', beginsAnew: !pilot.beginsAnew })}
      >
        {pilot.beginsAnew ? 'Keep a long conversation' : 'Begin a long conversation anew'}
      </Button>
      {press.isError && (
        <span role="alert" className="text-sm text-red">
          <Words text={tellError(press.error).sentence} />
        </span>
      )}
    </div>
  );
}
