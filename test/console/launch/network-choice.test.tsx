import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { NetworkChoice } from '../../../console/launch/network-choice.tsx';
import { aRunner } from '../../../console/mock/sentinels.ts';
import type { MachineFacts } from '../../../protocol/machine.ts';
import type { Network } from '../../../protocol/network.ts';
import { draw } from '../support/render.tsx';

const SEALS = { available: true, problem: null, remedy: null, networkProblem: null };

function machine(
  limits: Partial<MachineFacts['limits']> = {},
  seal: MachineFacts['seal'] = SEALS,
): MachineFacts {
  const usual = aRunner().machine;
  if (!usual) throw new Error('the sentinel machine tells of itself');
  return { ...usual, seal, limits: { ...usual.limits, defaultGrade: 'sealed', ...limits } };
}

function choose(told: MachineFacts, network: Network | null = null, grade: 'open' | null = null) {
  const onChange = vi.fn();
  const draft = { grade, checkout: 'own' as const, network };
  draw(
    <NetworkChoice
      draft={draft}
      machine={told}
      engine={undefined}
      problem={undefined}
      onChange={onChange}
    />,
  );
  return onChange;
}
const radio = (name: RegExp) => screen.getByRole('radio', { name });

describe('what a session reaches', () => {
  it('is chosen with what each choice means', async () => {
    const onChange = choose(machine());
    expect(radio(/As that machine says.*reaches what that machine reaches/)).toBeChecked();
    await userEvent.click(radio(/Its model alone.*the gate of its repository/));
    expect(onChange).toHaveBeenCalledWith('model-only');
  });

  it('is what the machine says where it says so, and no more than it allows', () => {
    choose(machine({ minimumNetwork: 'model-only' }));
    expect(radio(/As that machine says.*It reaches its model/)).toBeEnabled();
    expect(radio(/Everything.*minimum_network/)).toBeDisabled();
  });

  it('names what keeps a machine from it', () => {
    choose(machine({}, { ...SEALS, networkProblem: 'It is forbidden here.' }));
    expect(radio(/Its model alone.*It is forbidden here/)).toBeDisabled();
    expect(radio(/Everything/)).toBeEnabled();
  });

  it('is asked of no session that is not sealed, unless it was chosen', () => {
    choose(machine(), null, 'open');
    expect(screen.queryByRole('radio')).toBeNull();
    choose(machine(), 'model-only', 'open');
    expect(radio(/Its model alone.*only a sealed session/)).toBeDisabled();
  });
});
