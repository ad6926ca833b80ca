import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { ChecklistEditor } from '../../../console/launch/checklist-editor.tsx';
import type { StepDraft } from '../../../console/launch/pilot-draft.ts';
import { draw } from '../support/render.tsx';

const step = (check: string, over: Partial<StepDraft> = {}): StepDraft => ({
  title: '',
  check,
  minutes: '',
  ...over,
});

/** The editor as its form holds it; `held` is what the form has by now. */
function show(steps: StepDraft[], problems?: readonly (string | null)[]) {
  const held = { steps };
  function Form() {
    const [now, setNow] = useState(steps);
    held.steps = now;
    return <ChecklistEditor steps={now} problems={problems} onChange={setNow} />;
  }
  draw(<Form />);
  return held;
}
const checks = (held: { steps: StepDraft[] }) => held.steps.map(({ check }) => check);

describe('the steps of an objective', () => {
  it('are changed one at a time, each in its own place', async () => {
    const held = show([step('npm test'), step('npm run lint')]);
    await userEvent.type(screen.getByLabelText('Title of step 2'), 'No warnings');
    await userEvent.type(screen.getByLabelText('Minutes that step 2 may take'), '2,5');
    await userEvent.type(screen.getByLabelText('Check of step 1'), ' -- --run');
    expect(held.steps).toEqual([
      step('npm test -- --run'),
      step('npm run lint', { title: 'No warnings', minutes: '2,5' }),
    ]);
  });

  it('lose the one that is taken out, and no other', async () => {
    const held = show([step('one'), step('two'), step('three')]);
    await userEvent.click(screen.getByRole('button', { name: 'Remove step 2' }));
    expect(checks(held)).toEqual(['one', 'three']);
    expect(screen.getByLabelText('Check of step 2')).toHaveValue('three');
  });

  it('are at least one', async () => {
    show([step('one'), step('two')]);
    await userEvent.click(screen.getByRole('button', { name: 'Remove step 1' }));
    expect(screen.getByLabelText('Check of step 1')).toHaveValue('two');
    expect(screen.queryByRole('button', { name: /^Remove/ })).not.toBeInTheDocument();
  });

  it('are fifty at most, which is said rather than refused later', async () => {
    const held = show(Array.from({ length: 49 }, (_, nth) => step(`check ${nth}`)));
    const add = () => screen.getByRole('button', { name: 'Add a step' });
    await userEvent.click(add());
    expect(held.steps).toHaveLength(50);
    expect(add()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(add());
    expect(await screen.findByText('A checklist has 50 steps at most.')).toBeVisible();
    expect(held.steps).toHaveLength(50);
  });

  it('say what each still needs beside it, and nothing before that was asked', () => {
    show([step('npm test'), step('')], [null, 'Name a command.']);
    expect(screen.getByLabelText('Check of step 1')).toBeValid();
    expect(screen.getByLabelText('Check of step 2')).toBeInvalid();
    expect(screen.getByText('Name a command.').closest('li')).toContainElement(
      screen.getByLabelText('Check of step 2'),
    );
  });
});
