import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { cx } from '../lib/class-names.ts';

/** A row that opens what is below it; `children` is called, and asks for what it needs, only then. */
export function Disclosure({ row, children }: { row: ReactNode; children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-2 px-2 text-left hover:bg-sunken"
      >
        <ChevronRight className={cx('shrink-0 text-faint', open && 'rotate-90')} />
        {row}
      </button>
      <div id={body}>{open && children()}</div>
    </>
  );
}
