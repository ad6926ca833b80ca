import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Composer } from '../../../console/session/composer.tsx';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { drawRouted } from '../support/routed.tsx';

const view = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const file = (name = 'rig.png', bytes = PNG) => new File([bytes], name, { type: 'image/png' });

let sent: { text: string; images?: string[] }[];
let parts: string[];
let arrives: () => Response | null;
beforeEach(() => {
  localStorage.clear();
  sent = [];
  parts = [];
  arrives = () => null;
  vi.stubGlobal('fetch', async (path: string, init: { body: string }) => {
    const id = /images\/(img_\w+)/.exec(path)?.[1];
    if (id) {
      parts.push(path);
      const image = { imageId: id, type: 'image/png', bytes: 11, sha256: 'a'.repeat(64) };
      return arrives() ?? Response.json({ image });
    }
    sent.push(JSON.parse(init.body));
    return Response.json({ turnId: 'trn_a' }, { status: 202 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = () => drawRouted(<Composer view={view} presence="online" seesImages />);
const field = () => screen.getByRole('textbox');
const paste = (...files: File[]) =>
  fireEvent.paste(field(), { clipboardData: { files, types: ['Files'] } });

describe('an image in the composer', { timeout: 20_000 }, () => {
  it('is brought as it is pasted, shown, and goes with the next instruction alone', async () => {
    await open();
    paste(file());
    const shown = await screen.findByRole('img', { name: 'rig.png' });
    const id = /img_\w+/.exec(shown.getAttribute('src') ?? '')?.[0] ?? '';
    expect(parts[0]).toContain(`/images/${id}?type=image%2Fpng&bytes=11&part=0`);
    await userEvent.type(field(), 'what{Enter}');
    await waitFor(() => expect(sent).toMatchObject([{ text: 'what', images: [id] }]));
    await waitFor(() => expect(screen.queryByRole('img')).toBeNull());
    await userEvent.type(field(), 'now{Enter}');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).not.toHaveProperty('images');
  });

  it('is kept with what is not sent when the page is loaded again, and can be taken back', async () => {
    const first = await open();
    paste(file());
    await screen.findByRole('img', { name: 'rig.png' });
    first.unmount();
    await open();
    await screen.findByRole('img', { name: 'rig.png' });
    await userEvent.click(screen.getByRole('button', { name: 'Remove rig.png' }));
    expect(screen.queryByRole('img')).toBeNull();
    expect(localStorage.getItem(`pilothouse:say-images:${view.sessionId}`)).toBeNull();
  });

  it('keeps an instruction back while it has not arrived, and says what to do', async () => {
    const { status, body } = errorAnswer('images_full');
    arrives = () => Response.json(body, { status });
    await open();
    paste(file(), file('not.png', new Uint8Array([1, 2, 3])));
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
    expect(screen.getAllByRole('alert')[1]).toHaveTextContent('no PNG, JPEG, GIF or WebP');
    await userEvent.type(field(), 'look{Enter}');
    expect(sent).toEqual([]);
    expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute(
      'title',
      'An image did not arrive. Remove it, or add it again.',
    );
  });

  it('is refused with a sentence where the machine’s runner would leave it out', async () => {
    await drawRouted(<Composer view={view} presence="online" />);
    paste(file());
    expect(parts).toEqual([]);
    expect(screen.getByRole('button', { name: 'Add images' })).toHaveAttribute(
      'title',
      expect.stringContaining('older than images'),
    );
  });
});
