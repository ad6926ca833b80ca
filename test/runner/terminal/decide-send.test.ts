import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paneState, type PaneAgent } from '../../../protocol/terminal.ts';
import {
  decideSend,
  decideText,
  type PaneLook,
  type Writing,
} from '../../../runner/terminal/decide-send.ts';

const AGENT: PaneAgent = { engine: 'claude', pid: 7, evidence: 'package' };
const AT_PROMPT: PaneLook = {
  state: 'shell',
  sharedInput: false,
  agent: null,
  dialog: 'none',
  line: 'empty',
};
const AGENT_ASKS: Partial<PaneLook> = {
  state: 'program',
  agent: AGENT,
  dialog: 'maybe',
  line: null,
};
const AGENT_OPEN = { ...AGENT_ASKS, dialog: 'open' } as const;
const AGENT_IDLE: Partial<PaneLook> = { state: 'fullscreen', agent: AGENT, line: 'empty' };
const TEXT: Writing = { kind: 'text', text: 'ls', enter: true, pasted: true };
const WORDS: Writing = { ...TEXT, enter: false };
const ENTER: Writing = { kind: 'keys', keys: ['Enter'] };
const COMMAND: Writing = { kind: 'command' };

describe('what keeps something from being written', () => {
  it.each<[string, Partial<PaneLook>, Writing, ReturnType<typeof decideSend>]>([
    ['nothing, at an empty prompt', {}, TEXT, null],
    ['nothing, for a command at one', {}, COMMAND, null],
    [
      'a program in front, for a command',
      { state: 'program', line: null },
      COMMAND,
      'terminal_busy',
    ],
    ['a full screen, for a command', { state: 'fullscreen', line: null }, COMMAND, 'terminal_busy'],
    ['nothing, for text to a program', { state: 'program', line: null }, TEXT, null],
    ['an end', { state: 'ended', line: null }, TEXT, 'terminal_gone'],
    ['copy mode', { state: 'copy_mode', line: null }, TEXT, 'terminal_in_copy_mode'],
    ['keys that go to other panes too', { sharedInput: true }, TEXT, 'terminal_shared_input'],
    ['a state that is not known', { state: 'unknown', line: null }, TEXT, 'terminal_unclear'],
    ['somebody’s text', { line: 'typed' }, TEXT, 'terminal_unsent_text'],
    ['a line that cannot be told', { line: 'unclear' }, TEXT, 'terminal_unclear'],
    ['a line that was not read', { line: null }, TEXT, 'terminal_unclear'],
    ['nothing, after our own words', { line: 'ours' }, TEXT, null],
    ['our own words, for a command', { line: 'ours' }, COMMAND, 'terminal_unsent_text'],
    ['an agent, for Enter', AGENT_ASKS, TEXT, 'terminal_dialog'],
    [
      'an agent, for text that arrives key by key',
      AGENT_ASKS,
      { ...WORDS, pasted: false },
      'terminal_dialog',
    ],
    ['nothing, for text that an agent takes as a paste', AGENT_ASKS, WORDS, null],
    ['nothing, for words and Enter to an agent that asks nothing', AGENT_IDLE, TEXT, null],
    ['an agent that asks nothing, for a key', AGENT_IDLE, ENTER, 'terminal_dialog'],
    ['an agent that asks by its hook, for Enter', AGENT_OPEN, TEXT, 'terminal_asking'],
    ['an agent that asks by its hook, for a key', AGENT_OPEN, ENTER, 'terminal_asking'],
    ['nothing, for text that it takes as a paste', AGENT_OPEN, WORDS, null],
    ['text in an agent’s box', { ...AGENT_IDLE, line: 'typed' }, TEXT, 'terminal_unsent_text'],
    ['a box that is not seen', { ...AGENT_IDLE, line: 'unclear' }, TEXT, 'terminal_unclear'],
    [
      'a shell’s command to an agent',
      AGENT_IDLE,
      { ...TEXT, text: ' !git push' },
      'terminal_text_refused',
    ],
    [
      'a command of the agent’s own',
      AGENT_IDLE,
      { ...TEXT, text: '/exit' },
      'terminal_text_refused',
    ],
  ])('is %s', (_what, look, writing, code) => {
    expect(decideSend({ ...AT_PROMPT, ...look }, writing)).toBe(code);
  });

  it.each([
    ['Enter', 'terminal_dialog'],
    ['y', 'terminal_dialog'],
    ['1', 'terminal_dialog'],
    ['a', 'terminal_dialog'],
    ['p', 'terminal_dialog'],
    ['BTab', 'terminal_dialog'],
    ['Space', 'terminal_dialog'],
    ['C-m', 'terminal_dialog'],
    ['M-Enter', 'terminal_dialog'],
    ['Escape', null],
    ['C-c', null],
    ['Up', null],
  ])('is, for %s to a coding agent, %s', (key, code) => {
    const look: PaneLook = { ...AT_PROMPT, ...AGENT_ASKS };
    expect(decideSend(look, { kind: 'keys', keys: ['Down', key] })).toBe(code);
  });

  it('is never overlooked: only an empty line of a shell, or ours, takes anything there', () => {
    const look = fc.record<PaneLook>({
      state: fc.constantFrom(...paneState.options),
      sharedInput: fc.boolean(),
      agent: fc.constantFrom(null, AGENT),
      dialog: fc.constantFrom('none', 'maybe'),
      line: fc.constantFrom('empty', 'ours', 'typed', 'unclear', null),
    });
    fc.assert(
      fc.property(look, fc.constantFrom(TEXT, COMMAND), (found, writing) => {
        if (decideSend(found, writing) !== null) return;
        expect(found.sharedInput).toBe(false);
        expect(['shell', 'program', 'fullscreen']).toContain(found.state);
        if (found.agent !== null)
          expect([writing.kind, found.dialog, found.line]).toEqual(['text', 'none', 'empty']);
        if (found.state === 'shell') expect(['empty', 'ours']).toContain(found.line);
        if (writing.kind === 'command')
          expect(found).toMatchObject({ state: 'shell', line: 'empty' });
      }),
    );
  });
});

describe('text by itself', () => {
  it.each([
    ['words', null],
    ['two\nlines\tand a tab', null],
    ['\x1b[201~rm -rf /', 'terminal_text_refused'],
    ['\x9b201~', 'terminal_text_refused'],
    ['a\rb', 'terminal_text_refused'],
    ['\x03', 'terminal_text_refused'],
    ['half \ud83d', 'terminal_text_refused'],
    ['x'.repeat(101), 'terminal_too_large'],
  ])('%j is refused with %s', (text, code) => {
    expect(decideText(text, 100)).toBe(code);
  });
});
