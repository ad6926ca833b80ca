import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { UndoToast } from '../../../console/frame/undo-toast.tsx';
import { TemplateMenu } from '../../../console/launch/template-menu.tsx';
import { keepTemplate, nameOfTemplate, readTemplates } from '../../../console/launch/templates.ts';
import { draw } from '../support/render.tsx';

beforeEach(() => localStorage.clear());

function Field({ start }: { start: string }) {
  const [text, setText] = useState(start);
  return (
    <>
      <textarea aria-label="Objective" value={text} onChange={(e) => setText(e.target.value)} />
      <TemplateMenu objective={text} choose={setText} />
    </>
  );
}
const open = () => userEvent.click(screen.getByRole('button', { name: 'Templates' }));
const choose = async (name: RegExp) =>
  userEvent.click(await screen.findByRole('menuitem', { name }));

it('fills in an objective that is common', async () => {
  draw(<Field start="" />);
  await open();
  expect(screen.queryByRole('menuitem', { name: /Keep|Forget/ })).toBeNull();
  await choose(/^Run the tests/);
  expect(screen.getByLabelText('Objective')).toHaveValue(
    'Run the tests, fix what fails, and commit.',
  );
});

it('keeps what a person wrote, offers it by its first words, and forgets it again', async () => {
  const { unmount } = draw(<Field start={'Trim the sails\nand say how'} />);
  await open();
  await choose(/Keep what I wrote/);
  unmount();
  draw(
    <>
      <Field start="" />
      <UndoToast />
    </>,
  );
  await open();
  await choose(/^Trim the sails$/);
  expect(screen.getByLabelText('Objective')).toHaveValue('Trim the sails\nand say how');
  await open();
  await choose(/Forget this one/);
  expect(readTemplates()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(readTemplates()).toEqual(['Trim the sails\nand say how']);
});

it('holds twenty, the latest first and each once, and shortens a long first line', () => {
  for (let index = 0; index < 25; index += 1) keepTemplate(`Do ${index}`);
  keepTemplate(' Do 20 ');
  expect(readTemplates()).toHaveLength(20);
  expect(readTemplates().slice(0, 2)).toEqual(['Do 20', 'Do 24']);
  expect(nameOfTemplate('a'.repeat(60))).toBe(`${'a'.repeat(48)}…`);
});
