import { describe, expect, it } from 'vitest';
import {
  backendOf,
  TERMINAL_RISKS,
  TERMINAL_TOOLS,
  terminalCall,
  terminalKey,
  terminalName,
  terminalParameters,
  terminalResults,
  terminalTarget,
} from '../../protocol/terminal.ts';

describe('calls to terminals', () => {
  it('are of tools that each have parameters, a risk and a result', () => {
    expect(TERMINAL_TOOLS).toHaveLength(12);
    for (const tool of TERMINAL_TOOLS) {
      expect(TERMINAL_RISKS[tool]).toMatch(/^(read|send|run|kill)$/);
      expect(terminalResults[tool]).toBeDefined();
      expect(terminalParameters[tool]).toBeDefined();
    }
    const known = terminalCall.options.map((option) => option.shape.tool.value);
    expect(known.toSorted()).toEqual(TERMINAL_TOOLS.toSorted());
  });

  it('take no field that is not known: a misspelt limit limits nothing', () => {
    const target = 'kitty:12:3';
    const call = (params: object) => terminalCall.safeParse({ tool: 'terminal_capture', params });
    expect(call({ target }).data?.params).toEqual({ target, history: 0, search: null });
    expect(call({ target, lines: 3 }).success).toBe(false);
  });
});

describe('targets', () => {
  it.each(['tmux:own:4711.1796019671:%3', 'tmux:default:1.2:$0', 'kitty:12:3', 'iterm2:w0t0p0-9F'])(
    'are exact ids such as %s',
    (target) => {
      expect(terminalTarget.parse(target)).toBe(target);
      expect(backendOf(target)).toBe(target.split(':')[0]);
    },
  );

  it.each([
    'foo',
    '=foo',
    'tmux:own:%3',
    'tmux:other:1.1:%3',
    'tmux:own:1.1:foo',
    'tmux:own:1.1:%3;kill-server',
    'tmux:own:1.1:%3\n',
    'kitty:1:2 or title:x',
    'iterm2:" & do shell script',
    'x'.repeat(300),
  ])('are never %j', (target) => {
    expect(terminalTarget.safeParse(target).success).toBe(false);
  });
});

describe('names of sessions', () => {
  it.each(['build', 'a', 'Build_2-x', '9'])('may be %s', (name) => {
    expect(terminalName.parse(name)).toBe(name);
  });
  it.each([
    '',
    '-d',
    '#(touch x)',
    'a.b',
    'a:b',
    'a b',
    'a;',
    '$1',
    '%1',
    '=a',
    'é',
    'x'.repeat(61),
  ])('are never %j', (name) => {
    expect(terminalName.safeParse(name).success).toBe(false);
  });
});

describe('keys', () => {
  it.each([
    'Enter',
    'C-c',
    'M-x',
    'Up',
    'C-Up',
    'S-F5',
    'F12',
    'BTab',
    'Escape',
    'y',
    '-',
    'M-Enter',
    'C-M-Left',
  ])('may be %s', (key) => {
    expect(terminalKey.parse(key)).toBe(key);
  });
  it.each(['', 'enter', 'F13', 'C-', 'C-é', 'ab', '\r', 'Enter;', 'C-c C-d', '-X'])(
    'are never %j',
    (key) => {
      expect(terminalKey.safeParse(key).success).toBe(false);
    },
  );
});
