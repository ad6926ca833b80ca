import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { RestartEngine } from '../../../console/session/restart-engine.tsx';
import { Menu } from '../../../console/ui/menu.tsx';
import { ERRORS } from '../../../protocol/errors.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const busy = viewAfter(...eventsUntilApproval());
const parked = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval(), {
  type: 'engine/parked',
  reason: 'idle',
});
const called: string[] = [];

beforeEach(() => {
  called.length = 0;
  vi.stubGlobal('fetch', async (path: string) => {
    called.push(path);
    return Response.json({ accepted: true }, { status: 202 });
  });
});
afterEach(() => vi.unstubAllGlobals());

async function choose(view: SessionView) {
  draw(
    <RestartEngine view={view}>
      {(item) => <Menu trigger={<button type="button">More</button>}>{item}</Menu>}
    </RestartEngine>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Restart the engine/ }));
}

describe('restart the engine', () => {
  it('asks first, then restarts it', async () => {
    await choose(busy);
    expect(called).toEqual([]);
    await userEvent.click(await screen.findByRole('button', { name: 'Restart the engine' }));
    await waitFor(() => expect(called).toEqual([`/v1/sessions/${busy.sessionId}/restart`]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says why not where there is no process, and asks nothing of the server', async () => {
    await choose(parked);
    expect(await screen.findByText(ERRORS.nothing_to_restart.sentence)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Restart the engine' }));
    expect(called).toEqual([]);
  });
});
