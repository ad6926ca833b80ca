import type { Network } from '../../protocol/network.ts';
import { forecastGrade, forecastNetwork } from '../../protocol/grade-forecast.ts';
import type { EngineReadiness, MachineFacts } from '../../protocol/machine.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { Choice, ChoiceGroup } from '../ui/field.tsx';
import type { LaunchDraft } from './draft.ts';
import { wordsOfNetwork } from './words.ts';

type Wish = Pick<LaunchDraft, 'grade' | 'checkout' | 'network'>;

type NetworkChoiceProps = {
  draft: Wish;
  machine: MachineFacts | undefined;
  engine: EngineReadiness | undefined;
  problem: string | undefined;
  onChange: (network: Network | null) => void;
};

/**
 * What it reaches, for a session that will be sealed: no other has a choice. What this machine cannot
 * do, or does not allow, is shown with the reason.
 */
export function NetworkChoice({ draft, machine, engine, problem, onChange }: NetworkChoiceProps) {
  const forecast = forecastGrade(draft, machine, engine);
  const isSealed = forecast.ok && forecast.report.grade === 'sealed';
  if (!isSealed && draft.network === null && problem === undefined) return null;
  const usual = foretellNetwork(null, draft, machine, engine);
  return (
    <>
      <ChoiceGroup label="What it reaches">
        <Choice
          name="network"
          checked={draft.network === null}
          onChoose={() => onChange(null)}
          label="As that machine says"
          detail={usual.obstacle ?? usual.meaning}
        />
        {(['model-only', 'open'] as const).map((network) => {
          const { obstacle, meaning } = foretellNetwork(network, draft, machine, engine);
          return (
            <Choice
              key={network}
              name="network"
              checked={draft.network === network}
              disabled={obstacle !== null}
              onChoose={() => onChange(network)}
              label={wordsOfNetwork(network).label}
              detail={obstacle ?? meaning}
            />
          );
        })}
      </ChoiceGroup>
      {problem !== undefined && <p className="mb-3 text-sm text-red">{problem}</p>}
    </>
  );
}

/** What a session would reach, and why it would be refused instead, as sentences; null: it would not. */
export function foretellNetwork(
  network: Network | null,
  { grade, checkout }: Omit<Wish, 'network'>,
  machine: MachineFacts | undefined,
  engine: EngineReadiness | undefined,
): { meaning: string; obstacle: string | null } {
  const forecast = forecastGrade({ grade, checkout }, machine, engine);
  // A grade that is refused says so itself.
  if (!forecast.ok) return { meaning: 'It depends on the grade.', obstacle: null };
  const decision = forecastNetwork(network, forecast.report.grade, machine);
  if (decision.ok) return { meaning: wordsOfNetwork(decision.network).meaning, obstacle: null };
  const { code, detail } = decision;
  return { meaning: '', obstacle: new PilothouseError(code, { detail }).message };
}
