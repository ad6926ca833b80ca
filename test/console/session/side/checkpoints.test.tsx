import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { CHECKPOINTS } from '../../../../console/mock/review.ts';
import { nameOf } from '../../../../console/session/side/checkpoints.tsx';
import type { SessionView } from '../../../../protocol/session-view.ts';
import { TURN } from '../../../support/protocol-builders.ts';
import { asked } from '../../support/house.tsx';
import { openChanges } from './open-changes.ts';

async function openKept(prepare?: Parameters<typeof openChanges>[1]) {
  const house = await openChanges(undefined, prepare);
  await userEvent.click(await screen.findByRole('button', { name: 'Put the files back' }));
  return house;
}

describe('what files can be put back to', { timeout: 20_000 }, () => {
  it('is asked for when it is opened, and says what is kept and what is not touched', async () => {
    const { world, path } = await openKept();
    const list = await screen.findByRole('list', { name: 'Checkpoints' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(CHECKPOINTS.length);
    expect(within(list).getByText('When it began')).toBeVisible();
    expect(within(list).getByText('Before they were put back')).toBeVisible();
    expect(screen.getByText(/commits stay, and what git ignores is not touched/)).toBeVisible();
    expect(world.received.filter((one) => one.path === `${path}/checkpoints`)).toHaveLength(1);
  });

  it('puts them back, and begins the next instruction with it', async () => {
    const { world, path } = await openKept();
    const words = 'Put the files back to how they were when it began';
    await userEvent.click(await screen.findByRole('button', { name: words }));
    const sentence = 'The files were put back to how they were when it began.';
    expect(await screen.findByDisplayValue(sentence)).toBeVisible();
    expect(asked(world)).toEqual([
      { path: `${path}/rewind`, body: { tree: CHECKPOINTS.at(-1)?.tree } },
    ]);
  });

  it('teaches where there is nothing yet', async () => {
    await openKept((world) => {
      world.checkpoints = [];
    });
    expect(await screen.findByText(/they are kept after each turn/)).toBeVisible();
  });

  it('is named by its turn', () => {
    const turns = [{ turnId: TURN }] as SessionView['turns'];
    expect(nameOf({ turns }, { kind: 'turn', turnId: TURN })).toBe('after turn 1');
    expect(nameOf({ turns: [] }, { kind: 'turn', turnId: TURN })).toBe('after a turn');
  });
});
