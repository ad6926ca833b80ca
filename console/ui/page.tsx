import { type ReactNode, useEffect } from 'react';

/** A page that scrolls as a whole: its title, what belongs beside it, and its content. */
export function Page({
  title,
  aside,
  children,
  narrow = false,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  narrow?: boolean;
}) {
  useTitle(title);
  return (
    <main
      id="main"
      tabIndex={-1}
      className="min-h-0 flex-1 overflow-y-auto outline-none print:overflow-visible"
    >
      <div className={`in-order mx-auto px-4 py-5 md:px-6 ${narrow ? 'max-w-2xl' : 'max-w-6xl'}`}>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h1 className="text-lg font-semibold">{title}</h1>
          {aside}
        </div>
        {children}
      </div>
    </main>
  );
}

/** The document's title, so that a tab says what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Home' ? 'Pilothouse' : `${title} · Pilothouse`;
  }, [title]);
}

/** A titled part of a page. */
export function Section({
  title,
  count,
  aside,
  children,
}: {
  title: string;
  count?: number;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mb-6">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-2">
        <h2 className="text-sm font-semibold text-soft">{title}</h2>
        {count !== undefined && <span className="figure text-sm text-faint">{count}</span>}
        <span className="ml-auto max-w-full">{aside}</span>
      </div>
      {children}
    </section>
  );
}
