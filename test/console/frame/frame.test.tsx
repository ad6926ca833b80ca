import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeStored } from '../../../console/lib/storage.ts';
import { VERSION } from '../../../console/mock/sentinels.ts';
import { readThisDevice } from '../../../console/push/this-browser.ts';
import { asked, findHeading, openHouse } from '../support/house.tsx';

afterEach(() => void vi.restoreAllMocks());

const openMenu = () =>
  userEvent.click(screen.getByRole('button', { name: 'You and this console' }));

describe('the console around every page', { timeout: 20_000 }, () => {
  it('tells whoever is not signed in how to get in, and lets them in afterwards', async () => {
    const { world } = await openHouse('/machines', (held) => void (held.signedIn = false));
    expect(await findHeading('You are not signed in')).toBeInTheDocument();
    expect(screen.getByText('pilothouse link')).toBeInTheDocument();
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(document.title).toBe('Sign in · Pilothouse');
    world.signedIn = true;
    await userEvent.click(screen.getByRole('button', { name: /try again/ }));
    expect(await findHeading('Machines')).toBeInTheDocument();
  });

  it('says why nobody can be told who looks, and asks again when it is told to', async () => {
    const { world } = await openHouse('/', (held) => held.failures.set('GET /v1/me', 'internal'));
    expect(await screen.findByRole('alert')).toHaveTextContent('req-sentinel');
    world.failures.clear();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await findHeading('Home')).toBeInTheDocument();
  });

  it('marks the page that is open, also deeper in it, and Home on the home page alone', async () => {
    await openHouse('/machines/engines');
    const rail = within(await screen.findByRole('navigation', { name: 'Pages' }));
    const current = () =>
      rail
        .getAllByRole('link')
        .filter((link) => link.getAttribute('aria-current') === 'page')
        .map((link) => link.textContent);
    await waitFor(() => expect(current()).toEqual(['Machines']));
    await userEvent.click(rail.getByRole('link', { name: 'Home' }));
    await waitFor(() => expect(current()).toEqual(['Home']));
  });

  it('leads the keyboard past itself to the page, first of all', async () => {
    await openHouse('/');
    await findHeading('Home');
    await userEvent.tab();
    expect(screen.getByRole('link', { name: 'Skip to the page' })).toHaveFocus();
    expect(document.querySelector('#main')).toContainElement(await findHeading('Home'));
  });
});

describe('the menu of a person', { timeout: 20_000 }, () => {
  it('says who looks, and at which version', async () => {
    await openHouse('/');
    await findHeading('Home');
    await openMenu();
    expect(await screen.findByText(`sentinel · version ${VERSION}`)).toBeInTheDocument();
  });

  it('lists the shortcuts', async () => {
    await openHouse('/');
    await findHeading('Home');
    await openMenu();
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }));
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInTheDocument();
  });

  it('opens the reference of the API beside the console, without a way back into it', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await openHouse('/');
    await findHeading('Home');
    await openMenu();
    await userEvent.click(await screen.findByRole('menuitem', { name: 'API reference' }));
    expect(open).toHaveBeenCalledExactlyOnceWith('/v1/reference', '_blank', 'noopener');
  });

  it('signs this browser out on the server before the page goes', async () => {
    const { world } = await openHouse('/machines');
    await findHeading('Machines');
    writeStored('push-device', 'psh_1');
    const before: string[] = [];
    const goneTo = vi.spyOn(window.location, 'assign').mockImplementation(() => {
      before.push(...asked(world).map(({ path }) => path));
    });
    await openMenu();
    await userEvent.click(
      await screen.findByRole('menuitem', { name: 'Sign out of this browser' }),
    );
    await waitFor(() => expect(goneTo).toHaveBeenCalledWith('/'));
    expect(before).toEqual(['/v1/sign-out']);
    expect(readThisDevice()).toBeNull();
  });
});
