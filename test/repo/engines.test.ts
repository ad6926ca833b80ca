import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isReservedId } from '../../protocol/engines.ts';
import { ENGINES } from '../../runner/engines/registry.ts';
import { findLacks, findPlaces, PLACES, type Proofs } from './engines.ts';
import { listFiles } from './source-files.ts';

/** Read as text: the suite itself would start the real engines' world to say it. */
const RECORDS = 'test/engines/conformance/records.ts';
const text = readFileSync(RECORDS, 'utf8');
const table = text.slice(text.indexOf('export const RECORDS'));
const ids = ENGINES.map(({ id }) => id);
const proofs: Proofs = {
  files: listFiles(),
  records: ids.filter((id) => new RegExp(`^ {2}['"]?${id}['"]?[:,]`, 'm').test(table)),
  withoutModel: ids.filter((id) =>
    new RegExp(`^ {2}${id}: \\{\\s+kind: 'no-model'`, 'm').test(table),
  ),
};

/** For one whose own hooks can answer a question: so that it asks elsewhere in a terminal too. */
const BESIDES = 'runner/questions/start-agent.ts';

describe('every engine of the runner', () => {
  it('has its record, its tests and its transcripts', () => {
    console.log(`engines: examined ${ids.join(', ')} against ${proofs.files.length} files`);
    expect(ids.length).toBeGreaterThan(0);
    expect(findLacks(ids, proofs)).toEqual([]);
  });

  it('keeps its id: nobody can describe another engine under it', () => {
    expect(ids.filter((id) => !isReservedId(id))).toEqual([]);
  });

  it('would fail with one that is registered and proven by nothing', () => {
    expect(findLacks([...ids, 'novel'], proofs)).toEqual([
      'novel has no record in test/engines/conformance',
      'novel has no tests in test/runner/engines/novel',
      'novel has no transcripts in test/fixtures/engines/novel-VERSION',
    ]);
  });

  it('is named in six files beside its own, and the guide names the same ones', () => {
    const read = (path: string) => readFileSync(path, 'utf8');
    // The last one that was added; the ones before it are in tests and shells of their own as well.
    const named = findPlaces('qwen', proofs.files, read).filter((path) => path !== BESIDES);
    expect(named).toEqual([...PLACES]);
    for (const { id } of ENGINES)
      if (id !== 'rehearsal')
        expect(findPlaces(id, proofs.files, read)).toEqual(expect.arrayContaining([...PLACES]));
    const guide = read('docs/adding-an-engine.md');
    const inSuite = (path: string) => path.replace('test/engines/conformance/', '');
    for (const path of [...PLACES, BESIDES]) expect(guide).toContain(`\`${inSuite(path)}\``);
  });

  it('would be named elsewhere by a list that knows it', () => {
    const read = (path: string) =>
      path === 'runner/list.ts' ? "const ALL = ['qwen'];" : '// qwen:';
    expect(findPlaces('qwen', ['runner/list.ts', 'runner/other.ts'], read)).toEqual([
      'runner/list.ts',
    ]);
  });

  it('would fail without any one of its proofs', () => {
    const without = (part: RegExp) => ({
      ...proofs,
      files: proofs.files.filter((path) => !part.test(path)),
    });
    expect(findLacks(ids, { ...proofs, records: [] })).toHaveLength(new Set(ids).size);
    expect(findLacks(['gemini'], without(/^test\/runner\/engines\/gemini\//))).toHaveLength(1);
    expect(findLacks(['gemini'], without(/^test\/fixtures\/engines\/gemini-/))).toHaveLength(1);
  });
});
