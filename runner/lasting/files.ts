import { join } from 'node:path';

/** What a process that outlives the runner keeps in its own directory. */
export const portPath = (root: string): string => join(root, 'port');
export const keyPath = (root: string): string => join(root, 'key');
