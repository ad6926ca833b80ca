import { askOfPilot, type PilotStanding } from '../../protocol/pilot-view.ts';
import { PILOT_ASKS } from './words.ts';

/** That a Pilot wants something of a person, with what it is on hover; nothing where it does not. */
export function PilotAsks({ pilot }: { pilot: PilotStanding | null }) {
  const ask = askOfPilot(pilot);
  if (ask === null) return null;
  return (
    <span className="shrink-0 text-sm font-medium text-amber" title={pilot?.reason}>
      {PILOT_ASKS[ask]}
    </span>
  );
}
