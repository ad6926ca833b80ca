import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openHouse } from '../support/house.tsx';

it('lists every part of the settings, in their order, and each leads to its own', async () => {
  await openHouse('/settings');
  const list = await screen.findByRole('navigation', { name: 'Parts of the settings' });
  const led = within(list)
    .getAllByRole('link')
    .map((link) => document.querySelector(link.getAttribute('href') ?? ''));
  const headings = led.map((part) => part?.querySelector('h2')?.textContent);
  const all = within(screen.getByRole('main')).getAllByRole('heading', { level: 2 });
  expect(headings.length).toBeGreaterThan(5);
  expect(headings).toEqual(all.map((heading) => heading.textContent));
});
