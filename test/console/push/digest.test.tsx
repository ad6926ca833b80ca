import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { openHouse } from '../support/house.tsx';

describe('the digest', { timeout: 20_000 }, () => {
  it('is off until it is chosen, and comes at the time that is typed', async () => {
    const { world } = await openHouse('/settings');
    const choice = await screen.findByLabelText('Tell me each day');
    expect(choice).not.toBeChecked();
    await userEvent.click(choice);
    await waitFor(() => expect(world.push.digest).toMatchObject({ at: 480 }));
    const time = await screen.findByLabelText('Time of the digest');
    expect(time).toHaveValue('08:00');
    fireEvent.change(time, { target: { value: '07:30' } });
    fireEvent.blur(time);
    await waitFor(() => expect(world.push.digest).toMatchObject({ at: 450 }));
    await userEvent.click(screen.getByLabelText('Tell me each day'));
    await waitFor(() => expect(world.push.digest).toBeNull());
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(world.push.digest).toMatchObject({ at: 450 }));
  });

  it('says what happened, what it cost and what waits, and says so where nothing did', async () => {
    const id = sessionId.parse('ses_sentinel');
    const figures = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    await openHouse('/digest', (made) => {
      made.push.told = {
        finished: {
          count: 3,
          items: [{ sessionId: id, title: 'Fix the tide', state: 'finished' }],
        },
        spend: {
          reported: { microUsd: 1_200_000, ...figures, entries: 1, unpriced: 0 },
          estimated: { microUsd: 400_000, ...figures, entries: 1, unpriced: 0 },
        },
        acts: [{ kind: 'push', count: 2 }],
        breaches: 1,
        calls: 1,
      };
    });
    expect(await screen.findByRole('link', { name: 'Fix the tide' })).toHaveAttribute(
      'href',
      `/sessions/${id}`,
    );
    expect(screen.getByText('and 2 more')).toBeVisible();
    const page = screen.getByRole('main');
    expect(page).toHaveTextContent('$1.20');
    expect(page).toHaveTextContent('$0.40');
    expect(page).not.toHaveTextContent('$1.60');
    expect(page).toHaveTextContent('1 act that the policy forbids happened');
    expect(page).toHaveTextContent('1 call of operators');
  });

  it('of a quiet night says that nothing happened', async () => {
    await openHouse('/digest');
    expect(await screen.findByText(/Nothing happened, and nothing waits/)).toBeVisible();
  });
});
