import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { sessionQuery } from '../../../console/api/queries.ts';
import { useShareView } from '../../../console/session/share-view.ts';
import type { SessionDetail } from '../../../protocol/http.ts';
import { ready, staged, started, turnEnded } from '../../support/feed-events.ts';
import { SESSION, viewAfter } from '../../support/protocol-builders.ts';

it('tells other pages of a session what its own has heard, whenever the state changes', () => {
  const client = new QueryClient();
  const key = sessionQuery(SESSION).queryKey;
  const begun = [staged('spawned'), ready(), started()] as const;
  const before = viewAfter(...begun);
  client.setQueryData(key, { view: before } as SessionDetail);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { rerender } = renderHook(({ view }) => useShareView(SESSION, view), {
    wrapper,
    initialProps: { view: before },
  });
  const after = viewAfter(...begun, turnEnded());
  rerender({ view: after });
  expect(after.state).not.toBe(before.state);
  expect(client.getQueryData(key)?.view).toEqual(after);
});
