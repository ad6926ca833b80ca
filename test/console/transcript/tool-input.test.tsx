import { screen } from '@testing-library/react';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeText } from '../../../protocol/text.ts';
import { shortenPaths, WorkDirectory } from '../../../console/transcript/shorten.ts';
import { ToolInputView } from '../../../console/transcript/tool-input.tsx';
import { draw } from '../support/render.tsx';

const show = (input: object | string) =>
  draw(
    <WorkDirectory value="/srv/work">
      <ToolInputView input={wholeText(typeof input === 'string' ? input : JSON.stringify(input))} />
    </WorkDirectory>,
  ).container;

describe('what a tool was asked', () => {
  it('is a command with its prompt, below what it is for', () => {
    const shown = show({ command: 'npm test', description: 'Run the tests' });
    expect(shown.textContent).toBe('Run the tests$ npm test');
    expect(show({ command: 'ls' }).textContent).toBe('$ ls');
  });

  it('is the patch of an edit, below a short path', () => {
    show({ file_path: '/srv/work/a.ts', old_string: 'hoist', new_string: 'trim' });
    expect(screen.getByText('a.ts')).toBeInTheDocument();
    expect(screen.getByText('hoist').closest('tr')).toHaveAttribute('data-line', 'removed');
    expect(screen.getByText('trim').closest('tr')).toHaveAttribute('data-line', 'added');
  });

  it('is a plan as prose', () => {
    show({ plan: '# Sail\n\nFirst.' });
    expect(screen.getByRole('heading', { name: 'Sail' })).toBeInTheDocument();
  });

  it('is anything else as it is, so that nothing is hidden', () => {
    expect(show({ url: '/srv/work/x' }).textContent).toBe('{\n  "url": "/srv/work/x"\n}');
    expect(show('{"comm').textContent).toBe('{"comm');
  });

  it('says how long it was where the record cut it', () => {
    draw(<ToolInputView input={{ text: '{"a', truncated: { bytes: 20_000, sha256: 'x' } }} />);
    expect(screen.getByText('Cut: the whole input has 20 KB.')).toBeInTheDocument();
  });
});

describe('paths in the directory of a session', () => {
  it.each([
    ['cat /srv/work/a /srv/work/b/c', '/srv/work', 'cat a b/c'],
    ['cat /srv/work/a', '/srv/work/', 'cat a'],
    ['cat /srv/workshop/a', '/srv/work', 'cat /srv/workshop/a'],
    ['cat /etc/hosts', '/', 'cat /etc/hosts'],
    ['cat /etc/hosts', '', 'cat /etc/hosts'],
    ['cat /srv/work/a', null, 'cat /srv/work/a'],
  ])('%j in %j is %j', (text, directory, short) => {
    expect(shortenPaths(text, directory)).toBe(short);
  });

  it('lose nothing else, whatever stands around them', () => {
    const word = fc.stringMatching(/^[a-z $.*-]{0,12}$/);
    fc.assert(
      fc.property(word, word, (before, after) => {
        expect(shortenPaths(`${before}/srv/work/${after}`, '/srv/work')).toBe(before + after);
      }),
    );
  });
});
