import { describe, expect, it } from 'vitest';
import { describeFaults, enginePreset, parsePreset, runnableOf } from '../../protocol/preset.ts';
import { allowedPrompt, asksForSecret } from '../../protocol/prompt.ts';
import { aPreset } from '../support/preset-builders.ts';

const TRUST = { text: 'Trust it? [y/N]', answers: ['y', 'n'] };

describe('a prompt that may be answered', () => {
  it.each([
    'Password:',
    'password for git@example.com:',
    'Enter passphrase',
    'Your API key?',
    'Access token:',
    'GitHub token:',
    'Secret:',
    'PIN:',
    'One-time code:',
    'Enter the code shown in your browser:',
    'Licence key:',
    'Authentication code',
    'Recovery code',
    'Please log in',
    'Sign in to continue? [Y/n]',
  ])('never asks for a secret: %s', (text) => {
    expect(asksForSecret(text)).toBe(true);
    expect(allowedPrompt.safeParse({ text, answers: ['y'] }).success).toBe(false);
  });

  it.each([
    'Continue? [y/N]',
    'Do you trust the files in this folder?',
    'Update available. Install now? (y/n)',
    'Overwrite the code in src/? [y/N]',
    'Press Enter to continue',
  ])('is an ordinary one: %s', (text) => {
    expect(asksForSecret(text)).toBe(false);
    expect(allowedPrompt.safeParse({ text, answers: ['y'] }).success).toBe(true);
  });

  it.each([
    ['two lines', { text: 'a\nb?', answers: ['y'] }],
    ['no text', { text: '  ', answers: ['y'] }],
    ['no answers', { text: 'a?', answers: [] }],
    ['an answer of two lines', { text: 'a?', answers: ['y\nn'] }],
    ['an answer with a control character', { text: 'a?', answers: ['\u0003'] }],
    ['a field of another kind', { text: 'a?', answers: ['y'], regex: true }],
  ])('is none with %s', (_what, prompt) => {
    expect(allowedPrompt.safeParse(prompt).success).toBe(false);
  });
});

describe('the prompts of a preset', () => {
  it('are none where nobody wrote any, as in every preset of before', () => {
    expect(aPreset().prompts).toEqual([]);
    expect(runnableOf(aPreset())).toBe(
      '{"parser":"text","command":["cat"],"input":"stdin","resume":null,"env":null,"minVersion":null}',
    );
  });

  it('are part of what is approved', () => {
    const asks = aPreset({ input: 'argument', prompts: [TRUST] });
    const asksMore = aPreset({
      input: 'argument',
      prompts: [{ ...TRUST, answers: ['y', 'n', 'a'] }],
    });
    expect(runnableOf(asks)).not.toBe(runnableOf(aPreset({ input: 'argument' })));
    expect(runnableOf(asks)).not.toBe(runnableOf(asksMore));
  });

  it('are for plain text that leaves its standard input free', () => {
    const faulty = [
      { input: 'stdin', parser: 'text' },
      { parser: 'claude-stream-json' },
      { parser: 'codex-exec-json' },
    ].map((over) => ({ ...aPreset(), ...over, prompts: [TRUST] }));
    for (const raw of faulty) {
      const parsed = parsePreset(raw);
      expect(parsed.ok ? '' : describeFaults(parsed.faults)).toContain('prompts is for plain text');
    }
  });

  it('say what is wrong with them', () => {
    const parsed = parsePreset({
      ...aPreset(),
      input: 'argument',
      prompts: [{ text: 'Password:', answers: ['y'] }],
    });
    expect(parsed.ok ? '' : describeFaults(parsed.faults)).toContain('never typed from here');
    const odd = parsePreset({ ...aPreset(), input: 'argument', prompts: 'y' });
    expect(odd.ok ? '' : describeFaults(odd.faults)).toContain('must be a list such as');
  });

  it('come through a file unchanged', () => {
    const preset = aPreset({ input: 'argument', prompts: [TRUST] });
    expect(enginePreset.parse(JSON.parse(JSON.stringify(preset)))).toEqual(preset);
  });
});
