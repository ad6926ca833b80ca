import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import {
  aRunner,
  eventsAfterApproval,
  eventsUntilApproval,
} from '../../../console/mock/sentinels.ts';
import type { MockWorld } from '../../../console/mock/world.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { asked, openHouse } from '../support/house.tsx';

const objective = () => screen.findByRole('textbox', { name: 'Objective' });
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
/** A machine that has just connected: it looks for its engines first. */
const lookingForEngines = () => {
  const runner = aRunner();
  return { ...runner, machine: runner.machine && { ...runner.machine, engines: [] } };
};
const press = () => userEvent.click(screen.getByRole('button', { name: 'Launch' }));

describe('the launch page', { timeout: 20_000 }, () => {
  it('launches what was chosen and shows the session', async () => {
    const { world, router } = await openHouse('/launch');
    await userEvent.type(await objective(), 'Paint the hull');
    await userEvent.type(screen.getByLabelText(/Budget/), '2.50');
    expect(screen.getByText(/stops at \$2.50/)).toBeInTheDocument();
    await press();
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/ses_/));
    expect(asked(world)[0]).toMatchObject({
      path: '/v1/sessions',
      body: {
        runnerId: 'run_sentinel',
        engineId: 'rehearsal',
        directory: null,
        objective: 'Paint the hull',
        budgetMicroUsd: 2_500_000,
      },
    });
  });

  it('launches once, however fast it is pressed, and under one id after a lost answer', async () => {
    const { world } = await openHouse('/launch', (made) =>
      made.failures.set('POST /v1/sessions', 'internal'),
    );
    const field = await objective();
    await userEvent.type(field, 'Go');
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    await screen.findByRole('alert');
    expect(asked(world)).toHaveLength(1);
    await press();
    await waitFor(() => expect(asked(world)).toHaveLength(2));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Launch' })).toBeEnabled());
    await userEvent.type(field, ' on');
    await press();
    await waitFor(() => expect(asked(world)).toHaveLength(3));
    const [first, again, other] = asked(world).map(({ body }) => body as { turnId: string });
    expect(first?.turnId).toMatch(/^trn_/);
    expect(again?.turnId).toBe(first?.turnId);
    expect(other?.turnId).not.toBe(first?.turnId);
  });

  it('that is pressed before the machine has said what it can run is kept, says so, and goes out once it has', async () => {
    const { world, router } = await openHouse('/launch?engine=rehearsal', (made) => {
      made.runners = [lookingForEngines()];
    });
    await userEvent.type(await objective(), ' now');
    await press();
    const held = await screen.findByRole('button', { name: 'Waiting for lighthouse…' });
    expect(held).toBeDisabled();
    expect(screen.getByText(/goes out as soon as it has/)).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Do not launch' }));
    await press();
    world.runners = [aRunner()];
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/ses_/), {
      timeout: 10_000,
    });
    expect(asked(world)).toHaveLength(1);
    expect(asked(world)[0]?.body).toMatchObject({ engineId: 'rehearsal' });
  });

  it('that is kept launches no other engine than was asked for', async () => {
    const { world } = await openHouse('/launch?engine=claude', (made) => {
      made.runners = [lookingForEngines()];
    });
    await userEvent.type(await objective(), 'Look around');
    await press();
    await screen.findByRole('button', { name: 'Waiting for lighthouse…' });
    world.runners = [aRunner()];
    expect(
      await screen.findByRole('button', { name: 'Launch' }, { timeout: 10_000 }),
    ).toBeEnabled();
    expect(asked(world)).toEqual([]);
  });

  it('that is kept for one machine does not go to another', async () => {
    const other = aRunner({ runnerId: runnerId.parse('run_other'), name: 'harbour' });
    const { world } = await openHouse('/launch?engine=rehearsal', (made) => {
      made.runners = [lookingForEngines(), other];
    });
    await userEvent.type(await objective(), ' now');
    await press();
    await screen.findByRole('button', { name: 'Waiting for lighthouse…' });
    await userEvent.click(screen.getByRole('radio', { name: /harbour/ }));
    expect(await screen.findByRole('button', { name: 'Launch' })).toBeEnabled();
    expect(asked(world)).toEqual([]);
  });

  it('brings the images that are pasted, names them in the command, and launches with them', async () => {
    const { world, router } = await openHouse('/launch');
    const field = await objective();
    const files = [new File([PNG], 'rig.png', { type: 'image/png' })];
    fireEvent.paste(field, { clipboardData: { files, types: ['Files'] } });
    const shown = await screen.findByRole('img', { name: 'rig.png' });
    const [, under, id] =
      /launches\/(\w+)\/images\/(\w+)/.exec(shown.getAttribute('src') ?? '') ?? [];
    expect(asked(world)[0]?.path).toBe(`/v1/launches/${under}/images/${id}`);
    await userEvent.type(field, 'What is this');
    expect(screen.getByText(/--image=rig\.png/)).toBeInTheDocument();
    await press();
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/ses_/));
    expect(asked(world).at(-1)).toMatchObject({ body: { images: { under, imageIds: [id] } } });
    expect(sessionStorage.getItem('pilothouse:launch-images')).toBeNull();
  });

  it('says of a machine that takes no images what to do, and adds none', async () => {
    await openHouse('/launch', ({ runners }) => {
      for (const { machine } of runners) delete machine?.images;
    });
    const field = await objective();
    const files = [new File([PNG], 'rig.png', { type: 'image/png' })];
    fireEvent.paste(field, { clipboardData: { files, types: ['Files'] } });
    expect(screen.queryByRole('img', { name: 'rig.png' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Add images' })).toHaveAttribute(
      'title',
      expect.stringContaining('older than images with instructions'),
    );
  });

  it('asks for what is missing and launches nothing', async () => {
    const { world } = await openHouse('/launch');
    await objective();
    await press();
    expect((await screen.findAllByText('Say what to do.')).length).toBeGreaterThan(0);
    expect(await objective()).toHaveFocus();
    expect(asked(world)).toEqual([]);
  });

  it('folds an engine that is not ready below the others, with what to do', async () => {
    await openHouse('/launch');
    const claude = await screen.findByRole('radio', { name: /Claude Code/ });
    expect(claude).toBeDisabled();
    expect(claude.closest('label')).toHaveTextContent(
      'claude is not logged in. Run claude login there.',
    );
    const folded = claude.closest('details');
    expect(folded).not.toHaveAttribute('open');
    expect(folded?.querySelector('summary')).toHaveTextContent('Not ready here: Claude Code');
    const rehearsal = screen.getByRole('radio', { name: /Rehearsal/ });
    expect(rehearsal.closest('details')).toBeNull();
    expect(rehearsal.compareDocumentPosition(claude)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('offers an engine that was made ready meanwhile, after the machine looked again', async () => {
    const { world } = await openHouse('/launch');
    expect(await screen.findByRole('radio', { name: /Claude Code/ })).toBeDisabled();
    for (const { machine } of world.runners)
      for (const engine of machine?.engines ?? []) engine.ready = true;
    await userEvent.click(screen.getByRole('button', { name: 'Look again' }));
    await waitFor(() => expect(screen.getByRole('radio', { name: /Claude Code/ })).toBeEnabled());
    expect(screen.queryByRole('button', { name: 'Look again' })).not.toBeInTheDocument();
  });

  it('says of a mode without a cost that it merges nothing, and of an engine that is any command', async () => {
    await openHouse('/launch', (world) => {
      for (const { machine } of world.runners)
        for (const engine of machine?.engines ?? []) {
          engine.ready = true;
          engine.unmetered = ['ask'];
          if (engine.engineId !== 'claude')
            engine.capabilities = {
              turnEnd: 'exit',
              usage: 'none',
              acts: 'none',
              approvals: false,
              interrupt: true,
              resume: false,
            };
        }
    });
    await userEvent.click(await screen.findByRole('radio', { name: /Claude Code/ }));
    const capped = await screen.findAllByText(/does not tell what it costs in this mode/);
    expect(capped.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('pull requests at most'),
    ]);
  });

  it('completes a directory and tells what is there', async () => {
    await openHouse('/launch');
    const field = await screen.findByRole('combobox', { name: /Directory/ });
    await userEvent.type(field, '/home/sentinel/h');
    await userEvent.click(await screen.findByRole('option', { name: /harbour/ }));
    expect(field).toHaveValue('/home/sentinel/harbour');
    expect(await screen.findByText(/2 uncommitted files/)).toBeInTheDocument();
    expect(screen.getByRole('checkbox', { name: /uncommitted changes/ })).not.toBeChecked();
  });

  it('remembers what was typed when the page is left', async () => {
    const { router } = await openHouse('/launch');
    await userEvent.type(await objective(), 'Half a plan');
    await router.navigate({ to: '/acts' });
    await screen.findByRole('heading', { name: 'Acts' });
    await router.navigate({ to: '/launch' });
    expect(await objective()).toHaveValue('Half a plan');
  });

  it('shows a refusal of the server where the button is', async () => {
    await openHouse('/launch', (world) =>
      world.failures.set('POST /v1/sessions', 'directory_busy'),
    );
    await userEvent.type(await objective(), 'Go');
    await press();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Another session works in this directory.',
    );
  });
});

describe('a launch that goes on from another session', { timeout: 20_000 }, () => {
  const worked = (world: MockWorld) =>
    world.add([...eventsUntilApproval(), ...eventsAfterApproval()]);

  it('says from which, what its engine is told, and asks for it', async () => {
    let from = '';
    const { world, router } = await openHouse('/launch', (made) => {
      from = worked(made).sessionId;
    });
    await router.navigate({ to: '/launch', search: { from, engine: 'rehearsal' } });
    const note = await screen.findByRole('region', { name: 'Goes on from' });
    expect(note).toHaveTextContent(
      /told a record of 1 turn .* in 6\.0 K tokens at most|6 K tokens/,
    );
    await userEvent.clear(await objective());
    await userEvent.type(await objective(), 'Finish it');
    expect(screen.getByText(new RegExp(`--from ${from}`))).toBeInTheDocument();
    await press();
    await waitFor(() =>
      expect(asked(world)[0]?.body).toMatchObject({ from, objective: 'Finish it' }),
    );
  });

  it('can be begun with nothing after all', async () => {
    let from = '';
    const { world, router } = await openHouse('/launch', (made) => {
      from = worked(made).sessionId;
    });
    await router.navigate({ to: '/launch', search: { from } });
    await userEvent.click(await screen.findByRole('link', { name: /Begin with nothing/ }));
    await userEvent.type(await objective(), 'Anew');
    await press();
    await waitFor(() => expect(asked(world)).toHaveLength(1));
    expect(asked(world)[0]?.body).not.toHaveProperty('from');
  });

  it('says what is wrong with a session that cannot be read', async () => {
    const { router } = await openHouse('/launch');
    await router.navigate({ to: '/launch', search: { from: 'ses_nowhere' } });
    expect(await screen.findByRole('alert')).toHaveTextContent('No session has this id');
  });
});
