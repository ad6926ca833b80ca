import { useId } from 'react';
import type { PilotMode } from '../../protocol/pilot.ts';
import { REREAD_ALARM_TOKENS } from '../../protocol/reread-forecast.ts';
import { formatTokens } from '../format/count.ts';
import { Choice, ChoiceGroup, Field, inputClass } from '../ui/field.tsx';
import { BrainChoice } from './brain-choice.tsx';
import { ChecklistEditor } from './checklist-editor.tsx';
import type { PilotDraft, PilotProblems } from './pilot-draft.ts';

const MODES: Record<PilotMode, { label: string; detail: string }> = {
  manual: {
    label: 'I do',
    detail: 'After its first turn the session waits for your next instruction.',
  },
  co_pilot: {
    label: 'A co-pilot, with my yes to each',
    detail: 'It proposes each next instruction. You edit it, confirm it, or say something else.',
  },
  pilot: {
    label: 'A Pilot',
    detail: 'It goes on by itself until the checks pass, something stops it, or it has to ask you.',
  },
};
const ORDER = ['manual', 'co_pilot', 'pilot'] as const;

type PilotChoiceProps = {
  draft: PilotDraft;
  /** What it still needs, once that is asked for. */
  problems: PilotProblems;
  onChange: (patch: Partial<PilotDraft>) => void;
};

/** Who gives the instructions after the first; for a Pilot also by what, and until when. */
export function PilotChoice({ draft, problems, onChange }: PilotChoiceProps) {
  return (
    <>
      <ChoiceGroup label="Who gives the next instructions">
        {ORDER.map((mode) => (
          <Choice
            key={mode}
            name="pilot-mode"
            checked={draft.mode === mode}
            onChoose={() => onChange({ mode })}
            {...MODES[mode]}
          />
        ))}
      </ChoiceGroup>
      {draft.mode !== 'manual' && (
        <>
          <ChecklistEditor
            steps={draft.steps}
            problems={problems.steps}
            onChange={(steps) => onChange({ steps })}
          />
          <BrainChoice draft={draft} problems={problems} onChange={onChange} />
          <Bounds draft={draft} problems={problems} onChange={onChange} />
          <label className="mt-2 flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-1 accent-[var(--accent)]"
              checked={draft.beginsAnew}
              onChange={(event) => onChange({ beginsAnew: event.target.checked })}
            />
            <span>
              Begin a conversation that has grown long anew
              <span className="block text-sm text-soft">
                Once each turn reads {formatTokens(REREAD_ALARM_TOKENS)} tokens of it again, the
                next one is told what was done instead. What the engine knew and never said is
                forgotten.
              </span>
            </span>
          </label>
        </>
      )}
    </>
  );
}

function Bounds({ draft, problems, onChange }: PilotChoiceProps) {
  const id = useId();
  const fields = [
    ['maxTurns', 'Instructions in all (empty: 30)', '30'],
    ['maxHours', 'Hours, without those in which it waits for you (empty: 8)', '8'],
  ] as const;
  return (
    <div className="grid gap-x-4 md:grid-cols-2">
      {fields.map(([name, label, placeholder]) => (
        <Field key={name} id={`${id}-${name}`} label={label} problem={problems[name]}>
          <input
            id={`${id}-${name}`}
            inputMode="decimal"
            placeholder={placeholder}
            aria-invalid={problems[name] !== undefined}
            className={`${inputClass(problems[name] !== undefined)} figure max-w-40`}
            value={draft[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  );
}
