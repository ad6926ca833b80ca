import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERRORS } from '../../../protocol/errors.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { Composer, reasonNotToSend } from '../../../console/session/composer.tsx';
import { withoutSent } from '../../../console/session/draft.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const busy = viewAfter(...eventsUntilApproval());

const sent: { path: string; body: { turnId: string; text: string } }[] = [];
let answer: () => Response;

beforeEach(() => {
  sent.length = 0;
  answer = () => Response.json({ turnId: 'trn_a' }, { status: 202 });
  vi.stubGlobal('fetch', async (path: string, init: { body: string }) => {
    sent.push({ path, body: JSON.parse(init.body) });
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = (view: SessionView) => draw(<Composer view={view} presence="online" />);
const field = () => screen.getByRole('textbox');

describe('the composer', () => {
  it('sends with Enter, makes a line with Shift Enter, and is empty afterwards', async () => {
    open(idle);
    await userEvent.type(field(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
    await waitFor(() => expect(field()).toHaveValue(''));
    expect(sent).toMatchObject([
      { path: `/v1/sessions/${idle.sessionId}/instructions`, body: { text: 'one\ntwo' } },
    ]);
  });

  it('queues while a turn is under way, and calls it that', async () => {
    open(busy);
    await userEvent.type(field(), 'then');
    await userEvent.click(screen.getByRole('button', { name: 'Queue' }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('steers a turn under way where the engine takes that, with a button and with Ctrl Enter', async () => {
    draw(<Composer view={busy} presence="online" steers />);
    await userEvent.type(field(), 'rather that');
    await userEvent.click(screen.getByRole('button', { name: 'Steer' }));
    await waitFor(() => expect(field()).toHaveValue(''));
    await userEvent.type(field(), 'and that{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      { body: { text: 'rather that', steer: true } },
      { body: { text: 'and that', steer: true } },
    ]);
  });

  it('offers no steering between turns, nor to an engine that takes none', async () => {
    draw(<Composer view={idle} presence="online" steers />);
    expect(screen.queryByRole('button', { name: 'Steer' })).toBeNull();
    await userEvent.type(field(), 'go{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).not.toHaveProperty('steer');
    open(busy);
    expect(screen.queryByRole('button', { name: 'Steer' })).toBeNull();
  });

  it('keeps what is not sent, for this session alone', async () => {
    const { unmount } = open(idle);
    await userEvent.type(field(), 'half a tho');
    unmount();
    open(idle);
    expect(field()).toHaveValue('half a tho');
    const other = { ...idle, sessionId: 'ses_other' as SessionView['sessionId'] };
    draw(<Composer view={other} presence="online" />);
    expect(screen.getAllByRole('textbox')[1]).toHaveValue('');
  });

  it('keeps the text of a failure and sends the same instruction again', async () => {
    const { status, body } = errorAnswer('internal');
    answer = () => Response.json(body, { status });
    open(idle);
    await userEvent.type(field(), 'go{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(ERRORS.internal.sentence);
    expect(field()).toHaveValue('go');
    answer = () => Response.json({ turnId: 'trn_a' }, { status: 202 });
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(field()).toHaveValue(''));
    expect(sent[1]?.body.turnId).toBe(sent[0]?.body.turnId);
  });

  it('makes another text another instruction, also after a failure', async () => {
    const { status, body } = errorAnswer('internal');
    answer = () => Response.json(body, { status });
    open(idle);
    await userEvent.type(field(), 'go{Enter}');
    await screen.findByRole('alert');
    await userEvent.type(field(), ' on{Enter}');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body).toMatchObject({ text: 'go on' });
    expect(sent[1]?.body.turnId).not.toBe(sent[0]?.body.turnId);
  });

  it('keeps what is typed while it sends, and never under the id of what it sent', async () => {
    let arrive: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', (path: string, init: { body: string }) => {
      sent.push({ path, body: JSON.parse(init.body) });
      return new Promise<Response>((resolve) => (arrive = resolve));
    });
    open(idle);
    await userEvent.type(field(), 'go{Enter}');
    await waitFor(() => expect(sent).toHaveLength(1));
    await userEvent.type(field(), ' on');
    const { status, body } = errorAnswer('internal');
    arrive(Response.json(body, { status }));
    await screen.findByRole('alert');
    await userEvent.type(field(), '{Enter}');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body.turnId).not.toBe(sent[0]?.body.turnId);
    await userEvent.type(field(), ' and on');
    arrive(Response.json({ turnId: 'trn_a' }, { status: 202 }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled());
    expect(field()).toHaveValue('and on');
  });

  it.each([
    ['go', ''],
    ['go\n\nand then', 'and then'],
    ['rather that', 'rather that'],
  ])('has of %j, once "go" is sent, %j left', (now, left) => {
    expect(withoutSent(now, 'go')).toBe(left);
  });

  it('sends nothing that is only blank, and says what is missing', async () => {
    open(idle);
    await userEvent.type(field(), '  {Enter}');
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Write what to do first.')).toBeVisible();
  });

  it('gives the state table’s own reason when a session has ended', () => {
    const ended = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval(), {
      type: 'session/ended',
      end: 'stopped',
      reason: '',
    });
    expect(reasonNotToSend(ended, 'go')).toBe(ERRORS.session_ended.sentence);
    open(ended);
    expect(field()).toHaveAttribute('readonly');
  });

  it('refuses what is longer than an instruction may be', () => {
    const takeover = {
      form: 'keys',
      actorId: idle.actorId,
      channel: 'cli',
      epoch: 2,
      at: 1,
    } as const;
    expect(reasonNotToSend({ ...idle, takeover }, 'go')).toBe(ERRORS.taken_over.sentence);
    expect(reasonNotToSend(idle, 'x'.repeat(200_001))).toContain('200,000');
  });
});
