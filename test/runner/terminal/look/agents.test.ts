import { describe, expect, it } from 'vitest';
import { agentOf, findAgent, type Running } from '../../../../runner/terminal/look/agents.ts';
import type { ProcessRow } from '../../../../runner/process/process-table.ts';

const node = (...argv: string[]): Running => ({
  executable: '/usr/bin/node',
  argv: ['node', ...argv],
});

describe('a coding agent', () => {
  it.each<[string, Running, string, string]>([
    [
      'a package that node runs',
      node('/lib/node_modules/@anthropic-ai/claude-code/cli.js'),
      'claude',
      'package',
    ],
    [
      'one with options of node before it',
      node('--no-warnings', '/x/@google/gemini-cli/dist/index.js'),
      'gemini',
      'package',
    ],
    [
      'a version that claude’s installer keeps',
      { executable: '/home/me/.local/share/claude/versions/2.1.0', argv: ['claude'] },
      'claude',
      'executable',
    ],
    [
      'a binary in a package',
      { executable: '/x/@openai/codex/vendor/x86/codex', argv: ['codex'] },
      'codex',
      'package',
    ],
    [
      'a binary of its own',
      { executable: '/opt/homebrew/Cellar/codex/0.9/bin/codex', argv: ['codex'] },
      'codex',
      'executable',
    ],
    [
      'a script of python',
      {
        executable: '/usr/bin/python3.12',
        argv: ['python3', '/x/site-packages/aider/__main__.py'],
      },
      'aider',
      'package',
    ],
  ])('is %s', (_what, running, engine, evidence) => {
    expect(agentOf(running)).toEqual({ engine, evidence });
  });

  it.each<[string, Running]>([
    ['what calls itself by the name', { executable: '/usr/bin/sleep', argv: ['claude'] }],
    ['an editor on a file of that name', { executable: '/usr/bin/vim', argv: ['vim', 'claude'] }],
    [
      'a reader of its package',
      { executable: '/usr/bin/cat', argv: ['cat', '/x/@openai/codex/readme'] },
    ],
    ['a script that names it later', node('/x/build.js', '/x/@openai/codex/bin.js')],
    ['node alone', node()],
  ])('is not %s', (_what, running) => {
    expect(agentOf(running)).toBeNull();
  });

  it('is found below a pane’s first process, and nowhere else', () => {
    const row = (pid: number, parent: number, zombie = false): ProcessRow => ({
      pid,
      parent,
      session: parent === 1 ? pid : 10,
      startedAt: `t${pid}`,
      zombie,
    });
    const table = [row(10, 1), row(11, 10), row(12, 11), row(20, 1)];
    const claude = node('/x/@anthropic-ai/claude-code/cli.js');
    const run = (pids: number[]) => (pid: number) => (pids.includes(pid) ? claude : node());
    expect(findAgent(10, table, run([12]))).toEqual({
      engine: 'claude',
      evidence: 'package',
      pid: 12,
    });
    expect(findAgent(10, table, run([20]))).toBeNull();
    expect(findAgent(99, table, run([12]))).toBeNull();
    expect(findAgent(10, [row(10, 1), row(12, 10, true)], run([12]))).toBeNull();
  });
});
