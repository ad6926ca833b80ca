import type { Location } from 'sarif';
import { type Told } from './told.ts';

/** A relative path as a URI reference: any character of a file name, a colon included. */
const uriOf = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');

/**
 * Where a finding is. Without a place of its own it is the record that demands it, because code
 * hosts show no result that lies nowhere.
 */
export function sarifLocations({ record, finding }: Told): Location[] {
  const path = finding.place?.path ?? record?.path;
  if (path === undefined) return [];
  const line = finding.place?.line;
  const region = line && {
    startLine: line,
    ...(finding.place?.column ? { startColumn: finding.place.column } : {}),
    ...(finding.excerpt === null ? {} : { snippet: { text: finding.excerpt } }),
  };
  return [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' },
        ...(region ? { region } : {}),
      },
    },
  ];
}
