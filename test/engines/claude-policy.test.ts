import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { DEFAULT_POLICY, type PolicyMode } from '../../protocol/merge-policy.ts';
import type { ToolRule } from '../../protocol/policy-defaults.ts';
import { claude } from '../../runner/engines/claude/preset.ts';
import { actRulesOf } from '../support/policy-rules.ts';
import { installEngine } from '../../tools/engines/install.ts';
import type { Line } from '../support/model-api/raw-claude.ts';
import { calls, type Reply, runs, says } from '../support/model-api/script.ts';
import { anEngineLaunch } from '../runner/engines/harness.ts';
import { isResult, startRun, type Run } from './recording/run.ts';
import { createWorkspace } from './recording/workspace.ts';

/** What the real claude does with the session's policy, where it would ask nobody: in bypass. */
const SECRET = 'the-value-in-the-env-file';
const running: Run[] = [];

beforeAll(() => void installEngine('claude'));
afterEach(async () => {
  for (const { claude: process, api, workspace } of running.splice(0)) {
    process.kill('SIGKILL');
    await process.exited;
    await api.close();
    workspace.remove();
  }
});

/**
 * What claude told the model of a call, with the product's own flags and its parser between: it
 * reads every line, and what it answers is written.
 */
async function resultOf(
  make: (repo: string) => Reply,
  { tools = DEFAULT_POLICY.tools, mode = 'pr', files = {}, hook = true, over }: Options = {},
): Promise<string> {
  const policy = { policy: { ...DEFAULT_POLICY, mode, tools: [...tools] }, sources: [] };
  const launch = anEngineLaunch({ acts: actRulesOf({ mode }) }, { approvals: 'bypass', policy });
  const { argv } = claude.plan(launch, {});
  let { state, items } = claude.open(launch);
  const workspace = createWorkspace();
  const all = { '.env': `TOKEN=${SECRET}\n`, 'plain.txt': 'plain words\n', ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(workspace.repo, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  let session: Run | null = null;
  const write = () => {
    if (!hook) return;
    for (const item of items)
      if (item.kind === 'write') session?.claude.write(JSON.parse(item.line));
    items = [];
  };
  session = await startRun(
    { go: [make(workspace.repo), says('Over.')] },
    {
      args: [
        '--permission-mode',
        'bypassPermissions',
        '--settings',
        argv[argv.indexOf('--settings') + 1] ?? '',
      ],
      env: { IS_SANDBOX: '1' },
      workspace,
      onTraffic: ({ dir, line }) => {
        if (dir !== 'out') return;
        ({ state, items } = claude.parse(state, JSON.stringify(line), 1));
        write();
      },
    },
  );
  running.push(session);
  write();
  session.claude.say('go');
  const last = await session.claude.waitFor((line) => isResult(line) || isAsked(line));
  over?.(workspace.repo);
  const told = session.claude.lines.filter((line) => line.type === 'user');
  return JSON.stringify([...told, ...(isAsked(last) ? [last] : [])]);
}

type Options = {
  tools?: readonly ToolRule[];
  mode?: PolicyMode;
  files?: Record<string, string>;
  /** False: nobody answers, as in its own terminal. */
  hook?: boolean;
  /** Once it is over, and before its directory is gone. */
  over?: (repo: string) => void;
};

const isAsked = ({ request }: Line): boolean =>
  (request as { subtype?: string } | undefined)?.subtype === 'can_use_tool';

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
  ])('is kept from %s by its own permissions alone', async (_name, call) => {
    const said = await resultOf(call, { hook: false });
    expect(said).not.toContain(SECRET);
    expect(said).toMatch(/denied by your permission settings|has been denied/);
  });

  it.each([
    ['a shell within the shell', () => runs("bash -c 'cat .env'")],
    ['a wildcard', () => runs('cat .e*')],
    ['python', () => runs(`python3 -c "print(open('.env').read())"`)],
    ['node', () => runs(`node -e 'console.log(require("fs").readFileSync(".env", "utf8"))'`)],
    ['a copy of it', () => runs('env -i cp .env seen && cat seen')],
  ])('is kept from %s, and the model is told why', async (_name, call) => {
    const said = await resultOf(call);
    expect(said).not.toContain(SECRET);
    expect(said).toContain('The policy of this session denies this (**/.env)');
  });

  it.each([
    '.claude/settings.json',
    '.claude/settings.local.json',
    '../home/.claude/settings.json',
  ])('is kept although %s turns hooks off', async (name) => {
    const files = { [name]: JSON.stringify({ disableAllHooks: true }) };
    const said = await resultOf(() => runs("bash -c 'cat .env'"), { files });
    expect(said).not.toContain(SECRET);
  });

  // What nobody can see through, only absence keeps away: docs/sealing.md says so.
  it.each([
    ['a name that is put together', () => runs('f=en; cat .${f}v')],
    ['a whole directory', () => runs('tar cf - . | strings')],
  ])('is not kept from %s where nobody is asked', async (_name, call) => {
    expect(await resultOf(call)).toContain(SECRET);
  });

  it('is asked about where the policy asks, although nobody is asked otherwise', async () => {
    const tools = [{ effect: 'ask', on: 'file', pattern: '**/.env' }] as const;
    const said = await resultOf(() => runs("bash -c 'cat .env'"), { tools });
    expect(said).toContain('can_use_tool');
    expect(said).not.toContain(SECRET);
  });

  it('hinders nothing else', async () => {
    expect(await resultOf(() => runs('cat plain.txt'))).toContain('plain words');
  });
});

describe('a push to a protected branch, in bypass', () => {
  /** What was said, and which commits the remote has of branches once claude is done. */
  const pushed = async (command: string, mode: PolicyMode) => {
    let remote = '';
    const said = await resultOf(() => runs(`git commit -q --allow-empty -m work && ${command}`), {
      mode,
      over: (repo) => {
        const args = ['for-each-ref', '--format=%(refname) %(subject)'];
        remote = String(execFileSync('git', args, { cwd: join(repo, '..', 'origin.git') }));
      },
    });
    return { said, remote };
  };

  it('is denied before it happens, and the model is told what to do instead', async () => {
    const { said, remote } = await pushed('git push origin HEAD:main', 'pr');
    expect(said).toContain('main is protected; push a branch of your own and open a pull request');
    expect(remote).toBe('refs/heads/main Start\n');
  });

  it('is asked about where the policy asks, and has not happened by then', async () => {
    const { said, remote } = await pushed('git push origin HEAD:main', 'ask');
    expect(said).toContain('can_use_tool');
    expect(remote).toBe('refs/heads/main Start\n');
  });

  it('is done where the policy allows it, and so is that of another branch', async () => {
    const { remote } = await pushed('git push origin HEAD:main', 'merge');
    expect(remote).toBe('refs/heads/main work\n');
    const feature = await pushed('git push origin HEAD:feature', 'pr');
    expect(feature.remote).toContain('refs/heads/feature work\n');
  });
});
