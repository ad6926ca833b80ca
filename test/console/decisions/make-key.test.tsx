import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MakeKey } from '../../../console/decisions/make-key.tsx';
import { KEY_TOKEN, MockDecisions } from '../../../console/mock/decisions.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { draw } from '../support/render.tsx';

/** A server that makes keys, but refuses so many times first; what it was asked. */
function serve(refusals = 0) {
  const held = new MockDecisions();
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const body: unknown = JSON.parse(init.body as string);
    asked.push(body);
    if (asked.length <= refusals) {
      const refusal = errorAnswer('internal');
      return Response.json(refusal.body, { status: refusal.status });
    }
    return Response.json(held.answer('POST', new URL(path, 'http://test'), body, 1));
  });
  return asked;
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const field = (name: string) => screen.getByRole('textbox', { name });

afterEach(() => vi.unstubAllGlobals());

describe('making a key', () => {
  it.each(['', '/site', 'acme//site', 'acme/../site'])(
    'for “%s” asks nobody, says what a name is, and keeps what was typed',
    async (typed) => {
      const asked = serve();
      draw(<MakeKey />);
      if (typed !== '') await userEvent.type(field('Repository'), typed);
      expect(field('Repository')).not.toHaveAccessibleDescription();
      await press('Make a key');
      expect(field('Repository')).toHaveAccessibleDescription(/as in acme\/site/);
      expect(field('Repository')).toHaveValue(typed);
      expect(asked).toEqual([]);
    },
  );

  it('stops complaining once the name is one', async () => {
    serve();
    draw(<MakeKey />);
    await press('Make a key');
    expect(field('Repository')).toBeInvalid();
    await userEvent.type(field('Repository'), 'acme/site');
    expect(field('Repository')).toBeValid();
  });

  it('for a repository that is known asks only where the key is used', async () => {
    const asked = serve();
    draw(<MakeKey repository="acme/site" />);
    expect(screen.queryByRole('textbox', { name: 'Repository' })).toBeNull();
    await userEvent.clear(field('Where the key is used'));
    await userEvent.type(field('Where the key is used'), '  nightly {Enter}');
    expect(asked).toEqual([{ repository: 'acme/site', name: 'nightly' }]);
    expect(await screen.findByText(KEY_TOKEN)).toBeInTheDocument();
  });

  it('names a key that nobody named', async () => {
    const asked = serve();
    draw(<MakeKey repository="acme/site" />);
    await userEvent.clear(field('Where the key is used'));
    await press('Make a key');
    expect(asked).toEqual([{ repository: 'acme/site', name: 'CI' }]);
  });

  it('that is refused keeps what was typed, and is done by trying again', async () => {
    const asked = serve(1);
    draw(<MakeKey repository="acme/site" />);
    await userEvent.type(field('Where the key is used'), ' of Ada');
    await press('Make a key');
    expect(await screen.findByRole('alert')).toHaveTextContent('req-sentinel');
    expect(field('Where the key is used')).toHaveValue('CI of Ada');
    await press('Retry');
    expect(await screen.findByText(KEY_TOKEN)).toBeInTheDocument();
    expect(asked).toHaveLength(2);
  });
});
