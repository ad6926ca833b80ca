import type { Presence } from '../../protocol/machine.ts';
import type { TurnView } from '../../protocol/session-view.ts';

/** How far an instruction got, in words. */
export function describeDelivery(
  turn: Pick<TurnView, 'delivery' | 'deliveryReason'>,
  presence: Presence,
): string {
  const reason = turn.deliveryReason === null ? '' : ` ${turn.deliveryReason}`;
  switch (turn.delivery) {
    case null:
      return presence === 'offline'
        ? 'Queued. The machine is away; it is delivered when it comes back.'
        : 'Queued, on its way to the machine.';
    case 'received':
      return 'Queued on the machine, waits for its turn.';
    case 'handed':
      return 'Given to the engine, which has not confirmed it yet.';
    case 'confirmed':
      return `The engine has it.${reason}`;
    case 'unknown':
      return `Given to the engine and never confirmed: it may have run. Look at the transcript before you send it again.${reason}`;
    case 'undelivered':
      return `Not delivered.${reason}`;
    default:
      return turn.delivery satisfies never;
  }
}
