import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Types the name of what goes for good, as the dialog that asks for it wants. Answers the name. */
export async function typeName(): Promise<string> {
  const field = await screen.findByLabelText(/^Type .+ to confirm$/);
  const label = screen.getByText(/^Type .+ to confirm$/).textContent;
  const name = /^Type (.+) to confirm$/.exec(label)?.[1] ?? '';
  await userEvent.type(field, name);
  return name;
}
