import type { ReactNode } from 'react';
import { cx } from '../lib/class-names.ts';

/** One entry of the list that stands at a text field, marked from there by `id`. */
export function OptionRow({
  id,
  active,
  choose,
  children,
}: {
  id: string;
  active: boolean;
  choose: () => void;
  children: ReactNode;
}) {
  return (
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox: a datalist cannot say what its entries are
      role="option"
      tabIndex={-1}
      aria-selected={active}
      // Before the field loses its focus, which would close the list under the pointer.
      onMouseDown={(event) => {
        event.preventDefault();
        choose();
      }}
      className={cx(
        'flex h-8 items-center gap-2 rounded-sm px-2 max-md:h-11',
        active ? 'bg-accent-wash' : 'hover:bg-sunken',
      )}
    >
      {children}
    </div>
  );
}
