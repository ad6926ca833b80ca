import { sessionId } from '../../protocol/ids.ts';
import { COMPARE_MAX } from '../../protocol/run-compare.ts';

/** The sessions that an address names, as far as they can be some, each once and no more than can be compared. */
export function chosenOf(text: string | undefined): string[] {
  const ids = (text ?? '').split(',').filter((each) => sessionId.safeParse(each).success);
  return [...new Set(ids)].slice(0, COMPARE_MAX);
}

/** Those that may still be chosen, the ones on the same objective first. */
export function listOffers<T extends { sessionId: string; title: string }>(
  sessions: readonly T[],
  chosen: readonly string[],
): T[] {
  const titles = new Set(
    sessions.filter(({ sessionId }) => chosen.includes(sessionId)).map(({ title }) => title),
  );
  const free = sessions.filter(({ sessionId }) => !chosen.includes(sessionId));
  const alike = free.filter(({ title }) => titles.has(title));
  return [...alike, ...free.filter(({ title }) => !titles.has(title))];
}
