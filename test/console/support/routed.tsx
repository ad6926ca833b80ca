import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act } from '@testing-library/react';
import type { ReactNode } from 'react';
import { draw } from './render.tsx';

/** Draws one part that links to pages: on the only page there is, so that it leads nowhere. */
export async function drawRouted(part: ReactNode) {
  const root = createRootRoute({ component: () => part });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  await router.load();
  let drawn: ReturnType<typeof draw> | undefined;
  await act(async () => void (drawn = draw(<RouterProvider router={router as never} />)));
  if (!drawn) throw new Error('nothing was drawn');
  return drawn;
}
