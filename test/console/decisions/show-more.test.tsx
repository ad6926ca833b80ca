import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { ShowMore, useMore } from '../../../console/decisions/show-more.tsx';
import { draw } from '../support/render.tsx';

function List({ length, reach }: { length: number; reach?: number }) {
  const more = useMore(
    Array.from({ length }, (_, index) => index),
    3,
    5,
  );
  return (
    <>
      <output>{more.shown.join(' ')}</output>
      <ShowMore more={more} what="findings" />
      {reach !== undefined && (
        <button type="button" onClick={() => more.reach(reach)}>
          Go there
        </button>
      )}
    </>
  );
}
const shown = () => screen.getByRole('status').textContent?.split(' ').length;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the first of many', () => {
  it('are all where there are no more, without a button', () => {
    draw(<List length={3} />);
    expect(shown()).toBe(3);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('grow by a step, and the last step is what is left', async () => {
    draw(<List length={10} />);
    expect(screen.getByText('7 findings not shown')).toBeInTheDocument();
    await press('Show 5 more');
    expect(shown()).toBe(8);
    await press('Show 2 more');
    expect(shown()).toBe(10);
    expect(screen.queryByText(/not shown/)).toBeNull();
  });

  it.each([
    [6, 7],
    [1, 3],
  ])('with number %i in sight are %i, for what is shown is not taken away', async (reach, most) => {
    draw(<List length={10} reach={reach} />);
    await press('Go there');
    expect(shown()).toBe(most);
  });

  it('name thousands as people read them', () => {
    draw(<List length={4_003} />);
    expect(screen.getByText('4,000 findings not shown')).toBeInTheDocument();
  });
});
