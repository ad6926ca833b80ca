import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EngineDetail, EngineVersion } from '../../protocol/engines.ts';
import { commandLineOf, type EnginePreset } from '../../protocol/preset.ts';
import { ENGINES_KEY, engineQuery, saveEngine } from '../api/engines.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Patch } from '../transcript/diff.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { patchOf, restoreObstacle, versionBefore } from './history.ts';

/** The versions of an engine: who saved each and when, what changed, and the way back. */
export function EngineHistory({ preset, close }: { preset: EnginePreset; close: () => void }) {
  const query = useQuery(engineQuery(preset.id));
  return (
    <Dialog open onOpenChange={close} title={`Versions of ${preset.label}`}>
      {query.isPending && <Skeleton label="Reading the versions" />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data?.versions.length === 0 && (
        <Empty title="No versions">It comes with Pilothouse, and changes with it.</Empty>
      )}
      {query.data && query.data.versions.length > 0 && <Versions detail={query.data} />}
      <p className="mt-3 text-sm break-all text-faint">
        <code>{cliTwin.engineHistory(preset.id)}</code>
      </p>
    </Dialog>
  );
}

function Versions({ detail }: { detail: EngineDetail }) {
  const client = useQueryClient();
  const restoring = usePress({
    mutationFn: (preset: EnginePreset) => saveEngine(preset, detail.entry?.version ?? 0),
    onSuccess: () => client.invalidateQueries({ queryKey: ENGINES_KEY }),
  });
  return (
    <>
      {restoring.isError && (
        <div className="mb-3">
          <ErrorPanel
            error={restoring.error}
            retry={() => restoring.variables && restoring.mutate(restoring.variables)}
            renew={() =>
              void client.invalidateQueries({ queryKey: ENGINES_KEY }).then(restoring.reset)
            }
          />
        </div>
      )}
      <ol aria-label="Versions, the newest first" className="divide-y rounded-md border bg-raised">
        {detail.versions.map((version) => (
          <Version
            key={version.version}
            version={version}
            before={versionBefore(detail.versions, version.version)}
            obstacle={restoreObstacle(detail, version)}
            busy={restoring.isPending}
            restore={(preset) => restoring.mutate(preset)}
          />
        ))}
      </ol>
    </>
  );
}

type VersionProps = {
  version: EngineVersion;
  before: EngineVersion | undefined;
  obstacle: string | null;
  busy: boolean;
  restore: (preset: EnginePreset) => void;
};

function Version({ version: each, before, obstacle, busy, restore }: VersionProps) {
  const { version, savedAt, savedBy, preset } = each;
  const [shown, setShown] = useState(false);
  const patch = before && patchOf(before.preset, preset);
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p>
            <span className="font-medium">Version {version}</span>{' '}
            <span className="text-sm text-faint">
              {savedBy === 'cli' ? 'by command line' : 'in the console'}, <Ago at={savedAt} />
            </span>
          </p>
          {preset ? (
            <code className="block text-sm break-all text-soft">{commandLineOf(preset)}</code>
          ) : (
            <p className="text-sm text-faint">removed</p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {patch && (
            <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
              {shown ? 'Hide what changed' : 'What changed'}
            </Button>
          )}
          {preset && obstacle === null && (
            <Button busy={busy} onClick={() => restore(preset)}>
              Restore version {version}
            </Button>
          )}
          {preset && obstacle !== null && <span className="text-sm text-faint">{obstacle}</span>}
        </div>
      </div>
      {shown && patch && (
        <div className="mt-2 rounded-sm border">
          <Patch patch={patch} />
        </div>
      )}
    </li>
  );
}
