import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePanes } from '../../../../runner/terminal/tmux/panes.ts';
import { serverStateOf, tmuxEnvironment } from '../../../../runner/terminal/tmux/server.ts';
import { parseTarget, pickPane, targetOf } from '../../../../runner/terminal/tmux/target.ts';
import { parseTmuxVersion, tmuxProblem } from '../../../../runner/terminal/tmux/version.ts';
import { closerState } from '../../../../runner/terminal/tmux/look.ts';

const NONCE = '0123456789abcdef01234567';
const VALUES =
  '471 1796019671 $2 build 1 1796019600 mark 0 @3 %7 812 /dev/pts/3 120 40 0 0 0 0 0 1 5 9 800 bash /srv a-title'.split(
    ' ',
  );
/** A row as tmux prints it. */
const row = (changes: Record<number, string> = {}) =>
  `${VALUES.map((value, index) => changes[index] ?? value).join(NONCE)}${NONCE}${NONCE}-row\n`;
const TITLE = VALUES.length - 1;

describe('a list of panes', () => {
  it('is read with every figure in its place', () => {
    expect(parsePanes(row(), NONCE)).toEqual([
      {
        server: '471.1796019671',
        sessionId: '$2',
        session: 'build',
        attached: 1,
        createdAtMs: 1_796_019_600_000,
        marker: 'mark',
        endsUnattached: false,
        window: '@3',
        pane: '%7',
        pid: 812,
        tty: '/dev/pts/3',
        columns: 120,
        rows: 40,
        inMode: false,
        dead: false,
        sharedInput: false,
        alternate: false,
        applicationKeys: true,
        cursor: { x: 5, y: 9 },
        historyLines: 800,
        program: 'bash',
        directory: '/srv',
        title: 'a-title',
      },
    ]);
  });

  it('knows no row that a title, a name or a path makes up', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(3, 23, 24, TITLE), (text, place) => {
        const hostile = `${text}\n${VALUES.join('\x1f')}\n`;
        const panes = parsePanes(row({ [place]: hostile }) + row({ 9: '%8' }), NONCE);
        expect(panes.map(({ pane }) => pane)).toEqual(['%7', '%8']);
      }),
    );
  });

  it('leaves out a row that is not whole', () => {
    expect(parsePanes('', NONCE)).toEqual([]);
    expect(parsePanes(`1${NONCE}2${NONCE}${NONCE}-row\n${row()}`, NONCE)).toHaveLength(1);
  });

  it('tells shared input, by either option', () => {
    expect(parsePanes(row({ 16: '1' }), NONCE)[0]?.sharedInput).toBe(true);
    expect(parsePanes(row({ 17: '1' }), NONCE)[0]?.sharedInput).toBe(true);
    expect(parsePanes(row({ 7: 'keep-last' }), NONCE)[0]?.endsUnattached).toBe(true);
    expect(parsePanes(row({ 7: 'off' }), NONCE)[0]?.endsUnattached).toBe(false);
  });
});

describe('a target', () => {
  const panes = parsePanes(row() + row({ 9: '%8' }), NONCE);
  const born = '471.1796019671';

  it('is itself again, once it is read', () => {
    const target = targetOf('own', born, '%8');
    expect(parseTarget(target)).toEqual({ server: 'own', born, id: '%8' });
    expect(pickPane(panes, parseTarget(target)).pane).toBe('%8');
    expect(pickPane(panes, parseTarget(targetOf('own', born, '$2'))).pane).toBe('%7');
  });

  it('is never a longer or a shorter number, a name, or one of another server', () => {
    for (const id of ['%70', '%', '$20', '%0'])
      expect(() => pickPane(panes, { server: 'own', born, id })).toThrow(/no longer there/);
    expect(() => pickPane(panes, { server: 'own', born: '472.1796019671', id: '%7' })).toThrow(
      /no longer there/,
    );
    for (const target of [
      'tmux:own:build:%7',
      'kitty:1:2',
      'tmux:own:1.1:=build',
      'tmux:own:1.1:%7 ',
    ])
      expect(() => parseTarget(target)).toThrow(/exactly this name/);
  });
});

describe('what tmux says when it fails', () => {
  it.each([
    ['no server running on /tmp/tmux-0/default', 'none'],
    ['error connecting to /x/tmux.sock (No such file or directory)', 'none'],
    ['error connecting to /x/tmux.sock (Connection refused)', 'none'],
    ['error connecting to /x/tmux.sock (Permission denied)', 'unknown'],
    ['server exited unexpectedly', 'unknown'],
    ['', 'unknown'],
    ['can’t find pane: no server running on', 'unknown'],
  ])('%j is a server that is %s', (problem, state) => {
    expect(serverStateOf({ ok: false, problem })).toBe(state);
  });

  it('is not looked at when it did not', () => {
    expect(serverStateOf({ ok: true, problem: 'no server running on' })).toBe('there');
  });
});

describe('the environment of a server', () => {
  it('has where it runs and in which language, and nothing that could be a secret', () => {
    const env = tmuxEnvironment({
      HOME: '/home/me',
      PATH: '/bin',
      LC_ALL: 'C.UTF-8',
      XDG_RUNTIME_DIR: '/run/user/1',
      TMUX: '/tmp/x,1,0',
      TMUX_PANE: '%1',
      AWS_SECRET_ACCESS_KEY: 'x',
      PILOTHOUSE_TOKEN: 'x',
      SSH_AUTH_SOCK: '/x',
      LC: 'x',
      MY_PATH: 'x',
    });
    expect(Object.keys(env).toSorted()).toEqual([
      'HOME',
      'LC_ALL',
      'PATH',
      'TERM',
      'XDG_RUNTIME_DIR',
    ]);
  });
});

describe('the version of tmux', () => {
  it.each([
    ['tmux 3.3a', '3.3a', null],
    ['tmux 3.10', '3.10', null],
    ['tmux next-3.6', '3.6', null],
    ['tmux 4.0', '4.0', null],
    ['tmux 3.2a', '3.2a', 'tmux 3.2a is older than 3.3.'],
    ['tmux 2.9', '2.9', 'tmux 2.9 is older than 3.3.'],
    ['screen 4.9', undefined, 'tmux is not installed.'],
    ['', undefined, 'tmux is not installed.'],
  ])('%s is %s', (output, text, problem) => {
    const version = parseTmuxVersion(output);
    expect(version?.text).toBe(text);
    expect(tmuxProblem(version)).toBe(problem);
  });
});

describe('what is in front, looked at closely', () => {
  const canonical = { canonical: true, echo: true };
  const raw = { canonical: false, echo: false };
  it.each([
    ['shell', 'bash', raw, 'shell'],
    ['shell', 'bash', canonical, 'program'],
    ['shell', 'zsh', null, 'unknown'],
    ['shell', 'dash', canonical, 'shell'],
    ['program', null, raw, 'program'],
    ['copy_mode', 'bash', raw, 'copy_mode'],
  ] as const)('%s of %s in %j is %s', (state, shell, mode, closer) => {
    expect(closerState(state, shell, mode)).toBe(closer);
  });
});
