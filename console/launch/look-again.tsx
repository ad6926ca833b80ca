import { RotateCw } from 'lucide-react';
import { useDoctor } from '../machines/use-doctor.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/states.tsx';

/** Has the machine look at its engines again, for one that was installed or logged in since. */
export function LookAgain({ runnerId }: { runnerId: string }) {
  const doctor = useDoctor(runnerId);
  return (
    <div className="mt-2 space-y-2">
      <Button size="small" busy={doctor.isPending} onClick={() => doctor.mutate()}>
        <RotateCw /> {doctor.isPending ? 'Looking…' : 'Look again'}
      </Button>
      {doctor.isError && <ErrorPanel error={doctor.error} retry={() => doctor.mutate()} />}
    </div>
  );
}
