import { posix } from 'node:path';
import { type Finding, found } from '../finding.ts';
import type { DecisionRecord } from './record.ts';

/**
 * Links of a record that lead to no file. Addresses elsewhere are not looked up: the check needs
 * no network. `exists` answers for paths from the root, directories included.
 */
export function checkLinks(record: DecisionRecord, exists: (path: string) => boolean): Finding[] {
  return record.links.flatMap(({ url, line }) => {
    if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return [];
    const [address = ''] = url.split(/[?#]/);
    if (address === '') return [];
    let decoded = address;
    try {
      decoded = decodeURIComponent(address);
    } catch {
      // A stray percent sign is a name as it stands.
    }
    const base = decoded.startsWith('/') ? '.' : posix.dirname(record.path);
    const path = posix.join(base, decoded);
    if (exists(path)) return [];
    return [
      found({ path: record.path, line }, `The link ${url} leads to no file (${path}). Correct it.`),
    ];
  });
}
