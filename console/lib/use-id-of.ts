import { useState } from 'react';

/** The id under which a text is sent, the same each time that it is asked for. */
export type IdOf<Id extends string> = ((text: string) => Id) & {
  /** It arrived: the same words again are meant again. */
  forget: () => void;
};

/**
 * One id for one text: pressing again after an answer that never came cannot send it twice, and
 * another text is another request.
 */
export function useIdOf<Id extends string>(make: () => Id): IdOf<Id> {
  return useState(() => idsOf(make))[0];
}

function idsOf<Id extends string>(make: () => Id): IdOf<Id> {
  let last: { text: string; id: Id } | null = null;
  const idOf = (text: string): Id => {
    if (last?.text !== text) last = { text, id: make() };
    return last.id;
  };
  return Object.assign(idOf, { forget: () => void (last = null) });
}
