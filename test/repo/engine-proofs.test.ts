import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MATRIX, type Row } from '../engines/conformance/matrix.ts';
import { hashSources, type Pass, type Proof, sourcesOf } from '../engines/conformance/proof.ts';
import { findUnrecorded, findUnrecordedChecks } from '../engines/conformance/recorded.ts';

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

describe('what is left to a test beside the suite', () => {
  const row = MATRIX['codex'] as Row;
  const title = row.crash.by === 'test' ? row.crash.title : '';
  const run: Pass = { version: '1.0.0', sources: 'a'.repeat(64), passed: [title] };
  const whole = (row.sealed.by === 'test' && row.sealed.title) || '';
  const recorded: Proof = {
    engine: 'codex',
    ...run,
    beside: { crash: run, sealed: { ...run, passed: [whole] } },
  };
  const checksOf = (passed: Proof, version = '1.0.0') =>
    findUnrecordedChecks(row, passed, version).map(({ check, why }) => `${check}: ${why}`);

  it('counts where a run of it is recorded, in this version, by its title', () => {
    expect(checksOf(recorded)).toEqual([]);
    expect(checksOf({ ...recorded, beside: { crash: run } })).toEqual([
      'sealed: no passing run of it is recorded',
    ]);
    expect(checksOf(recorded, '1.0.1')).toEqual([
      'sealed: it passed in version 1.0.0',
      'crash: it passed in version 1.0.0',
    ]);
    const other = { ...run, passed: ['another test'] };
    expect(checksOf({ ...recorded, beside: { crash: other, sealed: other } })).toEqual([
      expect.stringContaining(`sealed: the recorded run did not have “${whole}”`),
      expect.stringContaining(`crash: the recorded run did not have “${title}”`),
    ]);
  });

  it('is not asked of what has nothing to prove, nor of the suite’s own checks here', () => {
    expect(findUnrecorded('denied', row, null, '1.0.0')).toBeNull();
    expect(findUnrecorded('turn', row, recorded, '1.0.0')).toBeNull();
    expect(findUnrecorded('turn', row, null, '1.0.0')).toBe('no passing run of it is recorded');
  });
});
