import type { OperatorEntry } from '../../protocol/operator-http.ts';
import type { OperatorDefinition } from '../../protocol/operator.ts';
import { OPERATORS_KEY, publishOperator, withdrawOperator } from '../api/operators.ts';
import { cliTwin } from '../format/cli.ts';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';

/** Asks before an operator is withdrawn. */
export function WithdrawOperator({ entry, close }: { entry: OperatorEntry; close: () => void }) {
  const { definition } = entry;
  return (
    <ConfirmRemoval
      title={`Withdraw ${definition.name}?`}
      name={null}
      back={{ said: `${definition.name} is withdrawn.`, undo: () => publishAgain(definition) }}
      description="Nothing new is made of it. Its instances go on, and its versions stay on record."
      action="Withdraw it"
      command={cliTwin.withdrawOperator(definition.id)}
      remove={() => withdrawOperator(definition.id)}
      queryKey={OPERATORS_KEY}
      close={close}
    />
  );
}

/** The withdrawal is a version too; what was before it becomes the one after it. */
function publishAgain({ id, version, ...body }: OperatorDefinition) {
  return publishOperator({ operatorId: id, basedOn: version + 1, body });
}
