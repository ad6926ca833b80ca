import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { MockWorld } from '../../../console/mock/world.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { asked, openHouse } from '../support/house.tsx';

/** An engine that was saved by command line, then edited in the console. */
const twoVersions = ({ engines }: MockWorld) => {
  engines.versions.set('my-agent', [
    { version: 2, savedAt: 2_000, savedBy: 'person', preset: aPreset({ command: ['tac'] }) },
    { version: 1, savedAt: 1_000, savedBy: 'cli', preset: aPreset({ command: ['cat'] }) },
  ]);
};
const openVersions = async (prepare = twoVersions) => {
  const house = await openHouse('/machines/engines', prepare);
  await userEvent.click(await screen.findByRole('button', { name: 'Versions' }));
  const list = await screen.findByRole('list', { name: 'Versions, the newest first' });
  return { ...house, rows: () => within(list).getAllByRole('listitem') };
};

describe('the versions of an engine', { timeout: 20_000 }, () => {
  it('are told with who saved each, and where', async () => {
    const { rows } = await openVersions();
    const [newest, oldest] = rows();
    expect(newest).toHaveTextContent(/Version 2 in the console, .*tac/);
    expect(newest).toHaveTextContent('It is so now.');
    expect(oldest).toHaveTextContent(/Version 1 by command line, .*cat/);
    expect(screen.getByText('pilothouse engines history my-agent')).toBeInTheDocument();
  });

  it('show what changed when asked, and hide it again', async () => {
    const { rows } = await openVersions();
    const button = within(rows()[0] as HTMLElement).getByRole('button', { name: 'What changed' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    const row = (kind: string) => document.querySelector(`[data-line="${kind}"]`);
    expect(row('removed')).toHaveTextContent('removed "cat"');
    expect(row('added')).toHaveTextContent('added "tac"');
    await userEvent.click(button);
    expect(row('removed')).toBeNull();
  });

  it('say nothing of a change before the first', async () => {
    const { rows } = await openVersions();
    expect(within(rows()[1] as HTMLElement).queryByText('What changed')).toBeNull();
  });

  it('are restored as the next version, on top of the one that was seen', async () => {
    const { rows, world } = await openVersions();
    await userEvent.click(screen.getByRole('button', { name: 'Restore version 1' }));
    await screen.findByText('Version 3');
    expect(asked(world)).toEqual([
      { path: '/v1/engines', body: { preset: aPreset({ command: ['cat'] }), basedOn: 2 } },
    ]);
    expect(rows()[0]).toHaveTextContent('It is so now.');
  });

  it('that somebody else saved meanwhile is not overwritten, and the refusal says so', async () => {
    const { world } = await openVersions((each) => {
      twoVersions(each);
      each.failures.set('POST /v1/engines', 'engine_changed');
    });
    await userEvent.click(screen.getByRole('button', { name: 'Restore version 1' }));
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(world.engines.detail('my-agent').versions).toHaveLength(2);
    world.failures.clear();
    await userEvent.click(screen.getByRole('button', { name: 'Show how it stands now' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(screen.getByRole('button', { name: 'Restore version 1' })).toBeVisible();
  });

  it('are not offered for what comes with the product', async () => {
    await openHouse('/machines/engines');
    await screen.findByRole('list', { name: 'Engines that come with Pilothouse' });
    expect(screen.queryByRole('button', { name: 'Versions' })).toBeNull();
  });
});
