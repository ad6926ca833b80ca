import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SpendPanel } from '../../../../console/session/side/spend-panel.tsx';
import { addUsage } from '../../../../protocol/usage.ts';
import { aUsage, viewAfter } from '../../../support/protocol-builders.ts';
import { draw } from '../../support/render.tsx';

it('shows what the brain of a Pilot took apart, and nothing of it where there is none', () => {
  const view = viewAfter();
  const { redraw } = draw(<SpendPanel view={view} />);
  expect(screen.queryByText(/brain/)).not.toBeInTheDocument();
  const brain = addUsage({}, aUsage({ microUsd: 30_000 }));
  const spend = addUsage(brain, aUsage({ microUsd: 2_000_000 }));
  redraw(<SpendPanel view={{ ...view, spend, brainSpend: brain }} />);
  expect(screen.getByText('Of it, the Pilot’s brain')).toBeVisible();
  expect(screen.getByText('$0.03')).toBeVisible();
  expect(screen.getByText('$2.03')).toBeVisible();
});
