import type { SessionView } from '../../../protocol/session-view.ts';
import { nameOfTurn } from '../../../protocol/turn-name.ts';
import { SpendTokens } from '../../ledger/spend-tokens.tsx';
import { Spend } from '../../ui/spend.tsx';
import { Heading, Nothing } from './facts.tsx';
import { ModelCallsLine } from './model-calls.tsx';
import { RereadAlarm } from './reread-alarm.tsx';

/** What this session cost, each kind of figure apart, and turn by turn. */
export function SpendPanel({ view }: { view: SessionView }) {
  return (
    <>
      <RereadAlarm view={view} />
      <Heading>All of it</Heading>
      <SpendTokens totals={view.spend} />
      {view.brainSpend && (
        <>
          <Heading>Of it, the Pilot’s brain</Heading>
          <SpendTokens totals={view.brainSpend} />
        </>
      )}
      {view.model && (
        <>
          <Heading>At the model gate</Heading>
          <ModelCallsLine model={view.model} />
        </>
      )}
      <Heading>Turn by turn</Heading>
      {view.turns.length === 0 && <Nothing>No turn yet.</Nothing>}
      <ol>
        {view.turns.map((turn, index) => (
          <li key={turn.turnId} className="flex min-h-8 items-center gap-3">
            <span className="figure w-5 text-right text-faint">{index + 1}</span>
            <span className="min-w-0 flex-1 truncate text-soft">{nameOfTurn(turn)}</span>
            <Spend totals={turn.spend} />
          </li>
        ))}
      </ol>
    </>
  );
}
