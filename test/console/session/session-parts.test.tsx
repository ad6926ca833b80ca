import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOOL_REQUEST } from '../../../console/mock/requests.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { LaunchStages } from '../../../console/session/launch-progress.tsx';
import { PinnedApproval } from '../../../console/session/pinned-approval.tsx';
import { SessionActions } from '../../../console/session/session-actions.tsx';
import { RereadAlarm } from '../../../console/session/side/reread-alarm.tsx';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { requestId } from '../../../protocol/ids.ts';
import { addUsage } from '../../../protocol/usage.ts';
import { aUsage, SESSION, viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';
import { drawRouted } from '../support/routed.tsx';

const asking = viewAfter(...eventsUntilApproval());
const worked = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());

const sent: string[] = [];
let refusal: ErrorCode | null;
beforeEach(() => {
  sent.length = 0;
  refusal = null;
  vi.stubGlobal('fetch', async (path: string) => {
    sent.push(path);
    if (refusal === null) return Response.json({ accepted: true }, { status: 202 });
    const { status, body } = errorAnswer(refusal);
    return Response.json(body, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the request that is pinned within reach of the thumb', () => {
  const later = { ...TOOL_REQUEST, requestId: requestId.parse('apr_later'), summary: 'ls' };

  it('is none while nothing waits', () => {
    const { container } = draw(<PinnedApproval view={worked} />);
    expect(container).toBeEmptyDOMElement();
  });

  it('is the first one, with how many more there are', () => {
    const pendingApprovals = [
      TOOL_REQUEST,
      later,
      { ...later, requestId: requestId.parse('apr_3') },
    ];
    draw(<PinnedApproval view={{ ...asking, pendingApprovals }} />);
    expect(screen.getByRole('region')).toHaveAttribute('data-request', TOOL_REQUEST.requestId);
    expect(screen.getByText('2 more after this one')).toBeInTheDocument();
  });

  it('is a new card for a new request: nothing typed for one is sent to another', async () => {
    const view = (request: typeof TOOL_REQUEST) => ({ ...asking, pendingApprovals: [request] });
    const { redraw } = draw(<PinnedApproval view={view(TOOL_REQUEST)} />);
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    await userEvent.keyboard('Not this one');
    redraw(<PinnedApproval view={view(later)} />);
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
    await vi.waitFor(() => expect(sent).toEqual([`/v1/sessions/${SESSION}/approvals/apr_later`]));
  });
});

describe('the actions of a session', () => {
  it('say beside them why an interrupt was refused', async () => {
    refusal = 'runner_offline';
    draw(<SessionActions view={asking} />);
    await userEvent.click(screen.getByRole('button', { name: 'Interrupt' }));
    expect(await screen.findByRole('alert')).not.toHaveTextContent('`');
    expect(sent).toEqual([`/v1/sessions/${SESSION}/interrupt`]);
  });

  it('keep the question of a stop open that was refused, and say why in it', async () => {
    refusal = 'internal';
    draw(<SessionActions view={asking} />);
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Stop this session?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Stop the session' }));
    expect(await dialog.findByRole('alert')).toBeVisible();
    refusal = null;
    await userEvent.click(dialog.getByRole('button', { name: 'Stop the session' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(sent).toHaveLength(2);
  });

  it('are Stop alone where nothing else makes sense', () => {
    draw(<SessionActions view={asking} only="stop" />);
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual([
      'Stop',
    ]);
  });
});

describe('the stages of a launch', () => {
  const stages = (over: Partial<typeof asking>) => {
    draw(<LaunchStages view={{ ...asking, ...over }} />);
    return screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  };

  it('say how long after it was asked for each was reached', () => {
    expect(
      stages({
        createdAt: 500,
        stages: { queued: 1_000, spawned: 1_080, bootstrap_submitted: 4_200 },
      }),
    ).toEqual(['Queued+0 ms', 'Process started+80 ms', 'Spoken to+3.2 s', 'Engine answered']);
  });

  it('count from the session’s own beginning where no queue was told', () => {
    expect(stages({ createdAt: 1_000, stages: { spawned: 3_000 } })[1]).toBe(
      'Process started+2.0 s',
    );
  });

  it('never count backwards where clocks disagree', () => {
    expect(stages({ createdAt: 9_000, stages: { spawned: 3_000 } })[1]).toBe(
      'Process started+0 ms',
    );
  });

  it('have none that waits once the session works', () => {
    stages({});
    expect(screen.queryByRole('listitem', { current: 'step' })).not.toBeInTheDocument();
  });
});

describe('the alarm of a conversation that has grown long', () => {
  const reread = (cacheReadTokens: number) => {
    const [turn] = worked.turns;
    if (!turn) throw new Error('the sentinel session has a turn');
    const spend = addUsage({}, aUsage({ cacheReadTokens, microUsd: 2_000_000 }));
    const turns = ['trn_a', 'trn_b', 'trn_c'].map((turnId) => ({ ...turn, turnId, spend }));
    return drawRouted(<RereadAlarm view={{ ...worked, turns: turns as typeof worked.turns }} />);
  };

  it('begins it anew in its place, between turns alone', async () => {
    await reread(2_000_000);
    await userEvent.click(screen.getByRole('button', { name: 'Begin it anew' }));
    expect(sent).toEqual([`/v1/sessions/${SESSION}/compact`]);
  });

  it('is silent while it is short', async () => {
    expect((await reread(1_000)).container).toBeEmptyDOMElement();
  });

  it('leads to a new session that is told of this one', async () => {
    await reread(2_000_000);
    expect(screen.getByRole('link', { name: 'Go on in a new session' })).toHaveAttribute(
      'href',
      `/launch?from=${SESSION}&engine=rehearsal`,
    );
  });
});
