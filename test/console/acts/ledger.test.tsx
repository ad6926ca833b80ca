import { useInfiniteQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../console/acts/ledger.tsx';
import { RequestFailure } from '../../../console/errors.ts';
import { draw } from '../support/render.tsx';

type Page = { items: string[]; nextCursor: string | null };

/** Answers each read with the next of the pages; null is a failure that may pass. */
const show = (...answers: (Page | null)[]) => {
  const Shown = () => {
    const query = useInfiniteQuery({
      queryKey: ['ledger'],
      queryFn: async () => {
        const answer = answers.shift();
        if (answer) return answer;
        throw new RequestFailure('internal', { message: 'It failed.', retryable: true });
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
    });
    return (
      <Ledger name="acts" query={query} empty={<p>none yet</p>}>
        {(rows) => <p>{rows.join(' ')}</p>}
      </Ledger>
    );
  };
  draw(<Shown />);
};
const older = () => screen.findByRole('button', { name: 'Show older acts' });

describe('a ledger', () => {
  it('says that it is being read once that takes a while', async () => {
    draw(
      <Ledger
        name="acts"
        query={
          { isPending: true, isError: false, hasNextPage: false } as Parameters<
            typeof Ledger
          >[0]['query']
        }
        empty={null}
      >
        {() => null}
      </Ledger>,
    );
    expect(await screen.findByLabelText('Reading the acts')).toBeInTheDocument();
  });

  it('says what will be there where it is empty, and offers nothing older', async () => {
    show({ items: [], nextCursor: null });
    expect(await screen.findByText('none yet')).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is read again by a press where it could not be read', async () => {
    show(null, { items: ['push'], nextCursor: null });
    expect(await screen.findByRole('alert')).toHaveTextContent('It failed.');
    expect(screen.queryByText('none yet')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('push')).toBeInTheDocument();
  });

  it('joins its pages until there is none older', async () => {
    show({ items: ['push'], nextCursor: 'a' }, { items: ['merge'], nextCursor: null });
    await userEvent.click(await older());
    expect(await screen.findByText('push merge')).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('keeps what was read where an older page cannot be, says why, and tries it again', async () => {
    show({ items: ['push'], nextCursor: 'a' }, null, { items: ['merge'], nextCursor: null });
    await userEvent.click(await older());
    expect(await screen.findByRole('alert')).toHaveTextContent('It failed.');
    expect(screen.getByText('push')).toBeInTheDocument();
    await userEvent.click(await older());
    expect(await screen.findByText('push merge')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
