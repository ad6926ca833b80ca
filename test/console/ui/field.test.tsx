import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Choice, ChoiceGroup, Field } from '../../../console/ui/field.tsx';
import { Segmented } from '../../../console/ui/segmented.tsx';
import { draw } from '../support/render.tsx';

describe('a field', () => {
  const field = (problem?: string, hint?: string) => (
    <Field id="name" label="Name" problem={problem} {...(hint !== undefined && { hint })}>
      <input id="name" />
    </Field>
  );
  const input = () => screen.getByRole('textbox', { name: 'Name' });

  it('is described by its hint, and by its problem before that', () => {
    const { redraw } = draw(field(undefined, 'As on the door.'));
    expect(input()).toHaveAccessibleDescription('As on the door.');
    redraw(field('Type `a` name.', 'As on the door.'));
    expect(input()).toHaveAccessibleDescription('Type a name. As on the door.');
  });

  it('is described by nothing once its problem is gone', () => {
    const { redraw } = draw(field('Type a name.'));
    expect(input()).toHaveAccessibleDescription('Type a name.');
    redraw(field());
    expect(input()).not.toHaveAttribute('aria-describedby');
  });
});

describe('one of several answers', () => {
  const group = (choose: (what: string) => void, multiple = false) => (
    <ChoiceGroup label="Engine">
      {['claude', 'codex', 'gemini'].map((name) => (
        <Choice
          key={name}
          name="engine"
          label={name}
          detail={`It is ${name}.`}
          checked={name === 'claude'}
          disabled={name === 'gemini'}
          multiple={multiple}
          onChoose={() => choose(name)}
        />
      ))}
    </ChoiceGroup>
  );

  it('is chosen anywhere in its row, and not where it cannot be', async () => {
    const choose = vi.fn();
    draw(group(choose));
    await userEvent.click(screen.getByText('It is codex.'));
    await userEvent.click(screen.getByText('It is gemini.'));
    expect(choose.mock.calls).toEqual([['codex']]);
    expect(screen.getByRole('radio', { name: /gemini/ })).toBeDisabled();
  });

  it('says which one holds, within the question that it answers', () => {
    draw(group(() => undefined));
    expect(screen.getByRole('radiogroup', { name: 'Engine' })).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: /claude/ })).toBeChecked();
  });

  it('is a box of its own where several hold together', async () => {
    const choose = vi.fn();
    draw(group(choose, true));
    await userEvent.click(screen.getByRole('checkbox', { name: /claude/ }));
    expect(choose.mock.calls).toEqual([['claude']]);
  });
});

describe('a few choices side by side', () => {
  it('always hold one: pressing that again changes nothing', async () => {
    const choose = vi.fn();
    const options = [
      { value: 'day', label: 'By day' },
      { value: 'model', label: 'By model' },
    ] as const;
    draw(<Segmented label="Group" value="day" options={options} onChoose={choose} />);
    await userEvent.click(screen.getByRole('radio', { name: 'By day' }));
    expect(choose).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('radio', { name: 'By model' }));
    expect(choose.mock.calls).toEqual([['model']]);
    expect(screen.getByRole('radio', { name: 'By day' })).toBeChecked();
  });
});
