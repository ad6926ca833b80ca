import { useMemo, useState } from 'react';
import type { FileDiff } from '../../protocol/engine-event.ts';
import { formatBytes } from '../format/bytes.ts';
import { plural } from '../format/count.ts';
import { cx } from '../lib/class-names.ts';
import { Button } from '../ui/button.tsx';
import { parsePatch, type PatchLine } from './parse-patch.ts';
import { useShorten } from './shorten.ts';

const SHOWN_LINES = 120;

const LOOK: Record<PatchLine['kind'], { row: string; sign: string }> = {
  added: { row: 'diff-added', sign: '+' },
  removed: { row: 'diff-removed', sign: '−' },
  context: { row: '', sign: ' ' },
  hunk: { row: 'text-faint bg-sunken', sign: ' ' },
  note: { row: 'text-faint italic', sign: ' ' },
};

const WORDS: Partial<Record<PatchLine['kind'], string>> = { added: 'added', removed: 'removed' };

/**
 * A unified patch as a diff: numbers, signs, and colour that repeats what the sign says. With
 * `comment` the number of a line says something about it.
 */
export function Patch({ patch, comment }: { patch: string; comment?: (line: PatchLine) => void }) {
  const lines = useMemo(() => parsePatch(patch), [patch]);
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, SHOWN_LINES);
  const numbered = lines.some((line) => line.before !== null || line.after !== null);
  return (
    <div className="overflow-x-auto">
      <table className="min-w-full border-collapse font-mono text-sm">
        <tbody>
          {shown.map((line, index) => (
            <tr key={index} className={LOOK[line.kind].row} data-line={line.kind}>
              {numbered && (
                <LineNumber
                  value={line.before}
                  comment={line.kind === 'removed' && comment ? () => comment(line) : undefined}
                />
              )}
              {numbered && (
                <LineNumber value={line.after} comment={comment && (() => comment(line))} />
              )}
              <td className="w-5 pl-2 align-top text-faint select-none">
                <span aria-hidden>{LOOK[line.kind].sign}</span>
                <span className="sr-only">{WORDS[line.kind]}</span>
              </td>
              <td className="pr-3 whitespace-pre">{line.text || ' '}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <div className="p-2">
          <Button size="small" kind="quiet" onClick={() => setAll(true)}>
            Show {plural(lines.length - shown.length, 'more line')}
          </Button>
        </div>
      )}
    </div>
  );
}

const NUMBER = 'figure w-10 text-right align-top text-xs leading-[18px] text-faint select-none';

function LineNumber({
  value,
  comment,
}: {
  value: number | null;
  comment: (() => void) | undefined;
}) {
  if (value === null || !comment) return <td className={cx(NUMBER, 'px-1')}>{value}</td>;
  return (
    <td className={NUMBER}>
      <button
        type="button"
        aria-label={`Comment on line ${value}`}
        title="Comment on this line in your next instruction"
        onClick={comment}
        className="w-full px-1 text-right hover:bg-accent-wash hover:text-accent"
      >
        {value}
      </button>
    </td>
  );
}

/** How many lines came and went. */
export function DiffCount({ file }: { file: Pick<FileDiff, 'additions' | 'deletions'> }) {
  return (
    <span className="figure shrink-0 text-sm whitespace-nowrap">
      <span className="text-soft">+{file.additions}</span>{' '}
      <span className="text-soft">−{file.deletions}</span>
    </span>
  );
}

/** One file that a tool changed. */
export function FileChange({ file }: { file: FileDiff }) {
  const shorten = useShorten();
  return (
    <div className="border-t first:border-t-0" data-file={file.path}>
      <div className="flex items-center gap-3 bg-sunken px-3 py-1 text-sm">
        <code className="min-w-0 flex-1 truncate" title={file.path}>
          {shorten(file.path)}
        </code>
        {file.change !== 'edited' && <span className="text-faint">{file.change}</span>}
        <DiffCount file={file} />
      </div>
      <Patch patch={file.patch.text} />
      {file.patch.truncated !== null && (
        <p className="px-3 py-1 text-sm text-soft">
          The record holds a part of this diff of {formatBytes(file.patch.truncated.bytes)}; the
          branch holds all of it.
        </p>
      )}
    </div>
  );
}
