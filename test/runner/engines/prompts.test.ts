import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCERPT_MAX_CHARS } from '../../../protocol/prompt.ts';
import { decideAsked, type PromptLook } from '../../../runner/engines/prompts.ts';

const TRUST = { text: 'Do you trust this directory? [y/N]', answers: ['y', 'n'] };
const look = (out: string, over: Partial<PromptLook> = {}, err = ''): PromptLook => ({
  out: { text: out, size: Buffer.byteLength(out) },
  err: { text: err, size: Buffer.byteLength(err) },
  waits: true,
  protocol: false,
  allowed: [TRUST],
  ...over,
});
const kindOf = (asked: ReturnType<typeof decideAsked>) =>
  asked === null ? null : asked.kind === 'offer' ? 'offer' : asked.why;

describe('a prompt on a plain command', () => {
  it('is offered where its exact text was vouched for', () => {
    expect(decideAsked(look('Loading.\nDo you trust this directory? [y/N] '))).toEqual({
      at: '44z0',
      kind: 'offer',
      prompt: TRUST,
    });
  });

  it.each([
    ['another word', 'Do you trust that directory? [y/N] '],
    ['more before it on its line', 'Delete all. Do you trust this directory? [y/N] '],
    ['more after it', 'Do you trust this directory? [y/N] and your disk? '],
    ['another case', 'do you trust this directory? [y/n] '],
  ])('is not offered with %s', (_what, text) => {
    expect(kindOf(decideAsked(look(text)))).toBe('unknown');
  });

  it('is seen through colours and a line that was drawn over', () => {
    const text = '\u001B[1mspinning\r\u001B[33mDo you trust this directory? [y/N]\u001B[0m ';
    expect(kindOf(decideAsked(look(text)))).toBe('offer');
  });

  it('is seen on the error output, where shells ask', () => {
    expect(kindOf(decideAsked(look('', {}, 'Do you trust this directory? [y/N] ')))).toBe('offer');
    expect(kindOf(decideAsked(look('', {}, 'Which one? ')))).toBe('unknown');
  });

  it('is a menu as well, whose last line asks nothing', () => {
    const asked = decideAsked(look('Choose a theme\n 1) dark\n 2) light\n'));
    expect(asked).toMatchObject({ kind: 'block', why: 'unknown' });
    expect(asked?.kind === 'block' && asked.excerpt).toContain('1) dark');
  });

  it('counts anew when it is asked again', () => {
    const once = decideAsked(look('Which? '));
    const twice = decideAsked(look('Which? Which? '));
    expect(once?.at).not.toBe(twice?.at);
  });
});

describe('silence', () => {
  it('is no prompt, whatever the system shows', () => {
    expect(decideAsked(look(''))).toBeNull();
    expect(decideAsked(look('\n\n  \n'))).toBeNull();
  });

  it('after a prompt is no prompt while the process does not read', () => {
    const text = 'Do you trust this directory? [y/N] ';
    expect(decideAsked(look(text, { waits: false }))).toBeNull();
  });

  it('of the system leaves exact prompts alone', () => {
    expect(kindOf(decideAsked(look('Do you trust this directory? [y/N] ', { waits: null })))).toBe(
      'offer',
    );
    expect(decideAsked(look('Which colour? ', { waits: null }))).toBeNull();
  });

  it('is never broken by a process that does not read, whatever it printed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.boolean(), (out, err, protocol) => {
        expect(decideAsked(look(out, { waits: false, protocol }, err))).toBeNull();
      }),
    );
  });
});

describe('an engine with a protocol on its standard input', () => {
  const engine = (out: string, err = '') =>
    decideAsked(look(out, { protocol: true, allowed: [] }, err));

  it.each([
    ['a trust question', 'Do you trust the files in this folder? (y/n) '],
    ['an onboarding menu', 'Choose the text style:\n❯ '],
    ['a wait for a key', 'Press Enter to continue'],
    ['a default in brackets', 'Region [eu-west-1]: '],
  ])('is blocked by %s', (_what, text) => {
    expect(kindOf(engine(text))).toBe('unknown');
  });

  it('waits between its messages as it should', () => {
    expect(engine('')).toBeNull();
    expect(engine('{"type":"system","subtype":"init"}\n')).toBeNull();
    expect(engine('{"type":"assistant","text":"Shall I go on? ')).toBeNull();
    expect(engine('[{"a":1}]\n')).toBeNull();
  });

  it('may remark upon things on its error output, and print banners', () => {
    expect(engine('', 'Warning: the config is old:\n')).toBeNull();
    expect(engine('Welcome to the engine 1.2\n')).toBeNull();
    expect(engine('{"type":"result"}\n', 'Is that so?\n')).toBeNull();
  });

  it('shows what was said around the question, and no message of the protocol', () => {
    const asked = engine('{"type":"hello"}\nThis directory is new.\nTrust it? ');
    expect(asked).toMatchObject({ excerpt: 'This directory is new.\nTrust it?' });
  });
});

describe('a prompt for a secret', () => {
  it.each([
    'Password: ',
    'Enter passphrase for key id_ed25519: ',
    'API key: ',
    'Paste your token here > ',
    'Paste code here if prompted > ',
    'Verification code: ',
    'Enter the 6-digit code: ',
    'Enter your PIN: ',
    'Log in with your browser, then press Enter',
  ])('is never offered, and said to be one: %s', (text) => {
    expect(kindOf(decideAsked(look(text)))).toBe('secret');
    const prompt = { text: text.trim(), answers: ['y'] };
    expect(kindOf(decideAsked(look(text, { allowed: [prompt] })))).toBe('secret');
  });
});

describe('an excerpt', () => {
  it('is the end of what was said, within its bound', () => {
    const asked = decideAsked(look(`${'x'.repeat(5_000)} Which? `));
    if (asked?.kind !== 'block') throw new Error('it was not seen');
    expect(asked.excerpt).toHaveLength(EXCERPT_MAX_CHARS);
    expect(asked.excerpt.endsWith('Which?')).toBe(true);
  });
});
