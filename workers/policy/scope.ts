import type { PolicyScope } from '../../protocol/merge-policy.ts';

/** A scope as one text. */
export function scopeKeyOf(scope: PolicyScope): string {
  switch (scope.kind) {
    case 'account':
      return 'account';
    case 'repository':
      return `repository ${scope.runnerId} ${normalDirectory(scope.directory)}`;
    case 'session':
      return `session ${scope.sessionId}`;
    default:
      return scope satisfies never;
  }
}

/** A directory in its one spelling: without `.`, `..`, doubled and closing slashes. */
export function normalDirectory(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether a directory is another one, or lies below it. Both in their one spelling. */
export const isWithinDirectory = (top: string, directory: string): boolean =>
  directory === top || directory.startsWith(top === '/' ? '/' : `${top}/`);
