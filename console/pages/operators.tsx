import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { OperatorEntry } from '../../protocol/operator-http.ts';
import { instancesQuery, operatorsQuery } from '../api/operators.ts';
import { cliTwin } from '../format/cli.ts';
import { Catalogue } from '../operators/catalogue.tsx';
import { DefinitionForm } from '../operators/definition-form.tsx';
import { InstanceRows } from '../operators/instance-rows.tsx';
import { MakeInstance } from '../operators/make-instance.tsx';
import { WithdrawOperator } from '../operators/withdraw-operator.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

type Open = { kind: 'make' | 'edit' | 'withdraw'; entry: OperatorEntry };

/** Agents at the person's own terminals: those in use, and those that could be. */
export function OperatorsPage() {
  const operators = useQuery(operatorsQuery);
  const instances = useQuery(instancesQuery);
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const openAs = (kind: Open['kind']) => (entry: OperatorEntry) => setOpen({ kind, entry });
  return (
    <Page title="Operators">
      <Section title="In use" count={instances.data?.items.length ?? 0}>
        {instances.isPending && <Skeleton label="Reading the instances" rows={3} />}
        {instances.isError && !instances.data && (
          <ErrorPanel error={instances.error} retry={() => void instances.refetch()} />
        )}
        {instances.data?.items.length === 0 && (
          <Empty title="No operator is in use yet">
            An operator is an agent at a terminal of yours: in the one pane that you choose, with
            few tools, after your consent, and with every keystroke on record. Choose one below.
          </Empty>
        )}
        {instances.data && instances.data.items.length > 0 && (
          <InstanceRows items={instances.data.items} />
        )}
        {instances.data?.unreadable.map(({ instanceId, reason }) => (
          <p key={instanceId} role="alert" className="text-sm text-red">
            <code>{instanceId}</code> {reason}
          </p>
        ))}
      </Section>
      <Section title="To choose from">
        {operators.isPending && <Skeleton label="Reading the operators" />}
        {operators.isError && !operators.data && (
          <ErrorPanel error={operators.error} retry={() => void operators.refetch()} />
        )}
        {operators.data && (
          <Catalogue
            entries={operators.data.items}
            make={openAs('make')}
            edit={openAs('edit')}
            withdraw={openAs('withdraw')}
          />
        )}
        {operators.data?.unreadable.map(({ operatorId, reason }) => (
          <p key={operatorId} role="alert" className="text-sm text-red">
            <code>{operatorId}</code> {reason}
          </p>
        ))}
      </Section>
      <p className="text-sm text-faint">
        <code>{cliTwin.operators()}</code>
      </p>
      {open?.kind === 'make' && (
        <Dialog open onOpenChange={close} title={`Use ${open.entry.definition.name}`}>
          <MakeInstance
            entry={open.entry}
            onMade={({ instance }) =>
              void navigate({ to: '/operators/$instanceId', params: { instanceId: instance.id } })
            }
          />
        </Dialog>
      )}
      {open?.kind === 'edit' && (
        <Dialog
          open
          onOpenChange={close}
          title={
            open.entry.origin === 'own' ? 'Publish the next version' : 'An operator of your own'
          }
          description="Instances take a version at once, unless it may do more than was agreed to."
        >
          <DefinitionForm from={open.entry} published={close} />
        </Dialog>
      )}
      {open?.kind === 'withdraw' && <WithdrawOperator entry={open.entry} close={close} />}
    </Page>
  );
}
