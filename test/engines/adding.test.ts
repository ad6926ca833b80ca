import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScratchTree } from './scratch-tree.ts';
import { addRecord, describeEngine, install, recordTranscripts, register } from './toy-walk.ts';

const SUITE = 'test/engines/conformance/conformance.test.ts';
/** What it leaves to others. */
const BESIDE = ['sealed', 'conformance/runner-crash'].map((name) => `test/engines/${name}.test.ts`);
/** Its own tests, and those that look at every engine. */
const RUNNER_TESTS = ['toy/', 'told-policy', 'registry', 'preset'].map(
  (name) => `test/runner/engines/${name}`,
);
const WITHIN_MS = 900_000;

/** Follows docs/adding-an-engine.md, in a copy of all this, with an engine that is in no registry. */
describe('an engine that is added by the book', () => {
  let tree: ScratchTree;
  beforeAll(() => {
    tree = new ScratchTree();
  });
  afterAll(() => tree.remove());

  const vitest = (project: string, ...args: string[]) =>
    tree.run('vitest', 'run', '--project', project, ...args);
  const passes = async (project: string, ...args: string[]) => {
    const { exitCode, output } = await vitest(project, ...args);
    expect(exitCode, output).toBe(0);
  };

  it(
    'fails while it is registered and proven by nothing, by the names of what is missing',
    async () => {
      register(tree);
      const guard = await vitest('repo', 'test/repo/engines.test.ts');
      expect(guard.exitCode).toBe(1);
      expect(guard.output).toContain('toy has no record in test/engines/conformance');
      expect(guard.output).toContain('toy has no tests in test/runner/engines/toy');
      expect(guard.output).toContain('toy has no transcripts in test/fixtures/engines/toy-VERSION');
      expect(guard.output).toMatch(/keeps its id[^]*\+\s+"toy"/);
      const check = await tree.run('node', 'test/engines/conformance/check.ts');
      expect(check.exitCode).toBe(1);
      expect(check.output).toContain('toy is registered, and no passing suite is recorded for it');
      const suite = await vitest('engines', SUITE, '-t', 'the registry|the matrix');
      expect(suite.exitCode).toBe(1);
      expect(suite.output).toMatch(/holds no engine without a record[^]*\+\s+"toy"/);
      expect(suite.output).toContain('toy turn');
    },
    WITHIN_MS,
  );

  it(
    'passes with its transcripts, its tests and its record, and has its column in the table',
    async () => {
      describeEngine(tree);
      install(tree);
      addRecord(tree);
      await recordTranscripts(tree);
      await passes('runner', ...RUNNER_TESTS, '-u');
      await passes('engines', SUITE, '-t', '^(toy|the registry|the matrix) ', '-u');
      // What the suite leaves to others is no less asked for.
      const half = await tree.run('node', 'test/engines/conformance/check.ts');
      expect(half.exitCode).toBe(1);
      expect(half.output).toContain(
        'toy: “Works in a seal” is left to test/engines/sealed.test.ts',
      );
      expect(half.output).toContain(
        'toy: “Its runner killed in mid-turn loses nothing” is left to',
      );
      await passes('engines', ...BESIDE, '-t', 'the real toy', '-u');
      await passes('engines', 'test/engines/conformance/table.test.ts', '-u');
      await passes('repo', 'test/repo/engines.test.ts');
      for (const project of ['test', 'console']) {
        const types = await tree.run('tsc', '--noEmit', '-p', `${project}/tsconfig.json`);
        expect(types.exitCode, types.output).toBe(0);
      }
      const check = await tree.run('node', 'test/engines/conformance/check.ts');
      expect(check.exitCode, check.output).toBe(0);
      const sources = await tree.run('node', 'test/engines/conformance/check.ts', '--sources');
      expect(sources.output).not.toContain('What reads toy has changed');
      expect(tree.read('docs/engines.md')).toMatch(/\| Version proven \|.*\| 1\.0\.0 \|/);
    },
    WITHIN_MS,
  );

  it.each([
    ['spends', "  emit(draft, { type: 'usage/recorded',", "  void ({ type: 'usage/recorded',"],
    ['acts', 'command });\n    patch', 'command: null });\n    patch'],
  ])(
    'fails again once it %s unseen',
    async (_what, told, hidden) => {
      const parser = 'runner/engines/toy/parse.ts';
      const before = tree.read(parser);
      expect(before.split(told)).toHaveLength(2);
      tree.write(parser, before.replace(told, hidden));
      const suite = await vitest('engines', SUITE, '-t', '^toy > ends its first turn');
      tree.write(parser, before);
      expect(suite.exitCode).toBe(1);
      expect(suite.output).toContain('toy > ends its first turn with its usage and its act');
    },
    WITHIN_MS,
  );
});
