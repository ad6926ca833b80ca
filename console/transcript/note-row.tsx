import { CircleAlert, Dot } from 'lucide-react';
import type { NoteItem } from '../feed/items.ts';
import { cx } from '../lib/class-names.ts';
import { Ago } from '../ui/time.tsx';
import { Words } from '../ui/words.tsx';
import { describeNote } from './describe-note.ts';
import { Terminal } from './output.tsx';

/** Something that happened to the session: one quiet line, or a failure that is to be seen. */
export function NoteRow({ item }: { item: NoteItem }) {
  const note = describeNote(item.event);
  if (note === null) return null;
  const detail = note.detail.join('\n').trim();
  return (
    <div className={cx('px-4 py-1 text-sm', note.tone === 'failed' ? 'text-red' : 'text-faint')}>
      <div className="flex items-start gap-2">
        {note.tone === 'failed' ? <CircleAlert className="mt-px" /> : <Dot className="mt-px" />}
        <span className="min-w-0 flex-1 break-words">
          <Words text={note.text} />
        </span>
        <Ago at={item.at} className="shrink-0 text-faint" />
      </div>
      {detail !== '' && (
        <div className="mt-1 ml-6 max-h-48 overflow-y-auto rounded-md border bg-sunken px-3 py-2 text-ink">
          <Terminal text={detail} />
        </div>
      )}
    </div>
  );
}
