import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteCommandName } from '../../../console/lib/command-name.ts';
import { CopyButton } from '../../../console/ui/copy.tsx';
import { useTitle } from '../../../console/ui/page.tsx';
import { PresenceMark } from '../../../console/ui/presence.tsx';
import { StateBadge } from '../../../console/ui/state-badge.tsx';
import { Empty } from '../../../console/ui/states.tsx';
import { Table } from '../../../console/ui/table.tsx';
import { Ago } from '../../../console/ui/time.tsx';
import { sessionState } from '../../../protocol/session.ts';
import { draw } from '../support/render.tsx';

/** After every real time: the clock of a page does not go back. */
const T = Date.parse('2126-11-30T10:00:00Z');

afterEach(() => {
  noteCommandName('pilothouse');
  vi.useRealTimers();
});

describe('a state', () => {
  it.each(sessionState.options)('%s has a word and a meaning, and never colour alone', (state) => {
    const { container } = draw(<StateBadge state={state} />);
    const badge = container.querySelector(`[data-state="${state}"]`);
    expect(badge?.textContent).toMatch(/^[A-Z]/);
    expect(badge?.getAttribute('title')).toMatch(/\.$/);
  });

  it('pulses while something works, and only then', () => {
    const pulses = (state: Parameters<typeof StateBadge>[0]['state']) => {
      const { container, unmount } = draw(<StateBadge state={state} />);
      const pulsing = container.querySelector('.animate-pulse-live') !== null;
      unmount();
      return pulsing;
    };
    expect(pulses('working')).toBe(true);
    expect([pulses('idle'), pulses('blocked'), pulses('failed')]).toEqual([false, false, false]);
  });
});

describe('a machine', () => {
  it.each([
    ['online', undefined, 'online'],
    ['online', 'lighthouse', 'lighthouse'],
    ['offline', 'lighthouse', 'lighthouseoffline'],
    ['unknown', undefined, 'unknown'],
  ] as const)('that is %s and called %s reads as %s', (presence, name, read) => {
    const { container } = draw(<PresenceMark presence={presence} {...(name && { name })} />);
    expect(container).toHaveTextContent(read);
    expect(container.textContent).toBe(read);
  });

  it('that is away names the command that starts it as it is typed here', () => {
    noteCommandName('npx pilothouse');
    draw(<PresenceMark presence="offline" />);
    expect(screen.getByTitle(/`npx pilothouse runner start`/)).toBeInTheDocument();
  });
});

describe('a time', () => {
  it('grows older while it is looked at, and stays the same for machines', () => {
    vi.useFakeTimers({ now: T + 61_000 });
    draw(<Ago at={T} />);
    const time = screen.getByText('1 min ago');
    act(() => void vi.advanceTimersByTime(60_000));
    expect(time).toHaveTextContent('2 min ago');
    expect(time).toHaveAttribute('datetime', '2126-11-30T10:00:00.000Z');
  });
});

describe('what can be copied', () => {
  it('is copied alone, says so, and is offered again after a moment', async () => {
    const writeText = vi.fn(async () => undefined);
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    vi.useFakeTimers();
    draw(<CopyButton text="req-1" label="Copy the request id" />);
    await act(async () => screen.getByRole('button', { name: 'Copy the request id' }).click());
    expect(writeText.mock.calls).toEqual([['req-1']]);
    expect(screen.getByRole('button', { name: 'Copied' })).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(1_600));
    expect(screen.getByRole('button', { name: 'Copy the request id' })).toBeInTheDocument();
  });
});

describe('the title of a page', () => {
  const Titled = ({ title }: { title: string }) => {
    useTitle(title);
    return null;
  };
  it.each([
    ['Machines', 'Machines · Pilothouse'],
    ['Home', 'Pilothouse'],
  ])('%s is %s in the tab', (title, tab) => {
    draw(<Titled title={title} />);
    expect(document.title).toBe(tab);
  });
});

describe('a table', () => {
  it('is reached by the keyboard, which can scroll it, and names its columns', async () => {
    draw(
      <Table label="Usage" columns={['Model', 'Spend']} numeric={[1]}>
        <tr>
          <td>opus</td>
        </tr>
      </Table>,
    );
    await userEvent.tab();
    expect(screen.getByRole('region', { name: 'Usage' })).toHaveFocus();
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
      'Model',
      'Spend',
    ]);
  });
});

describe('a place with nothing in it', () => {
  it('says what it is for, with the one thing to do where there is one', () => {
    const { redraw } = draw(<Empty title="No machine yet">A machine runs sessions.</Empty>);
    expect(screen.getByRole('heading', { name: 'No machine yet' })).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
    redraw(
      <Empty title="No machine yet" action={<button type="button">Add one</button>}>
        A machine runs sessions.
      </Empty>,
    );
    expect(screen.getByRole('button', { name: 'Add one' })).toBeInTheDocument();
  });
});
