import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { Composer, reasonNotToSend } from '../../../console/session/composer.tsx';
import { addToDraft, hearDraft, keepDraft, readDraft } from '../../../console/session/draft.ts';
import { GoesOnFrom, GoOnElsewhere } from '../../../console/session/go-on.tsx';
import type { SessionView } from '../../../protocol/session-view.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { created, SESSION, viewAfter } from '../../support/protocol-builders.ts';
import { drawRouted } from '../support/routed.tsx';

const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const busy = viewAfter(...eventsUntilApproval());
const taken = {
  ...idle,
  takeover: { form: 'text', actorId: 'person', at: 1 },
} as unknown as SessionView;
const ended = viewAfter(created(), { type: 'session/ended', end: 'stopped', reason: '' });

const sent: unknown[] = [];
beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    sent.push(JSON.parse(init.body));
    return Response.json({ turnId: 'trn_a' }, { status: 202 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = (view: SessionView, over: Partial<Parameters<typeof Composer>[0]> = {}) =>
  drawRouted(<Composer view={view} presence="online" {...over} />);
const field = () => screen.getByRole('textbox', { name: 'What to do next' });

describe('the composer', () => {
  it.each<[string, SessionView, Partial<Parameters<typeof Composer>[0]>, RegExp]>([
    ['a machine that is away', idle, { presence: 'offline' }, /delivered when it is back/],
    ['a turn under way', busy, {}, /^Waits until this turn ends$/],
    ['a turn that takes words', busy, { steers: true }, /Steer for within/],
    ['nothing under way', idle, {}, /^Enter sends/],
  ])('hints at what sending does with %s', async (_, view, over, hint) => {
    await open(view, over);
    expect(screen.getByText(hint)).toBeInTheDocument();
  });

  it('offers to go on elsewhere only while the machine is away', async () => {
    const { unmount } = await open(idle, { presence: 'offline' });
    expect(screen.getByRole('link', { name: 'Go on elsewhere' })).toBeInTheDocument();
    unmount();
    await open(idle);
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  it('takes no words where none can be given, and keeps what was typed before', async () => {
    keepDraft(SESSION, 'Half a thought');
    await open(ended);
    expect(field()).toHaveAttribute('readonly');
    expect(field()).toHaveValue('Half a thought');
    expect(field()).toHaveAttribute('placeholder', 'Not now: see above.');
  });

  it('waits while somebody else drives, and lets whoever drives go on', async () => {
    const { unmount } = await open(taken);
    expect(screen.getByText(/instructions wait until it is handed back/)).toBeInTheDocument();
    await userEvent.type(field(), 'Go{Enter}');
    expect(sent).toEqual([]);
    unmount();
    await open(taken, { leaseKey: 'key-of-this-tab' });
    expect(screen.getByText(/^You drive/)).toBeInTheDocument();
    await userEvent.type(field(), '{Enter}');
    await vi.waitFor(() =>
      expect(sent).toEqual([expect.objectContaining({ text: 'Go', key: 'key-of-this-tab' })]),
    );
  });

  it('gives the reason of a takeover only to those who do not hold it', () => {
    expect(reasonNotToSend(taken, 'Go')).toMatch(/drives this session by hand/);
    expect(reasonNotToSend(taken, 'Go', 'key')).toBeNull();
  });

  it.each([
    [true, 0],
    [false, 1],
  ])('of an engine that resumes (%s) says %i times that it forgets', async (resume, times) => {
    const preset = aPreset(resume ? { parser: 'claude-stream-json', command: ['claude'] } : {});
    await open({ ...idle, launch: { ...idle.launch, preset } });
    expect(screen.queryAllByText(/knows the files, not what was said before/)).toHaveLength(times);
  });

  it('leaves an Enter that ends the composition of a word alone', async () => {
    await open(idle);
    await userEvent.type(field(), 'ship');
    expect(fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })).toBe(true);
    expect(sent).toEqual([]);
    expect(field()).toHaveValue('ship');
  });

  it('puts what other parts of the page add under what was typed, and the person there', async () => {
    await open(idle);
    await userEvent.type(field(), 'Look at this:');
    act(() => addToDraft(SESSION, 'src/sail.ts:3'));
    expect(field()).toHaveValue('Look at this:\nsrc/sail.ts:3');
    expect(field()).toHaveFocus();
    act(() => addToDraft('ses_other', 'not for here'));
    expect(field()).toHaveValue('Look at this:\nsrc/sail.ts:3');
  });
});

describe('what is typed for a session and not sent', () => {
  it('grows by a line, without a blank one before the first', () => {
    addToDraft('ses_a', 'one');
    addToDraft('ses_a', 'two');
    expect(readDraft('ses_a')).toBe('one\ntwo');
    keepDraft('ses_a', 'one\n\n');
    addToDraft('ses_a', 'two');
    expect(readDraft('ses_a')).toBe('one\ntwo');
  });

  it('leaves nothing behind once it is empty', () => {
    keepDraft('ses_a', 'one');
    keepDraft('ses_a', '');
    expect(localStorage).toHaveLength(0);
  });

  it('is told to everybody who hears it, until they stop', () => {
    const [first, second] = [vi.fn<(text: string) => void>(), vi.fn<(text: string) => void>()];
    const stop = hearDraft('ses_a', first);
    const stopOther = hearDraft('ses_a', second);
    addToDraft('ses_a', 'one');
    stop();
    addToDraft('ses_a', 'two');
    stopOther();
    addToDraft('ses_a', 'three');
    expect(first.mock.calls).toEqual([['one']]);
    expect(second.mock.calls).toEqual([['one'], ['one\ntwo']]);
  });
});

describe('going on in another session', () => {
  it('is offered once a turn has begun, with the engine of this one', async () => {
    const waiting = viewAfter(...eventsUntilApproval().slice(0, 2));
    const { container, unmount } = await drawRouted(<GoOnElsewhere view={waiting} />);
    expect(container).toBeEmptyDOMElement();
    unmount();
    await drawRouted(<GoOnElsewhere view={idle} />);
    expect(screen.getByRole('link')).toHaveAttribute(
      'href',
      `/launch?from=${SESSION}&engine=rehearsal`,
    );
  });

  it('is nothing for a session that began with nothing', async () => {
    const { container } = await drawRouted(<GoesOnFrom view={idle} />);
    expect(container).toBeEmptyDOMElement();
  });
});
