import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** One patience for all tooltips: the second in a row comes at once. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={300} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);

/** Words on hover and on focus. What must be known to act is never only here. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md border border-line-strong bg-raised px-2 py-1 text-sm text-ink animate-appear"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
