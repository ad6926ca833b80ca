import type { PolicyVersion } from '../../protocol/policy-http.ts';
import { Button } from '../ui/button.tsx';
import { Ago } from '../ui/time.tsx';
import { sayPart } from './draft.ts';

type PolicyHistoryProps = {
  versions: readonly PolicyVersion[];
  /** Puts a version into the form, to be saved as the newest. */
  bringBack: (version: PolicyVersion) => void;
};

/** Who said what, and the way back. */
export function PolicyHistory({ versions, bringBack }: PolicyHistoryProps) {
  if (versions.length === 0)
    return <p className="text-sm text-soft">Nobody has changed it here.</p>;
  return (
    <ol aria-label="Versions, the newest first" className="divide-y rounded-md border bg-raised">
      {versions.map((each, index) => (
        <li key={each.version} className="flex flex-wrap items-start gap-x-3 gap-y-2 px-3 py-2">
          <div className="min-w-0 flex-1 basis-56">
            <p>
              <span className="font-medium">Version {each.version}</span>{' '}
              <span className="text-sm text-faint">
                {each.savedBy === 'cli' ? 'by command line' : 'in the console'},{' '}
                <Ago at={each.savedAt} />
              </span>
            </p>
            <p className="text-sm break-words text-soft">{sayPart(each.part)}</p>
            {each.widens !== null && (
              <p className="text-sm break-words text-soft">May allow more: “{each.widens}”</p>
            )}
          </div>
          {index === 0 ? (
            <span className="text-sm text-faint">It is so now.</span>
          ) : (
            <Button size="small" onClick={() => bringBack(each)}>
              Bring back version {each.version}
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}
