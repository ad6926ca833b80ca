import { describe, expect, it } from 'vitest';
import { decideImport } from './layering.ts';
import { isTest, listCode, readImports } from './source-files.ts';

const SCRIPT = /\.(ts|tsx|mjs)$/;

describe('the direction of imports', () => {
  it('holds in every file', () => {
    const files = listCode().filter((file) => SCRIPT.test(file.path) && !isTest(file.path));
    const imports = files.flatMap(readImports);
    console.log(`layering: examined ${imports.length} imports in ${files.length} files`);
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.flatMap((found) => decideImport(found) ?? [])).toEqual([]);
  });

  it.each([
    ['protocol/a.ts', "import ws from 'ws';"],
    ['protocol/a.ts', "import { x } from '../runner/x.ts';"],
    ['runner/a.ts', "import { x } from '../workers/x.ts';"],
    ['runner/a/b.ts', "export { x } from '../../console/x.ts';"],
    ['runner/a/b.ts', "const x = await import('../../workers/x.ts');"],
    ['console/a.tsx', "import type { X } from '../runner/x.ts';"],
    ['console/a.ts', "import { readFileSync } from 'node:fs';"],
    ['workers/lib/a.ts', "import { x } from '../http/x.ts';"],
    ['workers/ledger/a.ts', "import { x } from '../sessions/x.ts';"],
    ['workers/new-room/a.ts', "import { x } from '../db/x.ts';"],
    ['runner/engines/a.ts', "import { x } from '../terminal/tmux.ts';"],
    ['runner/sessions/a.ts', "await import('../terminal/tmux.ts');"],
    ['runner/terminal/execute.ts', "export * from './kitty.ts';"],
    ['runner/doctor/a.ts', "import { ITerm2 } from '../terminal/iterm2.ts';"],
  ])('is broken by %s with %s', (path, text) => {
    expect(readImports({ path, text }).flatMap((found) => decideImport(found) ?? [])).toHaveLength(
      1,
    );
  });

  it.each([
    ['protocol/a.ts', "import { z } from 'zod'; import { x } from './x.ts';"],
    ['runner/a.ts', "import { x } from '../protocol/x.ts'; import { y } from 'node:fs';"],
    ['workers/http/routes/a.ts', "import { x } from '../../sessions/x.ts';"],
    ['runner/terminal/registry.ts', "import { x } from './tmux.ts';"],
  ])('is kept by %s with %s', (path, text) => {
    expect(readImports({ path, text }).flatMap((found) => decideImport(found) ?? [])).toEqual([]);
  });

  it('cannot be judged in a file that does not parse, and says so', () => {
    expect(() => readImports({ path: 'runner/a.ts', text: 'import {' })).toThrow(/does not parse/);
  });
});
