import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openHouse } from '../support/house.tsx';

it('the gallery shows every state of a fork and of what a session serves, in both themes', async () => {
  await openHouse('/dev/gallery');
  for (const words of [
    /^Fork here/,
    /forked from another session at turn 1/,
    /forked into another at turn 1/,
    /Its engine goes on in a copy of the conversation up to turn 1/,
    /Briefed, not resumed: another engine is/,
    /It cannot be forked there\. None of its turns is over yet\./,
    /It cannot be forked there\. The runner of its machine is of an older version/,
    /^in a network of its own/,
    /this says the address for a browser there/,
    /None of its processes listens on a port/,
  ])
    expect([words, (await screen.findAllByText(words)).length % 2]).toEqual([words, 0]);
}, 20_000);
