import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { terminalCall, type TerminalCall } from '../../../protocol/terminal.ts';
import { linesShown, writtenBy } from '../../../runner/operate/written.ts';

const target = 'tmux:own:1.2:%3';
const call = (tool: string, params: object): TerminalCall =>
  terminalCall.parse({ tool, params: { target, ...params } });
const keys = (...names: string[]) => call('tmux_send_keys', { keys: names });

describe('what a call would have a shell read', () => {
  it('is a command as it is given', () => {
    const ran = call('terminal_run_command', { command: 'git push origin main' });
    expect(writtenBy(ran, '$ rm -rf /')).toEqual({
      lines: ['git push origin main'],
      unseen: false,
    });
  });

  it('is text together with what stands on the line', () => {
    const { lines } = writtenBy(call('terminal_send_text', { text: 'sh origin main' }), '$ git pu');
    expect(lines).toContain('git push origin main');
  });

  it('is keys spelled out', () => {
    expect(writtenBy(keys('l', 's', 'Space', '-', 'a', 'Enter'), '').lines).toEqual(['ls -a\n']);
  });

  it('is the line that Enter alone hands over', () => {
    expect(writtenBy(keys('Enter'), 'me@here:~$ git push').lines).toContain('git push\n');
  });

  it.each([['Up'], ['C-r'], ['Tab'], ['C-y'], ['M-.']])(
    'is unseen where %s brings it and Enter hands it over',
    (key) => {
      expect(writtenBy(keys(key, 'Enter'), '$ ').unseen).toBe(true);
      expect(writtenBy(keys('Enter', key), '$ ').unseen).toBe(false);
    },
  );

  it('is nothing of a read', () => {
    expect(writtenBy(call('terminal_capture', {}), '$ git push').lines).toEqual([]);
  });

  it('is the argument list of a new session, quoted', () => {
    const params = { name: 'a', argv: ['bash', '-c', 'git push -f'] };
    const made = terminalCall.parse({ tool: 'tmux_create_session', params });
    expect(writtenBy(made, null).lines).toEqual([`bash -c 'git push -f'`]);
  });
});

describe('the line that a screen shows', () => {
  it('is found after every sign with which a prompt may end', () => {
    expect(linesShown('~ > a $ git push')).toEqual(['a $ git push', 'git push']);
  });

  it('is put together where it was folded', () => {
    expect(linesShown('$ git pu\nsh origin')).toEqual(['git push origin']);
  });

  it('is none of a screen without a prompt', () => {
    expect(linesShown('building…\n42 %\n')).toEqual([]);
  });

  it('is among those found, whatever prompt stands before it', () => {
    const sign = fc.constantFrom('$', '#', '%', '>', '❯');
    const words = fc.stringMatching(/^[a-z]{1,8}( [a-z-]{1,8}){0,4}$/);
    fc.assert(
      fc.property(fc.string(), sign, words, (before, end, line) => {
        const prompt = before.replaceAll(/\s/g, '');
        expect(linesShown(`${prompt}${end} ${line}`)).toContain(line);
      }),
    );
  });
});
