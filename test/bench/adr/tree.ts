import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES_A_FOLDER = 50;
const IMPORTS_A_FILE = 6;

const pathOf = (index: number): string =>
  `src/room-${Math.floor(index / FILES_A_FOLDER)}/part-${index}.ts`;

/** One file of the tree: it imports earlier ones, so that the tree has no cycle. */
function fileOf(index: number): string {
  const imports = Array.from({ length: Math.min(IMPORTS_A_FILE, index) }, (_, at) => {
    // A fixed spread over the earlier files: every run measures the same tree.
    const target = (index * 31 + at * 7919) % index;
    return `import { part${target} } from '../../${pathOf(target)}';`;
  });
  const body = Array.from(
    { length: 20 },
    (_, at) =>
      `  /** Step ${at}. */\n  step${at}(value: number): number {\n    return value + ${at};\n  },`,
  );
  return `${imports.join('\n')}\n\nexport const part${index} = {\n${body.join('\n')}\n};\n`;
}

/** The one violation of the tree: both tools have to find it and nothing else. */
export const PLANTED = 'src/room-3/part-160.ts';

/**
 * Writes a git repository of `count` TypeScript files in which only `src/vault/door.ts` may import
 * `src/vault/gold.ts`, and one file does it nevertheless.
 */
export function writeTree(root: string, count: number): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (let index = 0; index < count - 2; index++) write(pathOf(index), fileOf(index));
  write(PLANTED, `export { gold } from '../vault/gold.ts';\n${fileOf(160)}`);
  write('src/vault/gold.ts', 'export const gold = 1;\n');
  write('src/vault/door.ts', "import { gold } from './gold.ts';\n\nexport const door = gold;\n");
  write('package.json', '{ "name": "tree", "private": true, "type": "module" }\n');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true } }\n',
  );
  write('docs/adr/0001-one-door-to-the-gold.md', RECORD);
  write('.dependency-cruiser.json', JSON.stringify(RIVAL_RULES, null, 2));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '-qm', 'Begin');
}

const RECORD = `---
status: accepted
date: 2026-10-01
enforcement:
  - id: gold-importers
    kind: imports
    reason: Gold leaves by the door, where it is weighed.
    modules: [src/vault/gold.ts]
    allow: [src/vault/door.ts]
---

# 0001. One door to the gold

## Context and problem

A tree for a measurement.

## Decision

Gold leaves by the door.
`;

/** A rule of every other kind that reads files, beside the one that both tools have. */
export const MORE_RULES = `---
status: accepted
date: 2026-10-02
enforcement:
  - id: rooms
    kind: layers
    reason: The vault knows of no room.
    within: ['src/**']
    layers:
      - { name: rooms, paths: ['src/room-*/**'] }
      - { name: vault, paths: ['src/vault/**'] }
  - id: no-eval
    kind: forbid
    reason: What is evaluated was written by nobody.
    paths: ['src/**/*.ts']
    patterns: ['eval($$$)']
  - id: no-doubling
    kind: forbid
    reason: The words of this pattern stand in every file, so that each is parsed for it.
    paths: ['src/**/*.ts']
    patterns: ['value + value']
  - id: no-notes
    kind: forbid
    reason: A note is no plan.
    paths: ['src/**/*.ts']
    text: DO-NOT-SHIP
  - id: one-date-library
    kind: dependencies
    reason: Two of them disagree about the end of a month.
    ban: [moment]
  - id: rooms-have-parts
    kind: require
    reason: An empty room is a mistake.
    forEach: { each: 'src/room-*/', files: ['src/room-{name}/part-*.ts'] }
---

# 0002. Rules of every kind

## Decision

A set of rules as a repository has them.
`;
export const MORE_RULES_PATH = 'docs/adr/0002-rules-of-every-kind.md';

const RIVAL_RULES = {
  forbidden: [
    {
      name: 'gold-importers',
      severity: 'error',
      from: { pathNot: '^src/vault/' },
      to: { path: '^src/vault/gold[.]ts$' },
    },
  ],
  options: { tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' } },
};
