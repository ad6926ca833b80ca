import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '../lib/class-names.ts';
import { copyText } from '../lib/copy.ts';

const SAID_FOR_MS = 1_600;

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return undefined;
    const timer = setTimeout(() => setCopied(null), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const said = copied === null ? label : copied ? 'Copied' : 'Select it and copy by hand';
  return (
    <button
      type="button"
      aria-label={said}
      title={said}
      className="grid size-7 shrink-0 place-items-center rounded-sm text-faint hover:bg-sunken hover:text-ink"
      onClick={() => void copyText(text).then(setCopied)}
    >
      {copied === true ? <Check /> : <Copy className={cx(copied === false && 'text-red')} />}
    </button>
  );
}

/** A command, an id or a path, set in mono and ready to copy. */
export function Command({ text, label = 'Copy the command' }: { text: string; label?: string }) {
  return (
    <div className="flex items-start gap-1 rounded-md border bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 py-1 text-sm break-words whitespace-pre-wrap">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** The command that does what a button does, beside it: its beginning where it is long, copied whole. */
export const Twin = ({ text }: { text: string }) => (
  <span className="flex min-w-0 flex-1 basis-56 items-center gap-1 max-sm:basis-full">
    <code title={text} className="line-clamp-2 min-w-0 text-sm break-all text-faint">
      {text}
    </code>
    <CopyButton text={text} label="Copy the command" />
  </span>
);
