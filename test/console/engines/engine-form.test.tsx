import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { MockWorld } from '../../../console/mock/world.ts';
import { printPresetFile } from '../../../protocol/engines.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { asked, openHouse } from '../support/house.tsx';

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const choose = (name: RegExp) => userEvent.click(screen.getByRole('radio', { name }));
/** Pasted, which is as much as typed and takes no time. */
const fill = async (label: RegExp, text: string) => {
  await userEvent.click(screen.getByLabelText(label));
  await userEvent.paste(text);
};
const addOne = async (prepare?: (world: MockWorld) => void) => {
  const house = await openHouse('/machines/engines', prepare);
  await press('Add an engine');
  return house;
};
const fillAll = async () => {
  await fill(/^Id$/, ' my-agent ');
  await fill(/called/, 'My agent');
  await fill(/Command/, 'ollama\nrun\nqwen3');
};
/** One engine of the account's own, at its second version. */
const own = ({ engines }: MockWorld) => {
  engines.versions.set('my-agent', [
    { version: 2, savedAt: 2_000, savedBy: 'person', preset: aPreset({ env: ['HOME', 'KEY'] }) },
  ]);
};
const pickFile = async (text: string) =>
  userEvent.upload(
    await screen.findByLabelText('File of an engine'),
    new File([text], 'x.engine.json', { type: 'application/json' }),
  );

describe('an engine that is described', { timeout: 20_000 }, () => {
  it('is saved as it was typed, and listed with what it runs', async () => {
    const { world } = await addOne();
    await fillAll();
    await press('Save the engine');
    const list = within(await screen.findByRole('list', { name: 'Your own engines' }));
    expect(list.getByText('ollama run qwen3')).toBeVisible();
    expect(list.getByText('version 1')).toBeVisible();
    expect(asked(world)).toEqual([
      {
        path: '/v1/engines',
        body: { preset: aPreset({ command: ['ollama', 'run', 'qwen3'] }), basedOn: 0 },
      },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is not called wrong before it is tried, and then each field says what it needs', async () => {
    const { world } = await addOne();
    const id = screen.getByLabelText('Id');
    await userEvent.type(id, 'My Agent');
    expect(id).toHaveAttribute('aria-invalid', 'false');
    await press('Save the engine');
    expect(id).toHaveAttribute('aria-invalid', 'true');
    expect(id).toHaveValue('My Agent');
    expect(screen.getByText('Name the program, then its words, a line each.')).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.clear(id);
    await userEvent.type(id, 'my-agent');
    expect(id).toHaveAttribute('aria-invalid', 'false');
  });

  it('says nothing of input and conversation where its output is read by a known form', async () => {
    const { world } = await addOne();
    await fillAll();
    await choose(/As the last argument/);
    await fill(/begin a conversation/, '--new');
    await choose(/Claude/);
    expect(screen.queryByLabelText(/begin a conversation/)).toBeNull();
    await press('Save the engine');
    await screen.findByRole('list', { name: 'Your own engines' });
    expect(asked(world)).toMatchObject([
      { body: { preset: { parser: 'claude-stream-json', input: 'stdin', resume: null } } },
    ]);
  });

  it('goes on with a conversation by words that name it, or says which word is missing', async () => {
    const { world } = await addOne();
    await fillAll();
    await fill(/begin a conversation/, '--session-id {session}');
    await press('Save the engine');
    expect(screen.getByLabelText(/go on with it/)).toHaveAttribute('aria-invalid', 'true');
    expect(asked(world)).toEqual([]);
    await fill(/go on with it/, '--resume {session}');
    await press('Save the engine');
    await screen.findByRole('list', { name: 'Your own engines' });
    expect(asked(world)).toMatchObject([
      {
        body: {
          preset: {
            resume: { begin: ['--session-id', '{session}'], again: ['--resume', '{session}'] },
          },
        },
      },
    ]);
  });

  it('gets the variables that are named and no others, once that is chosen', async () => {
    const { world } = await addOne();
    await fillAll();
    expect(screen.queryByLabelText(/Names, separated/)).toBeNull();
    await choose(/those named here/);
    await fill(/Names, separated/, 'OLLAMA_HOST, KEY');
    await press('Save the engine');
    await screen.findByRole('list', { name: 'Your own engines' });
    expect(asked(world)).toMatchObject([{ body: { preset: { env: ['OLLAMA_HOST', 'KEY'] } } }]);
  });

  it('is saved once, however fast it is pressed', async () => {
    const { world } = await addOne();
    await fillAll();
    const button = screen.getByRole('button', { name: 'Save the engine' });
    fireEvent.click(button);
    fireEvent.click(button);
    await screen.findByText('version 1');
    expect(asked(world)).toHaveLength(1);
  });

  it('is kept in the form when saving fails, and saved by a retry', async () => {
    const { world } = await addOne((made) => made.failures.set('POST /v1/engines', 'internal'));
    await fillAll();
    await press('Save the engine');
    await screen.findByRole('alert');
    expect(screen.getByLabelText('Id')).toHaveValue(' my-agent ');
    world.failures.clear();
    await press('Retry');
    expect(await screen.findByRole('list', { name: 'Your own engines' })).toBeVisible();
  });
});

describe('an engine that there is', { timeout: 20_000 }, () => {
  it('is edited under its id, on top of the version that was seen', async () => {
    const { world } = await openHouse('/machines/engines', own);
    const list = await screen.findByRole('list', { name: 'Your own engines' });
    await userEvent.click(within(list).getByRole('button', { name: 'Edit' }));
    expect(screen.queryByLabelText('Id')).toBeNull();
    expect(screen.getByLabelText(/Names, separated/)).toHaveValue('HOME KEY');
    await fill(/Oldest version/, '1.2.0');
    await press('Save as version 3');
    await screen.findByText('version 3');
    expect(asked(world)).toMatchObject([
      { body: { basedOn: 2, preset: { id: 'my-agent', minVersion: '1.2.0' } } },
    ]);
  });

  it('of the product is edited as one’s own version of it, whose id nobody has to type', async () => {
    const { world } = await openHouse('/machines/engines', own);
    const edit = async () => {
      const list = await screen.findByRole('list', { name: 'Engines that come with Pilothouse' });
      await userEvent.click(
        within(list).getAllByRole('button', { name: 'Edit' })[0] as HTMLElement,
      );
    };
    await edit();
    expect(screen.getByLabelText('Id')).toHaveValue('my-claude');
    await press('Save the engine');
    await screen.findByText(/Your own version of Claude Code, which stays as it is/);
    await edit();
    expect(screen.getByLabelText('What it is called')).toHaveValue('Claude Code, your own');
    await press('Save as version 2');
    await screen.findAllByText('version 2');
    expect(asked(world).map(({ body }) => body)).toMatchObject([
      { basedOn: 0, preset: { id: 'my-claude', parser: 'claude-stream-json' } },
      { basedOn: 1, preset: { id: 'my-claude' } },
    ]);
  });

  it('is copied to a new one, which is based on nothing', async () => {
    const { world } = await openHouse('/machines/engines', own);
    await press('Copy');
    expect(screen.getByLabelText('Id')).toHaveValue('my-my-agent');
    await press('Save the engine');
    await screen.findByText('my-my-agent');
    expect(asked(world)).toMatchObject([{ body: { basedOn: 0, preset: { id: 'my-my-agent' } } }]);
  });

  it('is removed once that is confirmed, and stays where it is refused', async () => {
    const { world } = await openHouse('/machines/engines', (made) => {
      own(made);
      made.failures.set('POST /v1/engines/my-agent/remove', 'internal');
    });
    await press('Remove');
    expect(asked(world)).toEqual([]);
    expect(screen.getByText('pilothouse engines remove my-agent')).toBeVisible();
    await press('Remove the engine');
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(world.engines.list()).toHaveLength(1);
    world.failures.clear();
    await press('Remove the engine');
    expect(await screen.findByText('No engine of your own yet')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Undo');
    await waitFor(() => expect(world.engines.list()).toHaveLength(1));
  });
});

describe('the file of an engine', { timeout: 20_000 }, () => {
  it('fills the form, and saves nothing by itself', async () => {
    const { world } = await openHouse('/machines/engines');
    await pickFile(printPresetFile(aPreset({ command: ['tac'] })));
    const dialog = within(await screen.findByRole('dialog', { name: 'Import an engine' }));
    expect(dialog.getByLabelText(/Command/)).toHaveValue('tac');
    expect(asked(world)).toEqual([]);
  });

  it('of one that there is says what it would replace, as its next version', async () => {
    await openHouse('/machines/engines', own);
    await screen.findByRole('list', { name: 'Your own engines' });
    await pickFile(printPresetFile(aPreset({ command: ['tac'] })));
    await screen.findByRole('dialog', { name: 'Import over My agent' });
    expect(screen.getByRole('button', { name: 'Save as version 3' })).toBeVisible();
  });

  it.each([
    ['no JSON', 'hello', /This is no file of an engine/],
    ['JSON of another kind', '{"kind":"x"}', /This is no file of an engine/],
    [
      'an engine that cannot be',
      printPresetFile(aPreset()).replace('"cat"', ''),
      /The file cannot be used: command/,
    ],
  ])('that is %s opens no form, and says why', async (_what, text, words) => {
    await openHouse('/machines/engines');
    await pickFile(text);
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
