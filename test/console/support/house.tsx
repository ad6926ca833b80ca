import './dom.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach } from 'vitest';
import { type MockServer, startMockServer } from '../../../console/mock/server.ts';
import { MockWorld } from '../../../console/mock/world.ts';
import { createConsoleRouter } from '../../../console/routes.tsx';
import { TooltipProvider } from '../../../console/ui/tooltip.tsx';
import { testClient } from './render.tsx';

declare global {
  interface Window {
    happyDOM: { setURL: (url: string) => void };
  }
}

const servers: MockServer[] = [];
afterEach(async () => {
  // The page goes first, or what it is still asking for fails loudly.
  cleanup();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Opens the whole console at an address, talking to a stand-in server over real sockets. */
export async function openHouse(
  path: string,
  prepare: (world: MockWorld) => void = () => undefined,
) {
  const world = new MockWorld();
  prepare(world);
  const server = await startMockServer(world);
  servers.push(server);
  window.happyDOM.setURL(server.url + path);
  const router = createConsoleRouter();
  const page = render(
    <QueryClientProvider client={testClient()}>
      <TooltipProvider>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { world, server, router, ...page };
}

/** The requests that changed something, as they reached the server. */
export const asked = (world: MockWorld) =>
  world.received
    .filter(({ method }) => method === 'POST')
    .map(({ path, body }) => ({ path, body }));

export const findHeading = (name: string | RegExp): Promise<HTMLElement> =>
  screen.findByRole('heading', { name });
