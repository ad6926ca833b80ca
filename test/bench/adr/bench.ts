/**
 * `npm run bench:adr`: the check of one rule over a generated tree, against dependency-cruiser with
 * the same rule in the same run. Ends with 1 when either does not find exactly what is planted.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeAdrBench, median } from './report.ts';
import { MORE_RULES, MORE_RULES_PATH, PLANTED, writeTree } from './tree.ts';

const TOP = new URL('../../../', import.meta.url).pathname;
const RIVAL = join(TOP, 'test/bench/adr/rival');
const MAX_BUFFER = 256 * 1024 * 1024;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});

type Contender = { name: string; run: (root: string) => string[] };

/** Runs a program to its end and returns what it prints, whatever its exit code. */
function outputOf(root: string, file: string, args: readonly string[]): string {
  const ended = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_BUFFER,
  });
  if (ended.error) throw ended.error;
  if (ended.stdout === '') throw new Error(`${file} printed nothing: ${ended.stderr}`);
  return ended.stdout;
}

type Ours = {
  records: { rules: { findings: { place: { path: string } | null }[] }[] }[];
};
function check(root: string, ...args: string[]): string[] {
  const json = outputOf(root, join(TOP, 'tools/adr/main.ts'), ['check', '--json', ...args]);
  const { records } = JSON.parse(json) as Ours;
  return records.flatMap((record) =>
    record.rules.flatMap((rule) => rule.findings.map((found) => found.place?.path ?? '')),
  );
}

type Theirs = { summary: { violations: { from: string }[] } };
function cruise(root: string): string[] {
  const main = join(RIVAL, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const json = outputOf(root, main, ['src', '--config', '--output-type', 'json']);
  return (JSON.parse(json) as Theirs).summary.violations.map((one) => one.from);
}

/** The same with six rules more, as a repository has them; the rival's one rule stays one. */
function checkMore(root: string): string[] {
  const path = join(root, MORE_RULES_PATH);
  writeFileSync(path, MORE_RULES);
  try {
    return check(root);
  } finally {
    rmSync(path);
  }
}

const CONTENDERS: readonly Contender[] = [
  { name: 'pilothouse adr, 7 rules', run: checkMore },
  { name: 'pilothouse adr, full', run: (root) => check(root) },
  { name: 'pilothouse adr, change', run: (root) => check(root, '--base', 'HEAD') },
  { name: 'dependency-cruiser', run: cruise },
];

if (!existsSync(join(RIVAL, 'node_modules'))) {
  console.error('bench: installing dependency-cruiser');
  const installed = spawnSync('npm', ['ci', '--silent'], { cwd: RIVAL, stdio: 'inherit' });
  if (installed.status !== 0) throw new Error('dependency-cruiser could not be installed');
}
const root = mkdtempSync(join(tmpdir(), 'adr-bench-'));
try {
  writeTree(root, Number(values.files));
  // The change that change-only mode looks at: the file with the planted import.
  appendFileSync(join(root, PLANTED), '\nexport const changed = 1;\n');
  const runs = new Map(CONTENDERS.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const { name, run } of CONTENDERS) {
      const began = performance.now();
      const found = run(root);
      runs.get(name)?.push(performance.now() - began);
      if (found.length !== 1 || found[0] !== PLANTED) {
        throw new Error(`${name} found ${JSON.stringify(found)} instead of ${PLANTED}`);
      }
    }
  }
  const rows = [...runs].map(([name, ms]) => ({ name, ms, median: median(ms) }));
  console.log(describeAdrBench(Number(values.files), availableParallelism(), rows));
} catch (error) {
  console.error('bench: the measurement is void:', error);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
