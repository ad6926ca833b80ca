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
const AT_PROMPT: PaneLook = { state: 'shell', sharedInput: false, agent: null, line: 'empty' };
const TEXT: Writing = { kind: 'text', text: 'ls', enter: true, pasted: true };
const WORDS: Writing = { ...TEXT, enter: false };
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
    [
      'an agent, for Enter',
      { state: 'program', agent: AGENT, line: null },
      TEXT,
      'terminal_dialog',
    ],
    [
      'an agent, for text that arrives key by key',
      { state: 'program', agent: AGENT, line: null },
      { ...WORDS, pasted: false },
      'terminal_dialog',
    ],
    [
      'nothing, for text that an agent takes as a paste',
      { state: 'program', agent: AGENT, line: null },
      WORDS,
      null,
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
    const look: PaneLook = { ...AT_PROMPT, state: 'program', agent: AGENT, line: null };
    expect(decideSend(look, { kind: 'keys', keys: ['Down', key] })).toBe(code);
  });

  it('is never overlooked: only an empty line of a shell, or ours, takes anything there', () => {
    const look = fc.record<PaneLook>({
      state: fc.constantFrom(...paneState.options),
      sharedInput: fc.boolean(),
      agent: fc.constantFrom(null, AGENT),
      line: fc.constantFrom('empty', 'ours', 'typed', 'unclear', null),
    });
    fc.assert(
      fc.property(look, fc.constantFrom(TEXT, COMMAND), (found, writing) => {
        if (decideSend(found, writing) !== null) return;
        expect(found.sharedInput).toBe(false);
        expect(['shell', 'program', 'fullscreen']).toContain(found.state);
        expect(found.agent).toBeNull();
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
