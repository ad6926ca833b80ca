import type { ReactNode } from 'react';

/** Names and values, one under the other. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Heading = ({ children }: { children: ReactNode }) => (
  <h3 className="mt-4 mb-1 text-sm font-semibold text-soft first:mt-0">{children}</h3>
);

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="text-soft">{children}</p>
);
