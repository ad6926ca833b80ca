import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RequestFailure } from '../../../console/errors.ts';
import { Button } from '../../../console/ui/button.tsx';
import { Command } from '../../../console/ui/copy.tsx';
import { Spend } from '../../../console/ui/spend.tsx';
import { ErrorPanel, Skeleton } from '../../../console/ui/states.tsx';
import { commandIn, Words } from '../../../console/ui/words.tsx';
import { addUsage } from '../../../protocol/usage.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

afterEach(() => vi.useRealTimers());

describe('a button', () => {
  it('that cannot be pressed stays reachable, and tells why when it is pressed', async () => {
    const press = vi.fn<() => void>();
    draw(
      <Button reason="Not `now`." onClick={press}>
        Go
      </Button>,
    );
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Go' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByRole('dialog')).toHaveTextContent('Not now.');
    expect(press).not.toHaveBeenCalled();
  });

  it('that is at work takes no second press', async () => {
    const press = vi.fn<() => void>();
    draw(
      <Button busy onClick={press}>
        Go
      </Button>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Go' }));
    expect(press).not.toHaveBeenCalled();
  });
});

describe('a wait', () => {
  it('of less than a moment shows nothing', async () => {
    draw(<Skeleton label="Reading" />);
    expect(screen.queryByRole('status')).toBeNull();
    expect(await screen.findByRole('status', { name: 'Reading' })).toBeInTheDocument();
  });
});

describe('an error', () => {
  it('has its request id, and Retry only where somebody can retry', () => {
    const error = new RequestFailure('internal', {
      message: 'It broke. Run `npm start`.',
      requestId: 'req-1',
      retryable: true,
    });
    const { redraw } = draw(<ErrorPanel error={error} />);
    expect(screen.getByRole('alert')).toHaveTextContent('It broke. Run npm start.');
    expect(screen.getByText('req-1')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    redraw(<ErrorPanel error={error} retry={() => undefined} />);
    expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  });
});

describe('a sentence with a command in it', () => {
  it('shows the command as code and copies it alone', () => {
    draw(<Words text="Run `pilothouse link` there." />);
    expect(screen.getByText('pilothouse link').tagName).toBe('CODE');
    expect(commandIn('Run `pilothouse link` there.')).toBe('pilothouse link');
    expect(commandIn('Wait a minute.')).toBe('Wait a minute.');
  });

  it('says when it could not be copied', async () => {
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new Error('refused')) },
    });
    draw(<Command text="pilothouse link" />);
    await userEvent.click(screen.getByRole('button', { name: 'Copy the command' }));
    expect(
      await screen.findByRole('button', { name: 'Select it and copy by hand' }),
    ).toBeInTheDocument();
  });
});

describe('spend', () => {
  it('stands apart by kind, and is never added across kinds', () => {
    const totals = [
      aUsage({ microUsd: 1_000_000 }),
      aUsage({ microUsd: 500_000, payer: 'subscription' }),
      aUsage({ microUsd: 250_000, provenance: 'rehearsal' }),
    ].reduce(addUsage, {});
    const { container } = draw(<Spend totals={totals} wordy />);
    const shown = [...container.querySelectorAll('[data-bucket]')].map((part) => part.textContent);
    expect(shown).toEqual(['●$1.00reported', '◇$0.50notional', '▹$0.25rehearsal']);
  });

  it('that misses a price is at least so much, or not priced at all', () => {
    const unpriced = addUsage({}, aUsage({ microUsd: null }));
    const { container, redraw } = draw(<Spend totals={unpriced} />);
    expect(container).toHaveTextContent('not priced');
    redraw(<Spend totals={addUsage(unpriced, aUsage({ microUsd: 1_000_000 }))} />);
    expect(container).toHaveTextContent('≥ $1.00');
  });

  it('that nobody told is its word alone, and its reason names no figure', async () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const unmetered = aUsage({ ...none, provenance: 'unmetered', microUsd: null });
    const { container } = draw(<Spend totals={addUsage({}, unmetered)} wordy />);
    expect(container.querySelector('[data-bucket]')).toHaveTextContent(/^○unmetered$/);
    await userEvent.tab();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('It is not zero.');
    expect(screen.getByRole('tooltip')).not.toHaveTextContent('$0');
  });

  it('of nothing is not shown as zero', () => {
    const { container } = draw(<Spend totals={{}} />);
    expect(container).toHaveTextContent('—');
    expect(container).not.toHaveTextContent('$');
  });
});
