import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSources, sourcesOf } from '../engines/conformance/proof.ts';

const PARSE = 'runner/engines/codex/parse.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'engine-proofs-'));
  cpSync('runner/engines', join(root, 'runner/engines'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hash = (id: string) => hashSources(root, sourcesOf(root, id));
const append = (path: string, text: string) =>
  writeFileSync(join(root, path), readFileSync(join(root, path), 'utf8') + text);

describe('what reads an engine', () => {
  it('is its own folder, and the folders of engines that it imports', () => {
    expect(sourcesOf(root, 'codex')).toContain(PARSE);
    expect(sourcesOf(root, 'opencode')).toContain('runner/engines/acp/parse.ts');
    expect(sourcesOf(root, 'claude')).not.toContain('runner/engines/acp/parse.ts');
    expect(sourcesOf(root, 'novel')).toEqual([]);
  });

  it('is another when its code, a name or a file of it is', () => {
    const before = hash('codex');
    append(PARSE, 'export const p = 1;\n');
    const after = hash('codex');
    expect(after).not.toBe(before);
    writeFileSync(join(root, 'runner/engines/codex/more.ts'), '');
    expect(hash('codex')).not.toBe(after);
  });

  it('is the same when other words stand in its comments', () => {
    const before = hash('codex');
    append(PARSE, '// Nothing but words.\n\n/* More of them. */\n');
    expect(hash('codex')).toBe(before);
  });

  it('is no other when another engine is', () => {
    const before = hash('claude');
    append(PARSE, 'export const p = 1;\n');
    expect(hash('claude')).toBe(before);
  });
});
