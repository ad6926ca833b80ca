import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { DEFAULT_TOOL_RULES, type ToolRule } from '../../../protocol/policy-defaults.ts';
import { approvalsMode } from '../../../protocol/launch.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { claudePermissions, decideToolUse } from '../../../runner/engines/tool-policy.ts';
import { anEngineLaunch } from './harness.ts';

const effectOf = (input: unknown, rules: readonly ToolRule[] = DEFAULT_TOOL_RULES, name = 'Bash') =>
  decideToolUse(rules, { name, input })?.effect ?? null;
const rule = (effect: ToolRule['effect'], on: ToolRule['on'], pattern: string): ToolRule => ({
  effect,
  on,
  pattern,
});

describe('a tool call', () => {
  it.each([
    [{ file_path: '/checkout/.env' }],
    [{ path: '.env' }],
    [{ command: 'cat .env' }],
    [{ command: "bash -c 'cat ./deep/.env'" }],
    [{ command: 'python3 -c "print(open(\'.env\').read())"' }],
    [{ command: ['bash', '-lc', 'cat ~/.ssh/id_ed25519'] }],
    [{ command: 'cat $HOME/.aws/credentials' }],
    [{ command: 'cp ~/.config/gh/hosts.yml /tmp' }],
    [{ command: 'cat .e*' }],
    [{ command: 'cat deep/.en?' }],
    [{ toolCall: { rawInput: { cmd: 'cat .ENV' } } }],
    ['cat .env and more that was cut off {'],
  ])('that reads a file of credentials is denied: %j', (input) => {
    expect(effectOf(input)).toBe('deny');
  });

  it.each([
    [{ command: 'cat .env.example' }],
    [{ command: 'echo environment' }],
    [{ command: "grep -rE 'import .* from' src/*.ts" }],
    [{ command: 'ls -la *' }],
    [{ file_path: '/checkout/env.ts' }],
    [{}],
    [null],
  ])('that does not is nobody’s business: %j', (input) => {
    expect(effectOf(input)).toBeNull();
  });

  it('is held to the strictest rule that is about it', () => {
    const rules = [
      rule('allow', 'command', 'npm *'),
      rule('ask', 'command', 'npm publish*'),
      rule('deny', 'command', 'npm publish --force*'),
    ];
    const of = (command: string) => effectOf({ command }, rules);
    expect(of('npm test')).toBe('allow');
    expect(of('npm publish')).toBe('ask');
    expect(of('npm publish --force x')).toBe('deny');
  });

  it('is not allowed unasked where a shell would make more of it', () => {
    const rules = [rule('allow', 'command', 'npm *')];
    for (const command of ['npm test; rm -rf /', 'npm $(evil)', 'npm test && x', 'npm test\nevil'])
      expect(effectOf({ command }, rules)).toBeNull();
  });

  it('is known by the name of its tool, and an edit by what it does', () => {
    expect(effectOf({}, [rule('deny', 'tool', 'mcp__*')], 'mcp__github__merge')).toBe('deny');
    const edit = [rule('deny', 'edit', 'migrations/**')];
    expect(effectOf({ file_path: 'migrations/1.sql' }, edit, 'Edit')).toBe('deny');
    expect(effectOf({ file_path: 'migrations/1.sql' }, edit, 'Read')).toBeNull();
  });
});

describe('claude', () => {
  it.each(approvalsMode.options)('is given the policy as its own floor in mode %s', (approvals) => {
    const { argv } = claude.plan(anEngineLaunch({}, { approvals }), { HOME: '/people/ada' });
    const settings = JSON.parse(argv[argv.indexOf('--settings') + 1] ?? '{}');
    expect(settings).toEqual({ permissions: claudePermissions(DEFAULT_POLICY.tools) });
    expect(argv[argv.indexOf('--permission-mode') + 1]).toBe(
      { ask: 'default', accept_edits: 'acceptEdits', plan: 'plan', bypass: 'bypassPermissions' }[
        approvals
      ],
    );
  });

  it('has each rule in its own words', () => {
    const rules = [
      rule('deny', 'file', '**/.env'),
      rule('deny', 'file', '~/.ssh/**'),
      rule('deny', 'edit', '/etc/**'),
      rule('ask', 'command', 'npm publish*'),
      rule('allow', 'tool', 'WebSearch'),
    ];
    expect(claudePermissions(rules)).toEqual({
      deny: [
        'Read(//**/.env)',
        'Edit(//**/.env)',
        'Read(~/.ssh/**)',
        'Edit(~/.ssh/**)',
        'Edit(//etc/**)',
      ],
      ask: ['Bash(npm publish*)'],
      allow: ['WebSearch'],
    });
  });
});
