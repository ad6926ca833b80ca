import { ToggleGroup } from 'radix-ui';

/** A few choices of which one holds, side by side. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChoose,
  busy = false,
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChoose: (value: T) => void;
  /** What was chosen last is under way. */
  busy?: boolean;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      aria-busy={busy}
      disabled={busy}
      value={value}
      onValueChange={(next) => {
        if (next !== '') onChoose(next as T);
      }}
      className="inline-flex max-w-full overflow-x-auto rounded-md border bg-raised p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="h-7 shrink-0 rounded-sm px-2.5 text-sm text-soft hover:text-ink data-[state=on]:bg-accent-wash data-[state=on]:text-accent disabled:cursor-progress disabled:opacity-70"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
