import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument } from 'libxml2-wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { adrRuleKind } from '../../../protocol/adr-report.ts';
import { AdrRepository, kindsIn } from '../../support/adr-repository.ts';
import { matchesSarif } from '../../support/sarif-schema.ts';

const LAYOUTS = ['typescript', 'commonjs', 'python', 'go', 'monorepo'] as const;
/** An `advisory` rule asks for nothing that could be broken. */
const BREAKABLE = adrRuleKind.options.filter((kind) => kind !== 'advisory');

const at = (layout: string, ...path: string[]) =>
  join('test/fixtures/adr/layouts', layout, ...path);

/** Each layout committed once; a test gets a copy, history included, for less than a commit. */
const begun = new Map<string, AdrRepository>();
afterAll(() => {
  for (const repository of begun.values()) repository[Symbol.dispose]();
});

function open(layout: string, ...overlay: string[]): AdrRepository {
  let first = begun.get(layout);
  if (!first) {
    first = new AdrRepository();
    first.lay(at(layout, 'tree'));
    first.commit('Begin');
    begun.set(layout, first);
  }
  const repository = AdrRepository.copyOf(first);
  if (overlay.length > 0) repository.lay(at(layout, ...overlay));
  return repository;
}

describe.each(LAYOUTS)('a repository in the layout %s', (layout) => {
  it('is clean as it stands, with a rule of every kind', async () => {
    using repository = open(layout);
    const report = await repository.check();
    expect(report.exitCode).toBe(0);
    const rules = report.records.flatMap((record) => record.rules);
    expect(new Set(rules.map((rule) => rule.kind))).toEqual(new Set(adrRuleKind.options));
    for (const rule of rules.filter((one) => one.state === 'passed')) {
      expect([rule.id, rule.examined.count]).not.toEqual([rule.id, 0]);
    }
  });

  it.each(BREAKABLE)('fails by its rule of kind %s and by no other', async (kind) => {
    using repository = open(layout, 'violations', kind);
    // A question is asked of a change; every other rule is asked of the whole tree as well.
    const reports = [await repository.check('--base', 'HEAD')];
    if (kind !== 'review') reports.push(await repository.check());
    for (const report of reports) {
      expect([report.mode, kindsIn(report, 'violated')]).toEqual([report.mode, [kind]]);
      expect(report.exitCode).toBe(1);
    }
  });

  it('could not be checked while a file of it cannot be parsed', async () => {
    using repository = open(layout, 'unreadable');
    const report = await repository.check();
    expect(report.exitCode).toBe(2);
    expect(kindsIn(report, 'could_not_check')).toContain('imports');
    expect(kindsIn(report, 'violated')).toEqual([]);
  });

  it.each([
    ['is clean', 0, []],
    ['is broken', 1, ['violations', 'imports']],
    ['cannot be parsed', 2, ['unreadable']],
  ] as const)('is printed in every format when it %s', async (_, exitCode, overlay) => {
    using repository = open(layout, ...overlay);
    const formats = ['json', 'sarif', 'github', 'junit'] as const;
    const fileOf = (format: string) => join(repository.root, '.git', `adr.${format}`);
    const writes = formats.flatMap((format) => ['--write', `${format}=${fileOf(format)}`]);
    const printed = await repository.adr('check', ...writes);
    expect([printed.exitCode, printed.stderr]).toEqual([exitCode, '']);
    const written = (format: (typeof formats)[number]) => readFileSync(fileOf(format), 'utf8');
    expect(printed.stdout).toMatch(/^(Clean|Failed|Could not check): /m);
    expect(JSON.parse(written('json'))).toMatchObject({ exitCode });
    expect(matchesSarif(JSON.parse(written('sarif')))).toEqual([]);
    expect(written('github').includes('::error ')).toBe(exitCode !== 0);
    XmlDocument.fromString(written('junit')).dispose();
  });
});

describe('the program', () => {
  it.each([
    ['clean', 0, []],
    ['violated', 1, ['violations', 'forbid']],
    ['unreadable', 2, ['unreadable']],
  ] as const)('ends with its exit code for a tree that is %s', (_, exitCode, overlay) => {
    using repository = open('typescript', ...overlay);
    const main = join(process.cwd(), 'tools/adr/main.ts');
    let status = 0;
    try {
      execFileSync(process.execPath, [main, 'check'], { cwd: repository.root, encoding: 'utf8' });
    } catch (error) {
      ({ status } = error as { status: number });
    }
    expect(status).toBe(exitCode);
  });
});

describe('the layouts', () => {
  it('break every kind of rule that can be broken', () => {
    for (const layout of LAYOUTS) {
      for (const kind of BREAKABLE) {
        expect([layout, kind, existsSync(at(layout, 'violations', kind))]).toEqual([
          layout,
          kind,
          true,
        ]);
      }
    }
  });
});
