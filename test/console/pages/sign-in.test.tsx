import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LINK_TOKEN } from '../../../console/mock/sentinels.ts';
import { asked, openHouse, findHeading } from '../support/house.tsx';

const signedOut = (world: { signedIn: boolean }) => {
  world.signedIn = false;
};

describe('signing in', { timeout: 20_000 }, () => {
  it('exchanges the link’s token once, takes it out of the address, and goes home', async () => {
    const { world } = await openHouse(`/sign-in#${LINK_TOKEN}`, signedOut);
    expect(await findHeading('Home')).toBeInTheDocument();
    expect(asked(world)).toEqual([{ path: '/v1/sign-in', body: { token: LINK_TOKEN } }]);
    expect(location.href).not.toContain(LINK_TOKEN);
  });

  it('with a used link says what to do', async () => {
    await openHouse('/sign-in#used-before', signedOut);
    expect(await screen.findByRole('alert')).toHaveTextContent('was used or has expired');
    expect(screen.getAllByText('pilothouse link').length).toBeGreaterThan(0);
  });

  it('with a used link goes home when this browser is signed in already', async () => {
    await openHouse('/sign-in#used-by-me');
    expect(await findHeading('Home')).toBeInTheDocument();
  });

  it('is explained on every page to whoever is not', async () => {
    await openHouse('/spend', signedOut);
    expect(await findHeading('You are not signed in')).toBeInTheDocument();
    expect(screen.getByText('npm start')).toBeInTheDocument();
  });
});
