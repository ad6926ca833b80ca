import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../protocol/merge-policy.ts';
import { claudePermissions } from '../../runner/engines/tool-policy.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { calls, type Reply, runs, says } from '../support/model-api/script.ts';
import { isResult, startRun, type Run } from './recording/run.ts';
import { createWorkspace } from './recording/workspace.ts';

/** What the real claude does with the session's policy, where it would ask nobody: in bypass. */
const SECRET = 'the-value-in-the-env-file';
const running: Run[] = [];

beforeAll(() => void installEngine('claude'));
afterEach(async () => {
  for (const { claude, api, workspace } of running.splice(0)) {
    claude.kill('SIGKILL');
    await claude.exited;
    await api.close();
    workspace.remove();
  }
});

/** What claude told the model of a call. */
async function resultOf(make: (repo: string) => Reply): Promise<string> {
  const settings = JSON.stringify({ permissions: claudePermissions(DEFAULT_POLICY.tools) });
  const workspace = createWorkspace();
  const run = await startRun(
    { go: [make(workspace.repo), says('Over.')] },
    {
      args: ['--permission-mode', 'bypassPermissions', '--settings', settings],
      env: { IS_SANDBOX: '1' },
      workspace,
    },
  );
  running.push(run);
  writeFileSync(join(run.workspace.repo, '.env'), `TOKEN=${SECRET}\n`);
  writeFileSync(join(run.workspace.repo, 'plain.txt'), 'plain words\n');
  run.claude.say('go');
  await run.claude.waitFor(isResult);
  return JSON.stringify(run.claude.lines.filter((line) => line.type === 'user'));
}

describe('a file that the policy denies', () => {
  it.each([
    ['its Read tool', (repo: string) => calls('Read', { file_path: join(repo, '.env') })],
    [
      'its Write tool',
      (repo: string) => calls('Write', { file_path: join(repo, '.env'), content: 'x' }),
    ],
    ['cat', () => runs('cat .env')],
    ['head with a path', (repo: string) => runs(`head -n 5 ${repo}/.env`)],
    ['a pipe and a redirection', () => runs('cat < .env | cat')],
  ])('is kept from %s, although nobody is asked', async (_name, call) => {
    const said = await resultOf(call);
    expect(said).not.toContain(SECRET);
    expect(said).toMatch(/denied by your permission settings|has been denied/);
  });

  // What claude cannot see through, only absence keeps away: docs/sealing.md says so.
  it.each([
    ['a shell within the shell', () => runs("bash -c 'cat .env'")],
    ['a wildcard', () => runs('cat .e*')],
  ])('is not kept from %s where nobody is asked', async (_name, call) => {
    expect(await resultOf(call)).toContain(SECRET);
  });

  it('hinders nothing else', async () => {
    expect(await resultOf(() => runs('cat plain.txt'))).toContain('plain words');
  });
});
