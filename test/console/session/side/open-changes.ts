import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { MockRecord } from '../../../../console/mock/record.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../../console/mock/sentinels.ts';
import type { MockWorld } from '../../../../console/mock/world.ts';
import { openHouse } from '../../support/house.tsx';

/** A session with a checkout of its own whose turn has ended, and its panel of changes. */
export async function openChanges(
  events = [...eventsUntilApproval(), ...eventsAfterApproval()],
  prepare: (world: MockWorld, record: MockRecord) => void = () => undefined,
) {
  let path = '';
  const house = await openHouse('/', (world) => {
    const record = world.add(events);
    path = `/v1/sessions/${record.sessionId}`;
    prepare(world, record);
  });
  await house.router.navigate({ to: path.replace('/v1', '') });
  await screen.findByRole('log', {}, { timeout: 5_000 });
  await userEvent.click(screen.getByRole('button', { name: 'Details' }));
  const asked = () =>
    house.world.received.filter((one) => one.path.startsWith(`${path}/changes`)).length;
  return { ...house, path, asked };
}
