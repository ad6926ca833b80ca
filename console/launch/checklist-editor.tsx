import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { inputClass } from '../ui/field.tsx';
import { EMPTY_STEP, type StepDraft } from './pilot-draft.ts';

type ChecklistEditorProps = {
  steps: readonly StepDraft[];
  /** What each step still needs; shown once it was asked for. */
  problems: readonly (string | null)[] | undefined;
  onChange: (steps: StepDraft[]) => void;
};

/** The steps of the objective, each with the command that proves it. */
export function ChecklistEditor({ steps, problems, onChange }: ChecklistEditorProps) {
  const id = useId();
  const put = (index: number, patch: Partial<StepDraft>) =>
    onChange(steps.map((step, at) => (at === index ? { ...step, ...patch } : step)));
  return (
    <fieldset className="mb-3">
      <legend className="mb-1 text-sm font-medium text-soft">Done when these checks pass</legend>
      <ol className="divide-y overflow-hidden rounded-md border bg-raised">
        {steps.map((step, index) => (
          <Step
            // Steps have no name of their own, and are only put in, changed and taken out by hand.
            key={`${id}-${index}`}
            step={step}
            number={index + 1}
            problem={problems?.[index] ?? null}
            onChange={(patch) => put(index, patch)}
            onRemove={
              steps.length > 1 ? () => onChange(steps.filter((_, at) => at !== index)) : null
            }
          />
        ))}
      </ol>
      <p className="mt-1 text-sm text-faint">
        The machine runs them in the session’s checkout, once you approved them there with{' '}
        <code>pilothouse checks approve</code>. No engine and no model can claim that they pass.
      </p>
      <div className="mt-2">
        <Button
          size="small"
          reason={steps.length >= 50 ? 'A checklist has 50 steps at most.' : null}
          onClick={() => onChange([...steps, EMPTY_STEP])}
        >
          <Plus /> Add a step
        </Button>
      </div>
    </fieldset>
  );
}

function Step({
  step,
  number,
  problem,
  onChange,
  onRemove,
}: {
  step: StepDraft;
  number: number;
  problem: string | null;
  onChange: (patch: Partial<StepDraft>) => void;
  onRemove: (() => void) | null;
}) {
  return (
    <li className="grid gap-2 px-3 py-2 md:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_88px_32px]">
      <input
        aria-label={`Title of step ${number}`}
        placeholder="The tests pass"
        maxLength={200}
        className={inputClass()}
        value={step.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <input
        aria-label={`Check of step ${number}`}
        aria-invalid={problem !== null}
        placeholder="npm test"
        spellCheck={false}
        className={`${inputClass(problem !== null)} font-mono`}
        value={step.check}
        onChange={(event) => onChange({ check: event.target.value })}
      />
      <input
        aria-label={`Minutes that step ${number} may take`}
        placeholder="10 min"
        inputMode="decimal"
        className={`${inputClass()} figure`}
        value={step.minutes}
        onChange={(event) => onChange({ minutes: event.target.value })}
      />
      {onRemove && (
        <Button kind="quiet" size="small" aria-label={`Remove step ${number}`} onClick={onRemove}>
          <X />
        </Button>
      )}
      {problem !== null && <p className="text-sm text-red md:col-span-4">{problem}</p>}
    </li>
  );
}
