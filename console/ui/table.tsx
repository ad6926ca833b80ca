import type { ReactNode } from 'react';

/** A dense table that scrolls sideways by itself, so that the page never does. */
export function Table({
  label,
  columns,
  numeric = [],
  children,
}: {
  label: string;
  columns: readonly string[];
  numeric?: readonly number[];
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
      // Positioned, or what only screen readers see is laid out against the page and widens it.
      className="scroll-shadows relative overflow-x-auto rounded-md border bg-raised"
    >
      <table className="w-full border-collapse whitespace-nowrap [&_td]:h-8 [&_td]:px-3 [&_tbody_tr]:border-t [&_tbody_tr:hover]:bg-sunken">
        <thead>
          <tr className="text-left text-sm text-faint">
            {columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={`h-8 px-3 font-normal ${numeric.includes(index) ? 'text-right' : ''}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
