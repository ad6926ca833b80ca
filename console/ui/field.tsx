import { type ReactNode, useEffect } from 'react';
import { cx } from '../lib/class-names.ts';
import { Words } from './words.tsx';

/** The look of every text field. */
export const inputClass = (faulty = false): string =>
  cx(
    'w-full rounded-md border bg-raised px-3 py-1.5 leading-5',
    faulty ? 'border-red' : 'border-line-strong',
  );

function describeControl(id: string, by: string): void {
  const control = document.getElementById(id);
  if (by === '') control?.removeAttribute('aria-describedby');
  else control?.setAttribute('aria-describedby', by);
}

/** A label, its control, and what the control still needs. */
export function Field({
  id,
  label,
  hint,
  problem,
  children,
}: {
  id: string;
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  children: ReactNode;
}) {
  const described = [problem !== undefined && `${id}-problem`, hint !== undefined && `${id}-hint`];
  // The control is somebody else's element: whoever only hears the page is told by this alone.
  useEffect(() => describeControl(id, described.filter(Boolean).join(' ')));
  return (
    <div className="mb-3">
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-soft">
        {label}
      </label>
      {children}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="mt-1 text-sm text-red">
          <Words text={problem} />
        </p>
      )}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="mt-1 text-sm text-faint">
          {hint}
        </div>
      )}
    </div>
  );
}

/** One of several answers, as a row that is pressed whole. */
export function Choice({
  name,
  checked,
  onChoose,
  label,
  detail,
  aside,
  disabled = false,
  multiple = false,
}: {
  name: string;
  checked: boolean;
  onChoose: () => void;
  label: ReactNode;
  detail?: ReactNode;
  aside?: ReactNode;
  disabled?: boolean;
  /** Several answers may be chosen together. */
  multiple?: boolean;
}) {
  return (
    <label
      className={cx(
        'flex items-start gap-3 border-b px-3 py-2 last:border-b-0 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        checked && 'bg-accent-wash',
        disabled ? 'cursor-not-allowed' : 'cursor-pointer hover:bg-sunken',
      )}
    >
      <input
        type={multiple ? 'checkbox' : 'radio'}
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={onChoose}
        className="mt-1 accent-[var(--accent)] outline-none"
      />
      <span className="min-w-0 flex-1">
        <span className={cx('block font-medium', disabled && 'text-faint')}>{label}</span>
        {detail !== undefined && <span className="block text-sm text-soft">{detail}</span>}
      </span>
      {aside}
    </label>
  );
}

/** Answers of which one holds, framed as one. */
export const ChoiceGroup = ({ label, children }: { label: string; children: ReactNode }) => (
  <div
    role="radiogroup"
    aria-label={label}
    className="mb-3 overflow-hidden rounded-md border bg-raised"
  >
    {children}
  </div>
);
