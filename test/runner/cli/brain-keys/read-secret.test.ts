import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readSecret } from '../../../../runner/cli/brain-keys/read-secret.ts';

const piped = (text: string) => {
  const input = new PassThrough();
  input.end(text);
  return input;
};
const nothing = () => undefined;

describe('a key', () => {
  it('is read from a pipe, without the end of its line', async () => {
    expect(await readSecret({}, piped('sk-12345678\n'), nothing)).toBe('sk-12345678');
  });

  it('is read from the environment first', async () => {
    const env = { PILOTHOUSE_BRAIN_KEY: 'sk-environment' };
    expect(await readSecret(env, piped('sk-12345678'), nothing)).toBe('sk-environment');
  });

  it('is asked for where a person sits, and nothing of it is shown', async () => {
    const shown: string[] = [];
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const read = readSecret({}, input, (text) => shown.push(text));
    input.write('sk-typed-unseen\r');
    expect(await read).toBe('sk-typed-unseen');
    expect(shown).toEqual(['Key (it is not shown): ', '\n']);
  });

  it('that is empty is refused, with the ways to give one', async () => {
    await expect(readSecret({}, piped(''), nothing)).rejects.toThrow('PILOTHOUSE_BRAIN_KEY');
  });

  it('of another kind is called by its name, wherever it is asked for', async () => {
    const token = { variable: 'A_TOKEN', what: 'token', command: 'pilothouse x' };
    expect(await readSecret({ A_TOKEN: ' t ' }, piped(''), nothing, token)).toBe('t');
    await expect(readSecret({}, piped(''), nothing, token)).rejects.toThrow(
      'No token was given. Pipe it in (pilothouse x < FILE), type it when asked, or set A_TOKEN.',
    );
  });
});
