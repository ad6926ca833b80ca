import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Composer } from '../../../console/session/composer.tsx';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { drawRouted } from '../support/routed.tsx';

const view = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const FILES = ['src/sail.ts', 'docs/rig.md'];

let asked: string[];
let sent: string[];
let files: () => Response;
beforeEach(() => {
  localStorage.clear();
  asked = [];
  sent = [];
  files = () => Response.json({ files: FILES, examined: 40, more: false });
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string }) => {
    if (path.includes('/files')) {
      asked.push(path);
      return files();
    }
    sent.push((JSON.parse(init.body) as { text: string }).text);
    return Response.json({ turnId: 'trn_a' }, { status: 202 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const field = () => screen.getByRole('textbox');
const option = (name: RegExp) => screen.findByRole('option', { name });

describe('an @ in the composer', { timeout: 20_000 }, () => {
  it('lists the files of the session, marks the best, and Enter puts it in without sending', async () => {
    await drawRouted(<Composer view={view} presence="online" />);
    await userEvent.type(field(), 'a @s');
    expect(await option(/sail\.ts/)).toHaveAttribute('aria-selected', 'true');
    const address = `/v1/sessions/${view.sessionId}/files?query=s&limit=12`;
    await waitFor(() => expect(asked.at(-1)).toBe(address));
    expect(field().getAttribute('aria-activedescendant')).toBe(
      (await option(/sail\.ts/)).getAttribute('id'),
    );
    await userEvent.keyboard('{Enter}');
    expect(field()).toHaveValue('a src/sail.ts ');
    expect(screen.queryByRole('listbox')).toBeNull();
    await userEvent.keyboard('b{Enter}');
    await waitFor(() => expect(sent).toEqual(['a src/sail.ts b']));
  });

  it('is walked with the arrows, taken with Tab or the pointer, and shut with Escape', async () => {
    await drawRouted(<Composer view={view} presence="online" />);
    await userEvent.type(field(), '@');
    await option(/sail\.ts/);
    await userEvent.keyboard('{ArrowDown}');
    expect(await option(/rig\.md/)).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Tab}');
    expect(field()).toHaveValue('docs/rig.md ');
    await userEvent.type(field(), '@');
    await userEvent.pointer({ keys: '[MouseLeft]', target: await option(/sail\.ts/) });
    expect(field()).toHaveValue('docs/rig.md src/sail.ts ');
    await userEvent.type(field(), '@');
    await option(/sail\.ts/);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(sent).toEqual(['docs/rig.md src/sail.ts @']));
  });

  it('is text like any other where the machine does not answer, and says so', async () => {
    files = () => {
      const { status, body } = errorAnswer('runner_offline');
      return Response.json(body, { status });
    };
    await drawRouted(<Composer view={view} presence="online" />);
    await userEvent.type(field(), '@s');
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('goes as it is'));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(sent).toEqual(['@s']));
  });

  it('asks nobody about an address, and nobody at all while the machine is away', async () => {
    await drawRouted(<Composer view={view} presence="offline" />);
    await userEvent.type(field(), '@s{Enter}');
    await waitFor(() => expect(sent).toEqual(['@s']));
    expect(asked).toEqual([]);
  });
});
