import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nameOf, readThisDevice, whyNotPush } from '../../../console/push/this-browser.ts';
import { pushDeviceId } from '../../../protocol/ids.ts';
import type { PushDevice } from '../../../protocol/push.ts';
import { asked, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const device = (over: Partial<PushDevice> = {}): PushDevice => ({
  deviceId: pushDeviceId.parse('psh_sentinel'),
  name: 'Firefox on Android',
  kinds: ['approval'],
  added: [],
  quiet: null,
  details: false,
  createdAt: Date.now(),
  lastAt: null,
  fault: null,
  ...over,
});

/** A browser with a push service that takes it, or one whose service is out of reach. */
function standBrowser(reaches = true) {
  const made = {
    toJSON: () => ({
      endpoint: 'https://fcm.googleapis.com/sentinel',
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    }),
    unsubscribe: vi.fn(async () => true),
  };
  const pushManager = {
    subscribe: vi.fn(async () => {
      if (!reaches) throw new DOMException('push service error', 'AbortError');
      return made;
    }),
    getSubscription: async () => (reaches ? made : null),
  };
  const registration = { pushManager };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', {
    permission: 'default',
    requestPermission: async () => 'granted',
  });
  vi.stubGlobal('navigator', {
    onLine: true,
    language: navigator.language,
    maxTouchPoints: 0,
    userAgent: 'Mozilla/5.0 (Android 16; Mobile) Gecko Firefox/149.0',
    serviceWorker: {
      register: vi.fn(async () => registration),
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    },
  });
  return { made, pushManager };
}
afterEach(() => vi.unstubAllGlobals());

const browsers = () => screen.findByRole('list', { name: 'Browsers' });
const button = () => screen.findByRole('button', { name: 'Tell this browser' });

describe('notifications', { timeout: 20_000 }, () => {
  it('are turned on for this browser by one click, with the key of the server', async () => {
    const { pushManager } = standBrowser();
    await openHouse('/settings');
    await userEvent.click(await button());
    expect(await browsers()).toHaveTextContent('Firefox on Android');
    expect(await browsers()).toHaveTextContent('this browser');
    expect(pushManager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: 'B'.repeat(87),
    });
    expect(readThisDevice()).toBe('psh_1');
    expect(screen.queryByRole('button', { name: 'Tell this browser' })).toBeNull();
  });

  it('that reach no push service say what to look at', async () => {
    standBrowser(false);
    await openHouse('/settings');
    await userEvent.click(await button());
    expect(await screen.findByRole('alert')).toHaveTextContent('reached no push service');
    expect(readThisDevice()).toBeNull();
  });

  it('are chosen by kind, with quiet hours of the place', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.push.devices = [device({ fault: 'its push service answered 403' })];
    });
    expect(await browsers()).toHaveTextContent('Not told the last time: its push service');
    await userEvent.click(within(await browsers()).getByLabelText(/session failed/));
    await waitFor(() => expect(world.push.devices[0]?.kinds).toEqual(['approval', 'failed']));
    await userEvent.click(screen.getByLabelText('Quiet hours'));
    expect(await screen.findByLabelText('Quiet from')).toHaveValue('22:00');
    await waitFor(() => expect(world.push.devices[0]?.quiet).toMatchObject({ to: 420 }));
  });

  it('name what came since they were chosen, until somebody keeps or changes it', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.push.devices = [device({ kinds: ['approval', 'pilot'], added: ['pilot'] })];
    });
    const note = await within(await browsers()).findByRole('note');
    expect(note).toHaveTextContent('told of too: A Pilot asks, or proposes its next step.');
    await userEvent.click(within(note).getByRole('button', { name: 'Keep it so' }));
    await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
    expect(world.push.devices[0]).toMatchObject({ kinds: ['approval', 'pilot'], added: [] });
  });

  it('have quiet hours that are saved once they are typed, and not with each digit', async () => {
    const quiet = { from: 22 * 60, to: 7 * 60, timeZone: 'UTC' };
    const { world } = await openHouse('/settings', (made) => {
      made.push.devices = [device({ quiet })];
    });
    const from = within(await browsers()).getByLabelText('Quiet from');
    const to = screen.getByLabelText('Quiet to');
    from.focus();
    fireEvent.change(from, { target: { value: '02:00' } });
    fireEvent.change(from, { target: { value: '20:00' } });
    expect(from).toHaveValue('20:00');
    expect(asked(world)).toEqual([]);
    await userEvent.click(to);
    // The next field is open while the last one is saved, and builds on it.
    expect(to).toHaveFocus();
    fireEvent.change(to, { target: { value: '06:30' } });
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(world.push.devices[0]?.quiet).toEqual({ ...quiet, from: 1200, to: 390 }),
    );
    expect(asked(world)).toHaveLength(2);
    fireEvent.change(to, { target: { value: '' } });
    fireEvent.blur(to);
    expect(to).toHaveValue('06:30');
    expect(asked(world)).toHaveLength(2);
  });

  it('are turned off in the browser too, where it is this one', async () => {
    const { made } = standBrowser();
    const { world } = await openHouse('/settings');
    await userEvent.click(await button());
    await browsers();
    await userEvent.click(screen.getByRole('button', { name: 'Tell it nothing more' }));
    await waitFor(() => expect(world.push.devices).toEqual([]));
    await waitFor(() => expect(made.unsubscribe).toHaveBeenCalled());
    expect(readThisDevice()).toBeNull();
  });

  it('are turned off from elsewhere by their name alone, for nobody can turn them on from here', async () => {
    const { world } = await openHouse('/settings', (made) => void made.push.devices.push(device()));
    await userEvent.click(await screen.findByRole('button', { name: 'Tell it nothing more…' }));
    const press = async () =>
      userEvent.click(await screen.findByRole('button', { name: 'Tell it nothing more' }));
    await press();
    expect(asked(world)).toEqual([]);
    expect(await typeName()).toBe('Firefox on Android');
    await act(async () => press());
    await waitFor(() => expect(world.push.devices).toEqual([]));
    await waitFor(() => expect(screen.queryByText('Firefox on Android')).not.toBeInTheDocument());
  });
});

describe('a browser', () => {
  it('that cannot be told says why', () => {
    vi.stubGlobal('isSecureContext', false);
    expect(whyNotPush()).toContain('by https');
    standBrowser();
    expect(whyNotPush()).toBeNull();
    vi.stubGlobal('Notification', { permission: 'denied' });
    expect(whyNotPush()).toContain('refuses notifications');
  });

  it.each([
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/149.0 Safari/537.36 Edg/149.0', 'Edge on Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) Safari/604.1', 'Safari on iOS'],
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/149.0 Safari/537.36', 'Chrome on Linux'],
    ['curl', 'A browser'],
  ])('of %s is called %s', (agent, name) => {
    expect(nameOf(agent)).toBe(name);
  });
});
