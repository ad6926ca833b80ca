import type { VisitorObject } from 'oxc-parser';

/** One visitor of several, so that a tree is walked once whatever the number of questions. */
export function mergeVisitors(...parts: readonly VisitorObject[]): VisitorObject {
  const merged: Record<string, (node: never) => void> = {};
  for (const part of parts) {
    for (const [name, visit] of Object.entries(part) as [string, (node: never) => void][]) {
      const before = merged[name];
      merged[name] = before
        ? (node) => {
            before(node);
            visit(node);
          }
        : visit;
    }
  }
  return merged;
}
