import { useId } from 'react';
import { Field, inputClass } from '../ui/field.tsx';
import type { WorkLimitsDraft } from './work-limits.ts';

const LABELS = {
  turns: 'Stop after so many turns (empty: no limit)',
  tokens: 'Stop at so many tokens, however they are read (empty: no limit)',
  minutes: 'Stop when its turns have taken so many minutes (empty: no limit)',
} as const;
const EXAMPLES = { turns: '20', tokens: '2M', minutes: '90' } as const;
const FIELDS = ['turns', 'tokens', 'minutes'] as const;

/** When a session has to stop, beside dollars. */
export function WorkLimitsFields({
  draft,
  problems,
  change,
}: {
  draft: WorkLimitsDraft;
  problems: Partial<WorkLimitsDraft>;
  change: (patch: Partial<WorkLimitsDraft>) => void;
}) {
  const id = useId();
  return FIELDS.map((field) => (
    <Field key={field} id={`${id}-${field}`} label={LABELS[field]} problem={problems[field]}>
      <input
        id={`${id}-${field}`}
        inputMode={field === 'tokens' ? 'text' : 'decimal'}
        placeholder={EXAMPLES[field]}
        aria-invalid={problems[field] !== undefined}
        className={`${inputClass(problems[field] !== undefined)} figure max-w-40`}
        value={draft[field]}
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </Field>
  ));
}
