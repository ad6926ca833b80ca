import { type EngineEntry, printPresetFile, variedBy } from '../../protocol/engines.ts';
import { PARSERS } from '../../protocol/parsers.ts';
import { commandLineOf, isUnmetered } from '../../protocol/preset.ts';
import { Button } from '../ui/button.tsx';
import { UnmeteredLabel } from '../ui/unmetered-label.tsx';

type RowActions = {
  edit: (entry: EngineEntry) => void;
  copy: (entry: EngineEntry) => void;
  history: (entry: EngineEntry) => void;
  remove: (entry: EngineEntry) => void;
};

/** Engines, each with exactly what it runs. */
export function EngineRows({
  label,
  entries,
  ...actions
}: { label: string; entries: readonly EngineEntry[] } & RowActions) {
  return (
    <ul aria-label={label} className="divide-y rounded-md border bg-raised">
      {entries.map((entry) => (
        <EngineRow key={entry.preset.id} entry={entry} {...actions} />
      ))}
    </ul>
  );
}

function EngineRow({ entry, edit, copy, history, remove }: { entry: EngineEntry } & RowActions) {
  const { preset, origin, verified, version, inPlaceOf } = entry;
  const varied = variedBy(entry);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{preset.label}</span>
          <code className="text-sm text-faint">{preset.id}</code>
          {version !== null && <span className="text-sm text-faint">version {version}</span>}
          {origin === 'builtIn' && !verified && (
            <span
              className="text-sm text-faint"
              title="Written from its documentation; nobody has seen it work with Pilothouse."
            >
              unverified
            </span>
          )}
          {isUnmetered(preset) && <UnmeteredLabel />}
        </div>
        <code className="block text-sm break-all text-soft">{commandLineOf(preset)}</code>
        <p className="text-sm text-faint">{PARSERS[preset.parser].label}</p>
        {varied && (
          <p className="text-sm text-faint">
            Your own version of {varied.label}, which stays as it is: launch that one, or remove
            this one to go back to it.
          </p>
        )}
        {inPlaceOf !== undefined && (
          <p className="text-sm text-faint">
            In the place of {inPlaceOf}, which has come with Pilothouse under this id since. To use
            that one, copy this to another id and remove it here.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => edit(entry)}>Edit</Button>
        {origin === 'own' && <Button onClick={() => copy(entry)}>Copy</Button>}
        {origin === 'own' && <Button onClick={() => history(entry)}>Versions</Button>}
        <Button onClick={() => download(entry)}>Export</Button>
        {origin === 'own' && <Button onClick={() => remove(entry)}>Remove</Button>}
      </div>
    </li>
  );
}

/** Saves an engine as the file that can be imported elsewhere. */
function download({ preset }: EngineEntry): void {
  const blob = new Blob([printPresetFile(preset)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${preset.id}.engine.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
