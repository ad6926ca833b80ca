import { posix } from 'node:path';
import type { Import } from './source-files.ts';

/** What each room may import, beside itself and packages. Longest match decides. */
const ALLOWED: Record<string, readonly string[]> = {
  protocol: [],
  runner: ['protocol'],
  console: ['protocol'],
  // Its own package takes versions from the product's manifest.
  tools: ['protocol', 'package.json'],
  workers: ['protocol'],
};

/** The rooms inside the Worker, from the door inwards: each may import what stands after it. */
const WORKER_RANKS: readonly (readonly string[])[] = [
  ['index'],
  ['http', 'relay', 'pilot', 'reports', 'github', 'budgets', 'push'],
  ['access', 'sessions', 'runners', 'engines', 'decisions', 'operators', 'gate'],
  ['ledger', 'policy'],
  ['db', 'lib', 'env', 'deps', 'calls'],
];

/** Modules with exactly one production importer. */
const SOLE_IMPORTERS: Record<string, string> = {
  'runner/terminal/tmux.ts': 'runner/terminal/registry.ts',
  'runner/terminal/kitty.ts': 'runner/terminal/registry.ts',
  'runner/terminal/iterm2.ts': 'runner/terminal/registry.ts',
};

export type Violation = { from: string; to: string; rule: string };

const roomOf = (path: string): string => path.split('/')[0] ?? '';

function rankOf(path: string): number {
  const name = (path.split('/')[1] ?? '').replace(/\.ts$/, '');
  return WORKER_RANKS.findIndex((names) => names.includes(name));
}

/** The file that a relative specifier names, or null for a package. */
export function resolveImport(found: Import): string | null {
  if (!found.specifier.startsWith('.')) return null;
  return posix.join(posix.dirname(found.from), found.specifier);
}

/** Decides whether one import keeps to the direction of imports; null is yes. */
export function decideImport(found: Import): Violation | null {
  const room = roomOf(found.from);
  const allowed = ALLOWED[room];
  if (!allowed) return null;
  const to = resolveImport(found);
  if (to === null) return decidePackage(found, room);
  const sole = SOLE_IMPORTERS[to];
  if (sole && found.from !== sole) {
    return { from: found.from, to, rule: `only ${sole} imports it` };
  }
  const target = roomOf(to);
  if (target !== room) {
    if (allowed.includes(target)) return null;
    return {
      from: found.from,
      to,
      rule: `${room}/ imports ${allowed.join(', ') || 'nothing'} beside itself`,
    };
  }
  return room === 'workers' ? decideInsideWorker(found, to) : null;
}

function decidePackage(found: Import, room: string): Violation | null {
  const { specifier, from } = found;
  if (room === 'protocol' && specifier !== 'zod') {
    return { from, to: specifier, rule: 'protocol/ imports zod and nothing else' };
  }
  const builtin = specifier.startsWith('node:');
  if (
    builtin &&
    (room === 'workers' || room === 'console') &&
    !/(^|\/)(mock\/|vite\.config)/.test(from)
  ) {
    return { from, to: specifier, rule: `${room}/ does not run on Node` };
  }
  return null;
}

function decideInsideWorker(found: Import, to: string): Violation | null {
  const from = rankOf(found.from);
  const target = rankOf(to);
  if (from === -1 || target === -1) {
    return { from: found.from, to, rule: 'a room of the Worker that has no rank: give it one' };
  }
  if (target >= from) return null;
  return { from: found.from, to, rule: 'imports inside the Worker point down only' };
}
