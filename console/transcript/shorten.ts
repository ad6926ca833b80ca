import { createContext, useContext } from 'react';

/** The directory that a session works in; null while it has none. */
export const WorkDirectory = createContext<string | null>(null);

/** Text with paths in the session's own directory made relative to it. */
export function shortenPaths(text: string, directory: string | null): string {
  if (directory === null || directory.length < 2) return text;
  return text.replaceAll(`${directory.replace(/\/$/, '')}/`, '');
}

/** Makes paths short for the session that is shown. */
export function useShorten(): (text: string) => string {
  const directory = useContext(WorkDirectory);
  return (text) => shortenPaths(text, directory);
}
