import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { AdrRepository } from '../../support/adr-repository.ts';
import { matchesSarif } from '../../support/sarif-schema.ts';

type Step = { run: string; env: Record<string, string> };
const action = parseYaml(readFileSync('tools/adr/action.yml', 'utf8')) as {
  inputs: Record<string, { default?: string }>;
  runs: { steps: [Step] };
};
const [step] = action.runs.steps;

/** Runs the action's step as a runner does: inputs and context put into its environment. */
function run(
  repository: AdrRepository,
  inputs: Record<string, string> = {},
  github: Record<string, string> = {},
) {
  const known: Record<string, string> = {
    'github.action_path': join(process.cwd(), 'tools/adr'),
    'github.event.pull_request.body': github['body'] ?? '',
  };
  for (const [name, { default: usual }] of Object.entries(action.inputs)) {
    known[`inputs.${name}`] = inputs[name] ?? usual ?? '';
  }
  const env = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, key: string) => {
        const found = known[key];
        if (found === undefined) throw new Error(`nothing gives ${key}`);
        return found;
      }),
    ]),
  );
  const outputs = join(repository.root, '.git/outputs');
  writeFileSync(outputs, '');
  const ended = spawnSync('bash', ['-c', step.run], {
    cwd: repository.root,
    encoding: 'utf8',
    env: { ...process.env, GITHUB_BASE_REF: '', ...github, ...env, GITHUB_OUTPUT: outputs },
  });
  return { ...ended, outputs: readFileSync(outputs, 'utf8') };
}

function broken(): AdrRepository {
  const repository = new AdrRepository();
  repository.lay('test/fixtures/adr/layouts/typescript/tree');
  repository.commit('Begin');
  repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  repository.lay('test/fixtures/adr/layouts/typescript/violations/imports');
  repository.commit('Break it');
  return repository;
}

describe('the action', () => {
  it('annotates, writes SARIF, and fails with the exit code of the check', () => {
    using repository = broken();
    const ended = run(repository);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain('::error file=src/orders/late.ts,line=1,');
    expect(ended.outputs).toBe('sarif=adr.sarif\nexit-code=1\n');
    const sarif = readFileSync(join(repository.root, 'adr.sarif'), 'utf8');
    expect(matchesSarif(JSON.parse(sarif))).toEqual([]);
  });
  it('looks at the change alone in a pull request, and at everything when told', () => {
    using repository = broken();
    const pull = { GITHUB_BASE_REF: 'main' };
    expect(run(repository, {}, pull).stdout).toContain('only what changed since origin/main');
    expect(run(repository, { base: 'none' }, pull).stdout).toContain('the whole tree');
  });
  it('finds the answer to a review in the text of the pull request', () => {
    using repository = broken();
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    repository.lay('test/fixtures/adr/layouts/typescript/violations/review');
    repository.commit('Add a currency');
    const pull = { GITHUB_BASE_REF: 'main' };
    expect(run(repository, {}, pull).status).toBe(1);
    const body = 'Currencies.\n\nADR-0002: the till, which is changed with it';
    expect(run(repository, {}, { ...pull, body }).status).toBe(0);
  });
  it('takes no input for a command', () => {
    using repository = broken();
    const planted = '"; touch planted; echo "$(touch planted)';
    run(repository, { base: planted, format: 'terminal' }, { body: planted });
    expect(repository.git('status', '--porcelain')).not.toContain('planted');
  });
  it('lets no line of the checked tree command the runner', () => {
    using repository = broken();
    const { stdout } = run(repository, { format: 'terminal' });
    const token = /^::stop-commands::(\S{20,})$/m.exec(stdout)?.[1];
    expect(stdout.trimEnd().endsWith(`::${token}::`)).toBe(true);
  });
});
