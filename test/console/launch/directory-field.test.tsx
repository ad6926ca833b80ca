import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DirectoryField } from '../../../console/launch/directory-field.tsx';
import { EMPTY_DRAFT } from '../../../console/launch/draft.ts';
import { rememberLaunch } from '../../../console/launch/remembered.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { draw } from '../support/render.tsx';

const entry = (path: string, repository: boolean) => ({
  name: path.split('/').at(-1),
  path,
  repository,
});
const asked: string[] = [];
let listing: () => Response;

beforeEach(() => {
  asked.length = 0;
  listing = () =>
    Response.json({
      path: '/code',
      entries: [entry('/code/shop', true), entry('/code/old', false)],
      more: false,
    });
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(new URL(address, 'http://console').searchParams.get('path') ?? '');
    return listing();
  });
});
afterEach(() => vi.unstubAllGlobals());

function Form({ typed, optional }: { typed: string; optional: boolean }) {
  const [value, setValue] = useState(typed);
  return (
    <DirectoryField
      runnerId="run_a"
      value={value}
      problem={undefined}
      optional={optional}
      onChange={setValue}
    />
  );
}
const field = () => screen.getByRole('combobox');
const marked = () => field().getAttribute('aria-activedescendant');
async function open(typed = '/code/') {
  draw(<Form typed={typed} optional={false} />);
  await userEvent.click(field());
  await screen.findByRole('option', { name: /shop/ });
}
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

describe('a path on another machine', () => {
  it('is completed from what is there, each with what it is', async () => {
    await open();
    expect(options()).toEqual(['/code/shoprepository', '/code/olddirectory']);
    expect(field()).toHaveAttribute('aria-expanded', 'true');
  });

  it('offers first where somebody launched before, and nothing twice', async () => {
    for (const directory of ['/code/shop', '/elsewhere'])
      rememberLaunch({ ...EMPTY_DRAFT, runnerId: 'run_a', directory });
    await open();
    expect(options()).toEqual(['/code/shoprecent', '/code/olddirectory']);
  });

  it('drops at once what no longer fits, before the machine has answered', async () => {
    await open();
    fireEvent.change(field(), { target: { value: '/code/o' } });
    expect(options()).toEqual(['/code/olddirectory']);
  });

  it('is asked for once nobody types, not for each letter', async () => {
    draw(<Form typed="" optional={false} />);
    await userEvent.click(field());
    fireEvent.change(field(), { target: { value: '/c' } });
    fireEvent.change(field(), { target: { value: '/co' } });
    fireEvent.change(field(), { target: { value: '/code/s' } });
    await vi.waitFor(() => expect(asked).toContain('/code/s'));
    expect(asked).toEqual(['', '/code/s']);
  });

  it('says beside an empty list why the machine tells nothing', async () => {
    const { status, body } = errorAnswer('runner_offline');
    listing = () => Response.json(body, { status });
    draw(<Form typed="/code/" optional={false} />);
    await userEvent.click(field());
    expect(await screen.findByRole('listbox')).toHaveTextContent(
      ERRORS.runner_offline.sentence.replaceAll('`', ''),
    );
    expect(field()).toHaveAttribute('aria-expanded', 'false');
  });

  it.each([
    [true, 'Directory (empty: a scratch repository)'],
    [false, 'Directory'],
  ])('may be left out: %s', (optional, label) => {
    draw(<Form typed="" optional={optional} />);
    expect(screen.getByLabelText(label)).toBe(field());
  });
});

describe('the keyboard in a path', () => {
  it('goes down and up the list, and not past its ends', async () => {
    await open();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('option', { selected: true })).toHaveTextContent('/code/old');
    expect(marked()).toBe(screen.getByRole('option', { selected: true }).id);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(screen.queryByRole('option', { selected: true })).not.toBeInTheDocument();
    expect(marked()).toBeNull();
  });

  it('takes a repository and is done', async () => {
    await open();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(field()).toHaveValue('/code/shop');
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  });

  it('takes a plain directory as a step on the way', async () => {
    await open();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Tab}');
    expect(field()).toHaveValue('/code/old/');
    expect(field()).toHaveFocus();
    await vi.waitFor(() => expect(asked).toContain('/code/old/'));
  });

  it('leaves Enter to the form and Tab to the page while nothing is marked', async () => {
    await open();
    // `fireEvent` answers whether nobody kept the key for themselves.
    expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(true);
    await userEvent.tab();
    expect(field()).not.toHaveFocus();
    expect(field()).toHaveValue('/code/');
  });

  it('marks nothing any more once the list was closed or left', async () => {
    await open();
    await userEvent.keyboard('{ArrowDown}{Escape}');
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
    expect(marked()).toBeNull();
    await userEvent.keyboard('{ArrowDown}');
    expect(marked()).not.toBeNull();
    await userEvent.click(document.body);
    await userEvent.click(field());
    await userEvent.tab();
    // Whoever comes back and goes on by Tab has chosen nothing.
    expect(field()).toHaveValue('/code/');
  });

  it('chooses by pointer without losing the focus', async () => {
    await open();
    await userEvent.click(screen.getByRole('option', { name: /shop/ }));
    expect(field()).toHaveValue('/code/shop');
    expect(field()).toHaveFocus();
  });
});
