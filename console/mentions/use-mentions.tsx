import { useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isMentionable, type mentionsOf } from '../../protocol/find-files.ts';
import { type FilePlace, filesQuery } from '../api/files.ts';
import { tellError } from '../errors.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { MentionList } from './mention-list.tsx';
import { findMention, insertMention } from './mention.ts';

/** Files are asked for once nobody has typed for this long, in ms. */
const TYPING_MS = 100;

/**
 * A list of files at a text field once an `@` is typed there. Without a place, or with a machine
 * that does not answer, an `@` is text like any other.
 */
export function useMentions({
  field,
  text,
  setText,
  place,
  mentions,
  opens,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  setText: (text: string) => void;
  place: FilePlace | null;
  mentions: ReturnType<typeof mentionsOf>;
  /** On which side of the field there is room. */
  opens: 'up' | 'down';
}) {
  const id = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [shut, setShut] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const put = useRef<number | null>(null);
  const mention = place === null || caret === null ? null : findMention(text, caret);
  const wanted = mention !== null && mention.start !== shut;
  const query = mention?.query ?? '';
  const settled = useDebounced(query, TYPING_MS);
  const found = useQuery({
    ...filesQuery(place ?? { kind: 'session', sessionId: '' }, settled),
    enabled: wanted,
  });
  // A machine of an earlier version lists also what cannot be pointed to.
  const files = wanted && found.data ? found.data.files.filter(isMentionable) : [];
  const open = files.length > 0;
  const current = Math.min(at, files.length - 1);
  const fresh = settled === query && !found.isPlaceholderData;

  useLayoutEffect(() => {
    if (put.current === null || !field.current) return;
    field.current.setSelectionRange(put.current, put.current);
    put.current = null;
  });
  const look = () => {
    const now = field.current?.selectionEnd ?? null;
    setCaret(now);
    const next = now === null ? null : findMention(field.current?.value ?? '', now);
    if (next?.start !== mention?.start || next?.query !== query) setAt(0);
    if (next?.start !== shut) setShut(null);
  };
  const choose = (path: string) => {
    if (mention === null) return;
    const next = insertMention(text, mention, path, mentions);
    put.current = next.caret;
    setText(next.text);
    setCaret(next.caret);
  };
  /** Whether the key was for the list. */
  const press = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing || mention === null) return false;
    const last = files.length - 1;
    if (event.key === 'ArrowDown') setAt(current === last ? 0 : current + 1);
    else if (event.key === 'ArrowUp') setAt(current === 0 ? last : current - 1);
    else if (event.key === 'Escape') setShut(mention.start);
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') {
      const path = files[current];
      // What stands there is still of fewer letters: the next press takes what they found.
      if (fresh && path !== undefined) choose(path);
    } else return false;
    event.preventDefault();
    return true;
  };
  return {
    press,
    look,
    aria: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      ...(open && { 'aria-controls': id, 'aria-activedescendant': `${id}-${current}` }),
    } as const,
    leave: () => setCaret(null),
    list: (
      <MentionList
        id={id}
        files={files}
        current={current}
        choose={choose}
        opens={opens}
        failure={wanted && found.isError ? tellError(found.error).sentence : null}
        nothing={wanted && fresh && found.isSuccess && !open}
      />
    ),
  };
}
