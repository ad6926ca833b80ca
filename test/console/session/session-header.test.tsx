import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { SessionHeader } from '../../../console/session/session-header.tsx';
import type { SessionView } from '../../../protocol/session-view.ts';
import { addUsage } from '../../../protocol/usage.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { aUsage, created, SESSION, viewAfter } from '../../support/protocol-builders.ts';
import { drawRouted } from '../support/routed.tsx';

const worked = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const openSide = vi.fn<() => void>();
afterEach(() => openSide.mockClear());

const show = (over: Partial<SessionView>, launch: Partial<SessionView['launch']> = {}) =>
  drawRouted(
    <SessionHeader
      view={{ ...worked, ...over, launch: { ...worked.launch, ...launch } }}
      summary={undefined}
      presence="online"
      live={new Map()}
      openSide={openSide}
    />,
  );
const spentOfBudget = () => screen.getByRole('meter', { name: 'Spent of the budget' });

describe('the head of a session', () => {
  it('is the first line of its objective, whole on pointing at it', async () => {
    const objective = 'Trim the sails\n\nand then the rest';
    await show({}, { objective });
    const heading = screen.getByRole('heading', { level: 1 });
    expect(heading.textContent).toBe('Trim the sails');
    expect(heading.title).toBe(objective);
  });

  it('names the model that answered, else the one that was asked for', async () => {
    const { unmount } = await show({}, { engineId: 'claude', model: 'asked-for' });
    expect(screen.getByText('sentinel-model')).toBeInTheDocument();
    unmount();
    await show({ engine: null }, { engineId: 'claude', model: 'asked-for' });
    expect(screen.getByText('asked-for')).toBeInTheDocument();
  });

  it('of a rehearsal names no model, because none was asked', async () => {
    await show({});
    expect(screen.getByText('rehearsal')).toBeInTheDocument();
    expect(screen.queryByText('sentinel-model')).not.toBeInTheDocument();
  });

  it('calls an engine of one’s own by its label, and says that it cannot be metered', async () => {
    await show({}, { engineId: 'my-agent', preset: aPreset({ label: 'My agent' }) });
    expect(screen.getByText('My agent')).toBeInTheDocument();
    expect(screen.getByText('unmetered')).toBeInTheDocument();
  });

  it('says how much power it holds, and why on pointing at it', async () => {
    if (!worked.checkout) throw new Error('the sentinel session has a checkout');
    const grade = { grade: 'fenced', reason: 'It cannot be sealed.' } as const;
    await show({ checkout: { ...worked.checkout, grade } });
    expect(screen.getByText('fenced').title).toMatch(/only remote is the gate.*cannot be sealed/);
  });

  it('leads to the session that it goes on from', async () => {
    const from = { sessionId: 'ses_earlier' } as SessionView['launch']['from'];
    await show({}, { from });
    expect(screen.getByRole('link', { name: /goes on from/ })).toHaveAttribute(
      'href',
      '/sessions/ses_earlier',
    );
  });

  it('opens what stands beside it where there is no room for that', async () => {
    await show({});
    await userEvent.click(screen.getByRole('button', { name: 'Details' }));
    expect(openSide).toHaveBeenCalledOnce();
  });
});

describe('the budget in the head', () => {
  it('is not there where there is none', async () => {
    await show({});
    expect(screen.queryByRole('meter')).not.toBeInTheDocument();
  });

  it('is nothing used before there is a figure', async () => {
    await show({ spend: {} }, { budgetMicroUsd: 5_000_000 });
    expect(spentOfBudget()).toHaveAttribute('value', '0');
    expect(screen.getByText('$5.00')).toBeInTheDocument();
  });

  it('counts everything that has a price, list prices too, and no rehearsal', async () => {
    const entries = [
      aUsage({ microUsd: 1_000_000 }),
      aUsage({ microUsd: 200_000, provenance: 'estimated' }),
      aUsage({ microUsd: 30_000, payer: 'subscription' }),
      aUsage({ microUsd: 4_000, provenance: 'unsettled' }),
      aUsage({ microUsd: 7_000_000, provenance: 'rehearsal' }),
    ];
    await show({ spend: entries.reduce(addUsage, {}) }, { budgetMicroUsd: 5_000_000 });
    expect(spentOfBudget()).toHaveAttribute('value', '1234000');
  });

  it.each([
    [2_000_000, '2000000'],
    [400_000, '1000000'],
  ])('counts what the model gate saw where that is more: %i', async (microUsd, counted) => {
    const spend = addUsage({}, aUsage({ microUsd: 1_000_000 }));
    const model = {
      through: 'gate',
      reason: null,
      calls: 3,
      refused: 0,
      microUsd,
      engineMicroUsd: null,
    } as const;
    await show({ spend, model }, { budgetMicroUsd: 5_000_000 });
    expect(spentOfBudget()).toHaveAttribute('value', counted);
  });

  it('is full, not more, once it was passed', async () => {
    const spend = addUsage({}, aUsage({ microUsd: 9_000_000 }));
    await show({ spend }, { budgetMicroUsd: 5_000_000 });
    expect(spentOfBudget()).toHaveAttribute('value', '5000000');
  });
});

describe('the same in a terminal', () => {
  it('is every command of this session, copied by choosing it', async () => {
    const user = userEvent.setup();
    await show({});
    await user.click(screen.getByRole('button', { name: 'More, and the same in a terminal' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toContain(
      `pilothouse sessions stop ${SESSION}`,
    );
    const twins = items
      .slice(0, -1)
      .filter(({ textContent }) => textContent.startsWith('pilothouse'));
    for (const item of twins) expect(item).toHaveTextContent(SESSION);
    await user.click(screen.getByRole('menuitem', { name: `pilothouse watch ${SESSION}` }));
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe(`pilothouse watch ${SESSION}`),
    );
  });
});

it('draws a session of which nothing is known yet but that it was asked for', async () => {
  const view = viewAfter(created());
  await show({ ...view });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Fix the test');
});
