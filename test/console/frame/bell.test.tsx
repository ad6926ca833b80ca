import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BellChoice } from '../../../console/frame/bell.tsx';
import { turnBellOff } from '../../../console/frame/notifications.ts';
import { openHouse } from '../support/house.tsx';
import { draw } from '../support/render.tsx';

/** The browser's part: what it was asked, and what it showed. */
class Shown extends EventTarget {
  static permission: NotificationPermission = 'default';
  static asked = 0;
  static all: { title: string; body: string | undefined; closed: boolean; click: () => void }[] =
    [];
  static answer: NotificationPermission = 'granted';
  static async requestPermission() {
    Shown.asked += 1;
    Shown.permission = Shown.answer;
    return Shown.permission;
  }
  readonly #entry;
  constructor(title: string, options?: NotificationOptions) {
    super();
    this.#entry = {
      title,
      body: options?.body,
      closed: false,
      click: () => this.dispatchEvent(new Event('click')),
    };
    Shown.all.push(this.#entry);
  }
  close() {
    this.#entry.closed = true;
  }
}

beforeEach(() => {
  Object.assign(Shown, { permission: 'default', asked: 0, all: [], answer: 'granted' });
  vi.stubGlobal('Notification', Shown);
});
afterEach(() => {
  turnBellOff();
  vi.unstubAllGlobals();
});

describe('the choice to be notified', () => {
  it('is off, and asks the browser for nothing before it is clicked', async () => {
    draw(<BellChoice />);
    expect(screen.getByRole('checkbox', { name: /Notify me/ })).not.toBeChecked();
    expect(Shown.asked).toBe(0);
    await userEvent.click(screen.getByRole('checkbox'));
    await waitFor(() => expect(screen.getByRole('checkbox')).toBeChecked());
    expect(Shown.asked).toBe(1);
  });

  it('is taken back by another click', async () => {
    draw(<BellChoice />);
    await userEvent.click(screen.getByRole('checkbox'));
    await waitFor(() => expect(screen.getByRole('checkbox')).toBeChecked());
    await userEvent.click(screen.getByRole('checkbox'));
    await waitFor(() => expect(screen.getByRole('checkbox')).not.toBeChecked());
  });

  it('says what to do where the browser refuses', async () => {
    Shown.answer = 'denied';
    draw(<BellChoice />);
    await userEvent.click(screen.getByRole('checkbox'));
    expect(await screen.findByText(/Allow them in its settings/)).toBeInTheDocument();
  });

  it('says so where the browser has none', () => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(globalThis, 'Notification');
    draw(<BellChoice />);
    expect(screen.getByText(/shows no notifications here/)).toBeInTheDocument();
  });
});

describe('the console in the background', () => {
  it('asks for nothing and shows nothing before somebody wants it', async () => {
    await openHouse('/');
    await screen.findByRole('button', { name: /need/i });
    expect([Shown.asked, Shown.all]).toEqual([0, []]);
  });
});
