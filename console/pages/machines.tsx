import { useQuery } from '@tanstack/react-query';
import { runnersQuery } from '../api/queries.ts';
import { MonitorUp } from 'lucide-react';
import { useState } from 'react';
import { cliTwin } from '../format/cli.ts';
import { MachineCard } from '../machines/machine-card.tsx';
import { OpenCodes } from '../machines/open-codes.tsx';
import { PairMachine } from '../machines/pair-machine.tsx';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

/** Where sessions run: presence, engines, and what each machine allows of itself. */
export function MachinesPage() {
  const query = useQuery(runnersQuery);
  const [pairing, setPairing] = useState(false);
  const close = () => setPairing(false);
  return (
    <Page
      title="Machines"
      aside={
        <Button onClick={() => setPairing(true)}>
          <MonitorUp /> Pair a machine
        </Button>
      }
    >
      {query.isPending && <Skeleton label="Reading the machines" />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <Empty title="No machine yet" action={<Command text={cliTwin.startRunner()} />}>
          Start a runner on this machine, or pair another one of yours. It connects outward, so
          nothing has to be opened there, and appears here by itself.
        </Empty>
      )}
      <Dialog open={pairing} onOpenChange={setPairing} title="Pair a machine">
        <PairMachine machine={null} close={close} />
      </Dialog>
      <OpenCodes />
      <div className="space-y-6">
        {query.data?.map((runner) => (
          <MachineCard key={runner.runnerId} runner={runner} />
        ))}
      </div>
    </Page>
  );
}
