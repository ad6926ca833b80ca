import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AddBrainKey } from '../../../console/brain-keys/add-key.tsx';
import { aBrainKey } from '../../support/pilot-builders.ts';
import { draw } from '../support/render.tsx';

const SECRET = 'sk-sentinel-0123456789';
const sent: unknown[] = [];
beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async (_path: string, init?: RequestInit) => {
    sent.push(JSON.parse(init?.body as string));
    return Response.json(aBrainKey(), { status: 201 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const fill = async (label: RegExp, text: string) => {
  await userEvent.click(screen.getByLabelText(label));
  await userEvent.paste(text);
};
const keep = () => screen.getByRole('button', { name: 'Keep the key' });
const choose = (name: string) => userEvent.click(screen.getByRole('radio', { name }));

describe('a key that is added', () => {
  it('goes to its provider’s own address where none is given, and is never shown', async () => {
    const onAdded = vi.fn();
    draw(<AddBrainKey onAdded={onAdded} />);
    await fill(/^Name$/, 'work');
    await fill(/^Key$/, SECRET);
    expect(screen.getByLabelText('Key')).toHaveAttribute('type', 'password');
    expect(document.body.textContent).not.toContain(SECRET);
    await userEvent.click(keep());
    await waitFor(() => expect(onAdded).toHaveBeenCalledWith(aBrainKey()));
    expect(sent).toEqual([{ name: 'work', provider: 'anthropic', secret: SECRET }]);
  });

  it('has your own price with it, which is nothing else than a price', async () => {
    const onAdded = vi.fn();
    draw(<AddBrainKey onAdded={onAdded} />);
    await fill(/^Name$/, 'work');
    await fill(/^Key$/, SECRET);
    await fill(/^Your price/, 'cheap');
    await userEvent.click(keep());
    expect(screen.getByText(/Give dollars for a million tokens/)).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.clear(screen.getByLabelText(/^Your price/));
    await fill(/^Your price/, '0.15/0.6');
    await userEvent.click(keep());
    await waitFor(() => expect(onAdded).toHaveBeenCalled());
    const price = { inputMicroUsd: 150_000, outputMicroUsd: 600_000 };
    expect(sent).toMatchObject([{ name: 'work', price }]);
  });

  it('is sent once, however fast it is pressed', async () => {
    const onAdded = vi.fn();
    draw(<AddBrainKey onAdded={onAdded} />);
    await fill(/^Name$/, 'work');
    await fill(/^Key$/, SECRET);
    fireEvent.click(keep());
    fireEvent.click(keep());
    await waitFor(() => expect(onAdded).toHaveBeenCalled());
    expect(sent).toHaveLength(1);
  });

  it('says what each field needs once it is tried, and keeps what was typed', async () => {
    draw(<AddBrainKey onAdded={vi.fn()} />);
    await fill(/^Key$/, 'short');
    expect(screen.queryByText(/A key has 8 to 500/)).toBeNull();
    await userEvent.click(keep());
    expect(screen.getByText('Say what you call it.')).toBeVisible();
    expect(screen.getByText(/A key has 8 to 500/)).toBeVisible();
    expect(screen.getByLabelText('Key')).toHaveValue('short');
    expect(sent).toEqual([]);
  });

  it('of a provider without one address for all wants the person’s', async () => {
    draw(<AddBrainKey onAdded={vi.fn()} />);
    await choose('Workers AI');
    await fill(/^Name$/, 'edge');
    await fill(/^Key$/, SECRET);
    await userEvent.click(keep());
    expect(screen.getByText(/Give an https/)).toBeVisible();
    await fill(/with the id of your account/, ' https://api.example.com/accounts/1/ai/v1 ');
    await userEvent.click(keep());
    await waitFor(() =>
      expect(sent).toMatchObject([
        { provider: 'workers-ai', baseUrl: 'https://api.example.com/accounts/1/ai/v1' },
      ]),
    );
  });

  it('within another form sends that one not', async () => {
    const outer = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    const onAdded = vi.fn();
    draw(
      <div onSubmit={outer}>
        <AddBrainKey onAdded={onAdded} />
      </div>,
    );
    await fill(/^Name$/, 'work');
    await fill(/^Key$/, SECRET);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(onAdded).toHaveBeenCalled());
    expect(outer).not.toHaveBeenCalled();
  });
});
