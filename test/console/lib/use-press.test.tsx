import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { usePress } from '../../../console/lib/use-press.ts';
import { draw } from '../support/render.tsx';

type Sent = { words: string; answer: () => void; refuse: () => void };
const sent: Sent[] = [];

function Part() {
  const saying = usePress({
    mutationFn: (words: string) =>
      new Promise<void>((resolve, reject) => {
        sent.push({ words, answer: resolve, refuse: () => reject(new Error('refused')) });
      }),
  });
  return (
    <>
      <button type="button" onClick={() => saying.mutate('aye')}>
        Say it
      </button>
      <output>{saying.status}</output>
    </>
  );
}

/** Two clicks within one drawing, as a double click is. */
const pressTwice = async () => {
  const button = screen.getByRole('button');
  await act(async () => {
    button.click();
    button.click();
  });
};
const shows = (status: string) =>
  waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(status));

beforeEach(() => void (sent.length = 0));

describe('a request that a press sends', () => {
  it('is sent once by a double click', async () => {
    draw(<Part />);
    await pressTwice();
    expect(sent.map(({ words }) => words)).toEqual(['aye']);
  });

  it('is not sent again while its answer is waited for', async () => {
    draw(<Part />);
    await pressTwice();
    await shows('pending');
    await pressTwice();
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['answered', 'success'],
    ['refused', 'error'],
  ] as const)('can be sent again once it was %s', async (how, status) => {
    draw(<Part />);
    await pressTwice();
    await act(async () => (how === 'answered' ? sent[0]?.answer() : sent[0]?.refuse()));
    await shows(status);
    await pressTwice();
    expect(sent).toHaveLength(2);
  });
});
