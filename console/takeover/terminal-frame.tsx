import type { RefObject } from 'react';

/** The place in which a terminal is drawn, and what is said over it while it cannot be shown. */
export function TerminalFrame({
  host,
  over,
}: {
  host: RefObject<HTMLDivElement | null>;
  over: string | null;
}) {
  return (
    <div className="relative min-h-0 flex-1 p-2">
      <div
        ref={host}
        data-shown={over === null}
        className="terminal-window size-full overflow-auto font-mono"
      />
      {over !== null && (
        <div className="absolute inset-0 grid place-items-center bg-sunken/90 p-6">
          <output className="max-w-md text-center text-soft">{over}</output>
        </div>
      )}
    </div>
  );
}
