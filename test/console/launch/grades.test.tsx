import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { GradeChoice } from '../../../console/launch/grade-choice.tsx';
import { foretell, listGrades } from '../../../console/launch/grades.ts';
import { aRunner } from '../../../console/mock/sentinels.ts';
import type { Grade } from '../../../protocol/grade.ts';
import type { EngineReadiness, MachineFacts } from '../../../protocol/machine.ts';
import { PARSERS } from '../../../protocol/parsers.ts';
import { draw } from '../support/render.tsx';

const SEALS = { available: true, problem: null, remedy: null };
const CANNOT = { available: false, problem: 'No bubblewrap.', remedy: 'Install it.' };

function machine(
  limits: Partial<MachineFacts['limits']> = {},
  seal: MachineFacts['seal'] = SEALS,
): MachineFacts {
  const usual = aRunner().machine;
  if (!usual) throw new Error('the sentinel machine tells of itself');
  return { ...usual, seal, limits: { ...usual.limits, defaultGrade: null, ...limits } };
}
const obstacles = (...given: Parameters<typeof listGrades>) =>
  Object.fromEntries(listGrades(...given).map(({ grade, obstacle }) => [grade, obstacle]));

describe('the grades on offer', () => {
  it('are all of them from the strictest on where the machine can do all', () => {
    expect(listGrades(machine(), 'own')).toEqual([
      { grade: 'sealed', obstacle: null },
      { grade: 'fenced', obstacle: null },
      { grade: 'open', obstacle: null },
    ]);
  });

  it('name what would make a seal possible', () => {
    expect(obstacles(machine({}, CANNOT), 'own')).toEqual({
      sealed: 'No bubblewrap. Remedy: Install it.',
      fenced: null,
      open: null,
    });
  });

  it('of a machine that tells nothing are those that need nothing of it', () => {
    expect(obstacles(undefined, 'own')).toMatchObject({
      sealed: expect.stringContaining('Update Pilothouse there'),
      fenced: null,
      open: null,
    });
  });

  it('in the directory itself are open alone', () => {
    const told = obstacles(machine(), 'inPlace');
    expect(told['open']).toBeNull();
    expect(told['fenced']).toContain('not in a checkout of its own');
    expect(told['sealed']).toBe(told['fenced']);
  });

  it.each<[Grade, Grade[]]>([
    ['open', []],
    ['fenced', ['open']],
    ['sealed', ['open', 'fenced']],
  ])('where at least %s is demanded leave out %j', (minimumGrade, without) => {
    const refused = listGrades(machine({ minimumGrade }), 'own').filter(
      ({ obstacle }) => obstacle !== null,
    );
    expect(refused.map(({ grade }) => grade).toSorted()).toEqual(without.toSorted());
    for (const { obstacle } of refused) expect(obstacle).toContain(`demand ${minimumGrade}`);
  });
});

describe('what is foretold of a launch', () => {
  it('is its grade, what that means, and why it is this one', () => {
    const told = foretell({ grade: null, checkout: 'inPlace' }, machine(), undefined);
    expect(told).toMatch(/^Open\. It can do on that machine what you can\..*directory itself\.$/);
    expect(foretell({ grade: 'fenced', checkout: 'own' }, machine(), undefined)).toMatch(
      /^Fenced\. .*chosen at launch/,
    );
  });

  it('says of an engine that tells no acts what nobody sees, unless a seal prevents it', () => {
    const engine = machine().engines[0];
    if (!engine) throw new Error('the sentinel machine has an engine');
    const blind = { ...engine, capabilities: PARSERS.text.capabilities };
    const told = (grade: Grade, of: EngineReadiness) =>
      foretell({ grade, checkout: 'own' }, machine(), of);
    expect(told('open', blind)).toMatch(/a deploy, .* is neither prevented nor seen\. Seal/);
    expect(told('sealed', { ...blind, sealable: true })).not.toContain('deploy');
    expect(
      told('open', { ...engine, capabilities: PARSERS['claude-stream-json'].capabilities }),
    ).not.toContain('deploy');
  });

  it('is nothing where the machine will refuse it', () => {
    const strict = machine({ minimumGrade: 'fenced' });
    expect(foretell({ grade: 'open', checkout: 'own' }, strict, undefined)).toBeNull();
  });
});

describe('the choice of a grade', () => {
  const show = (facts: MachineFacts, over: { value?: Grade; problem?: string } = {}) => {
    const onChange = vi.fn<(grade: Grade | null) => void>();
    draw(
      <GradeChoice
        machine={facts}
        engine={undefined}
        checkout="own"
        value={over.value ?? null}
        problem={over.problem}
        onChange={onChange}
      />,
    );
    return onChange;
  };

  it('is the machine’s until somebody makes it, and says what that comes to', async () => {
    const onChange = show(machine({ defaultGrade: 'fenced' }));
    expect(screen.getByRole('radio', { name: /As the machine decides/ })).toBeChecked();
    expect(screen.getByText(/^Fenced\..*default_grade in limits\.toml/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('radio', { name: /^Sealed/ }));
    expect(onChange).toHaveBeenLastCalledWith('sealed');
  });

  it('can be left to the machine again', async () => {
    const onChange = show(machine(), { value: 'fenced' });
    expect(screen.getByRole('radio', { name: /^Fenced/ })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: /As the machine decides/ }));
    expect(onChange).toHaveBeenLastCalledWith(null);
  });

  it('cannot be what the machine cannot do, with what would change that', () => {
    show(machine({}, CANNOT), { problem: 'It cannot be sealed here.' });
    const sealed = screen.getByRole('radio', { name: /^Sealed/ });
    expect(sealed).toBeDisabled();
    expect(sealed.closest('label')).toHaveTextContent('Remedy: Install it.');
    expect(screen.getByText('It cannot be sealed here.')).toBeInTheDocument();
  });

  it('says that nothing is allowed where that is so', () => {
    show(machine({ minimumGrade: 'sealed' }, CANNOT));
    expect(screen.getByText(/No grade that its own limits allow/)).toBeInTheDocument();
  });
});
