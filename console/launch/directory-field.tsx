import { useQuery } from '@tanstack/react-query';
import { FolderGit2, Folder, History } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { directoriesQuery } from '../api/queries.ts';
import { tellError } from '../errors.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { OptionRow } from '../ui/option-row.tsx';
import { readDirectories } from './remembered.ts';
import { Words } from '../ui/words.tsx';

/** A path to choose, and why it is offered. */
export type Suggestion = { path: string; kind: 'recent' | 'repository' | 'directory' };

/** A completion is asked for once nobody has typed for this long, in ms. */
const TYPING_MS = 120;

/** Whether a completion still fits what is typed by now. A `~` is spelled out by the machine. */
export function fitsTyped(path: string, typed: string): boolean {
  return typed.startsWith('~') || path.toLowerCase().startsWith(typed.toLowerCase());
}

type DirectoryFieldProps = {
  runnerId: string;
  value: string;
  problem: string | undefined;
  optional: boolean;
  onChange: (value: string) => void;
};

/** A path on another machine, completed from what is there. */
export function DirectoryField({
  runnerId,
  value,
  problem,
  optional,
  onChange,
}: DirectoryFieldProps) {
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const id = useId();
  const settled = useDebounced(value, TYPING_MS);
  const listing = useQuery({
    ...directoriesQuery(runnerId, settled),
    enabled: open && runnerId !== '',
  });
  const recent: Suggestion[] = readDirectories(runnerId)
    .filter((path) => path !== value && path.startsWith(value))
    .map((path) => ({ path, kind: 'recent' }));
  const found: Suggestion[] = (listing.data?.entries ?? [])
    .filter((entry) => fitsTyped(entry.path, value))
    .filter((entry) => !recent.some((held) => held.path === entry.path))
    .map((entry) => ({ path: entry.path, kind: entry.repository ? 'repository' : 'directory' }));
  const suggestions = [...recent, ...found].slice(0, 30);

  const close = () => {
    setOpen(false);
    // Whoever opens it again has marked nothing yet.
    setAt(-1);
  };
  const choose = ({ path, kind }: Suggestion) => {
    // A plain directory is a step on the way: its contents come next.
    onChange(kind === 'directory' ? `${path}/` : path);
    setAt(-1);
    setOpen(kind === 'directory');
  };
  const press = (event: KeyboardEvent) => {
    const chosen = suggestions[at];
    if (event.key === 'ArrowDown') {
      setOpen(true);
      setAt(Math.min(at + 1, suggestions.length - 1));
    } else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, -1));
    else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && open && chosen) choose(chosen);
    else return;
    if (event.key !== 'Tab' || chosen) event.preventDefault();
  };
  const label = optional ? 'Directory (empty: a scratch repository)' : 'Directory';
  return (
    <Field id={id} label={label} problem={problem}>
      <div className="relative">
        <input
          id={id}
          role="combobox"
          aria-expanded={open && suggestions.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={problem !== undefined}
          {...(at >= 0 ? { 'aria-activedescendant': `${id}-${at}` } : {})}
          autoComplete="off"
          spellCheck={false}
          placeholder="/home/you/code/project"
          className={`${inputClass(problem !== undefined)} font-mono`}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setAt(-1);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={close}
          onKeyDown={press}
        />
        {open && (suggestions.length > 0 || listing.isError) && (
          <div
            id={`${id}-list`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox: a datalist cannot say what its entries are
            role="listbox"
            aria-label="Directories"
            className="absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-md border border-line-strong bg-raised p-1"
          >
            {listing.isError && suggestions.length === 0 && (
              <p className="px-2 py-1 text-sm text-soft">
                <Words text={tellError(listing.error).sentence} />
              </p>
            )}
            {suggestions.map((suggestion, index) => (
              <SuggestionRow
                key={suggestion.path}
                id={`${id}-${index}`}
                suggestion={suggestion}
                active={index === at}
                choose={() => choose(suggestion)}
              />
            ))}
          </div>
        )}
      </div>
    </Field>
  );
}

const ICONS = { recent: History, repository: FolderGit2, directory: Folder } as const;

function SuggestionRow({
  id,
  suggestion,
  active,
  choose,
}: {
  id: string;
  suggestion: Suggestion;
  active: boolean;
  choose: () => void;
}) {
  const Icon = ICONS[suggestion.kind];
  return (
    <OptionRow id={id} active={active} choose={choose}>
      <Icon className="text-faint" />
      <span className="min-w-0 flex-1 truncate font-mono text-sm">{suggestion.path}</span>
      <span className="text-xs text-faint">{suggestion.kind}</span>
    </OptionRow>
  );
}
