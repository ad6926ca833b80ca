import type { InstanceDetail } from '../../protocol/operator-http.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { Sentences } from './sentences.tsx';

/** A version that allows more than was agreed to: what it is, and the one way to let it run. */
export function Offered({
  instanceId,
  offered,
  agree,
  busy,
}: {
  instanceId: string;
  offered: NonNullable<InstanceDetail['offered']>;
  agree: (version: number) => void;
  busy: boolean;
}) {
  const { version } = offered.definition;
  return (
    <section
      aria-label={`Version ${version} waits for you`}
      className="mb-6 rounded-md border border-amber-line bg-amber-wash p-3"
    >
      <h2 className="font-semibold">
        Version {version} may do more, and does not run until you agree
      </h2>
      <div className="my-2">
        <Sentences label={`What version ${version} may do at most`} words={offered.words} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={busy} onClick={() => agree(version)}>
          Agree to version {version}
        </Button>
        <code className="text-sm break-all text-faint">{cliTwin.agreeTo(instanceId, version)}</code>
      </div>
    </section>
  );
}
