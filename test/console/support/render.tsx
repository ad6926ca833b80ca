import './dom.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { TooltipProvider } from '../../../console/ui/tooltip.tsx';

/** A client that fails at once, so that a test of a failure need not wait for retries. */
export const testClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false },
      mutations: { networkMode: 'always', retry: false },
    },
  });

/** Draws one part of the console with what all parts stand in. */
export function draw(part: ReactNode) {
  const client = testClient();
  const around = (children: ReactNode) => (
    <QueryClientProvider client={client}>
      <TooltipProvider>{children}</TooltipProvider>
    </QueryClientProvider>
  );
  const drawn = render(around(part));
  return { ...drawn, redraw: (next: ReactNode) => drawn.rerender(around(next)) };
}
