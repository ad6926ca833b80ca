import type { EngineReadiness, MachineFacts } from '../../protocol/machine.ts';
import { REHEARSAL_ENGINE_ID } from '../../protocol/launch.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Choice, ChoiceGroup } from '../ui/field.tsx';
import { RehearsalLabel } from '../ui/rehearsal-label.tsx';
import { UnmeteredLabel } from '../ui/unmetered-label.tsx';
import { commandIn, Words } from '../ui/words.tsx';

const PAYERS: Record<EngineReadiness['payer'], string> = {
  'api-key': 'charged to an API key',
  subscription: 'paid by a subscription',
  unknown: 'payer not known',
};

/** How an engine would log in, as the machine resolved it. */
export function credentialOf(engine: EngineReadiness): string {
  if (engine.engineId === REHEARSAL_ENGINE_ID)
    return 'asks no model, costs nothing; asks you once, before it pushes';
  if (isUnmeteredHere(engine)) {
    const { resume = false, acts = 'none' } = engine.capabilities ?? {};
    const seen = acts === 'none' ? 'its acts are witnessed only' : 'its acts are those it tells of';
    const each = resume ? '' : '; each turn is a new conversation';
    return `its cost is not known, ${seen}${each}; it opens pull requests at most`;
  }
  const by = engine.credential === null ? '' : `${engine.credential}, `;
  return `${by}${PAYERS[engine.payer]}`;
}

/** Whether nothing of an engine can be metered, as the machine says. */
export const isUnmeteredHere = (engine: EngineReadiness): boolean =>
  engine.capabilities?.usage === 'none';

type EngineChoiceProps = {
  machine: MachineFacts;
  value: string;
  onChange: (engineId: string) => void;
};

/** The engines of the machine; below them, folded, those that are not ready, each with the one thing that gets it ready. */
export function EngineChoice({ machine, value, onChange }: EngineChoiceProps) {
  const ready = machine.engines.filter((engine) => engine.ready);
  const others = machine.engines.filter((engine) => !engine.ready);
  return (
    <>
      {ready.length > 0 && (
        <ChoiceGroup label="Engine">
          {ready.map((engine) => (
            <EngineRow key={engine.engineId} {...{ engine, value, onChange }} />
          ))}
        </ChoiceGroup>
      )}
      {others.length > 0 && (
        <details className="mb-3">
          <summary className="mb-2 w-fit text-sm text-accent">
            Not ready here: {others.map(({ label }) => label).join(', ')}
          </summary>
          <ChoiceGroup label="Engines that are not ready">
            {others.map((engine) => (
              <EngineRow key={engine.engineId} {...{ engine, value, onChange }} />
            ))}
          </ChoiceGroup>
        </details>
      )}
    </>
  );
}

type EngineRowProps = Omit<EngineChoiceProps, 'machine'> & { engine: EngineReadiness };

const EngineRow = ({ engine, value, onChange }: EngineRowProps) => (
  <Choice
    name="engine"
    checked={engine.engineId === value}
    disabled={!engine.ready}
    onChoose={() => onChange(engine.engineId)}
    label={
      <span className="inline-flex items-center gap-2">
        {engine.label}
        {engine.version !== null && (
          <span className="text-sm font-normal text-faint">{engine.version}</span>
        )}
        {engine.engineId === REHEARSAL_ENGINE_ID && <RehearsalLabel />}
        {isUnmeteredHere(engine) && <UnmeteredLabel />}
      </span>
    }
    detail={
      engine.ready ? (
        credentialOf(engine)
      ) : (
        <Words text={`${engine.problem ?? 'Not ready.'} ${engine.remedy ?? ''}`} />
      )
    }
    aside={
      !engine.ready &&
      engine.remedy !== null && (
        <CopyButton text={commandIn(engine.remedy)} label="Copy what to do" />
      )
    }
  />
);
