import { File } from 'lucide-react';
import { plural } from '../format/count.ts';
import { cx } from '../lib/class-names.ts';
import { OptionRow } from '../ui/option-row.tsx';
import { Words } from '../ui/words.tsx';

/** The files that an `@` may mean, or why there are none. */
export function MentionList({
  id,
  files,
  current,
  choose,
  opens,
  failure,
  nothing,
}: {
  id: string;
  files: readonly string[];
  current: number;
  choose: (path: string) => void;
  opens: 'up' | 'down';
  failure: string | null;
  nothing: boolean;
}) {
  const place = cx(
    'absolute inset-x-0 z-30 max-h-[min(18rem,45dvh)] overflow-y-auto rounded-md border border-line-strong bg-raised p-1',
    opens === 'up' ? 'bottom-full mb-1' : 'top-full mt-1',
  );
  const said = sayFound(files, failure, nothing);
  return (
    <>
      <output
        className={files.length === 0 && said !== '' ? cx(place, 'text-sm text-soft') : 'sr-only'}
      >
        <Words text={said} />
      </output>
      {files.length > 0 && (
        <div
          id={id}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a field: a datalist cannot be read in a text area
          role="listbox"
          aria-label="Files"
          className={place}
        >
          {files.map((path, index) => (
            <OptionRow
              key={path}
              id={`${id}-${index}`}
              active={index === current}
              choose={() => choose(path)}
            >
              <File className="text-faint" />
              <PathName path={path} />
            </OptionRow>
          ))}
        </div>
      )}
    </>
  );
}

/** The name first, because paths are cut at their end. */
function PathName({ path }: { path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="min-w-0 flex-1 truncate font-mono text-sm" title={path}>
      {path.slice(cut)}
      {cut > 0 && <span className="ml-2 text-faint">{path.slice(0, cut - 1)}</span>}
    </span>
  );
}

function sayFound(files: readonly string[], failure: string | null, nothing: boolean): string {
  if (failure !== null) return `${failure} What you type goes as it is.`;
  if (nothing) return 'No file has these letters. What you type goes as it is.';
  if (files.length === 0) return '';
  return `${plural(files.length, 'file')}. Up and Down choose, Enter puts one in, Escape closes.`;
}
