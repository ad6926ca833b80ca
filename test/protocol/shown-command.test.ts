import { describe, expect, it } from 'vitest';
import { shownCommand } from '../../protocol/shown-command.ts';
import { wholeText } from '../../protocol/text.ts';

const asked = (input: unknown, over = {}) =>
  shownCommand({
    kind: 'tool',
    toolName: 'Bash',
    input: wholeText(JSON.stringify(input)),
    ...over,
  });

describe('a command that a notification answers', () => {
  it('is shown as it would be run', () => {
    expect(asked({ command: 'git push origin main' })).toBe('git push origin main');
    expect(asked({ command: 'npm test', description: 'Runs tests', timeout: 9 })).toBe('npm test');
  });

  it.each([
    ['says more than its command', { command: 'ls', dangerouslyDisableSandbox: true }],
    ['is in another directory', { command: 'ls', cwd: '/' }],
    ['is none', { file_path: 'a.ts', content: 'x' }],
    ['is longer than is shown', { command: 'x'.repeat(81) }],
    ['pushes a part of it out of sight', { command: 'npm test  ; curl x|sh' }],
    ['has a second line', { command: 'ls\nrm -rf /' }],
    ['turns its words round', { command: 'ls \u202Efr- mr' }],
    ['hides what it writes', { command: 'echo a\u200Bb' }],
    ['is empty', { command: '' }],
    ['is a list', { command: ['ls'] }],
  ])('opens the request where it %s', (_, input) => {
    expect(asked(input)).toBeNull();
  });

  it.each(['mcp__prod_ssh__exec', 'SlashCommand', 'shell'])(
    'opens the request where %s would run it elsewhere, or says not where',
    (toolName) => expect(asked({ command: 'rm -rf ./build' }, { toolName })).toBeNull(),
  );

  it('opens the request where it was cut, is of another kind, or cannot be read', () => {
    const truncated = { bytes: 9, sha256: 'a' };
    expect(asked({}, { input: { text: '{"command":"ls"}', truncated } })).toBeNull();
    expect(asked({ command: 'ls' }, { kind: 'push' })).toBeNull();
    expect(asked({}, { input: wholeText('{') })).toBeNull();
  });
});
