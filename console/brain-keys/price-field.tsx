import { Field, inputClass } from '../ui/field.tsx';

export const PRICE_PROBLEM =
  'Give dollars for a million tokens as input/output, such as 0.15/0.60; or 0.';

/** What the models of a key cost, as a person types it. */
export function PriceField({
  id,
  value,
  onChange,
  problem,
}: {
  id: string;
  value: string;
  onChange: (typed: string) => void;
  problem: string | undefined;
}) {
  return (
    <Field
      id={id}
      label="Your price, in dollars for a million tokens (empty: list prices)"
      problem={problem}
      hint="Input/output, and after them what is read from a cache and written to it, where that costs otherwise. 0 for models on your own machine. Budgets count by it."
    >
      <input
        id={id}
        aria-invalid={problem !== undefined}
        className={inputClass(problem !== undefined)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="0.15/0.60"
        spellCheck={false}
      />
    </Field>
  );
}
