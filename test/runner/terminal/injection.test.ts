import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TerminalTool } from '../../../protocol/terminal.ts';
import { type Asked, BASH, SHELL_ARGV, TerminalHouse } from '../../support/terminal-house.ts';
import { until } from '../../support/until.ts';

let house: TerminalHouse;
beforeAll(() => void (house = new TerminalHouse()));
afterAll(() => house.close());

/** Gives a command a flag that no tmux knows, wherever the runner says it; the real tmux refuses it. */
const OLDER = `#!/bin/sh
PATH=\${PATH#*:}
refused=$(cat "$(dirname "$0")/refused")
case " $* " in
*' -C '*) sed -u "/'send-keys'/s/'send-keys'/'send-keys' '-Q'/" | exec tmux "$@"; exit ;;
esac
for word; do
  shift
  set -- "$@" "$word"
  [ "$word" = "$refused" ] && set -- "$@" -Q
done
exec tmux "$@"
`;

/** A machine whose tmux does not know a flag that it is told. */
function olderTmux() {
  const place = mkdtempSync(join(tmpdir(), 'pilothouse-older-'));
  const refuse = (command: string) => writeFileSync(join(place, 'refused'), command);
  writeFileSync(join(place, 'tmux'), OLDER, { mode: 0o755 });
  refuse('');
  const house = new TerminalHouse({ PATH: `${place}:${process.env['PATH']}` });
  onTestFinished(() => rmSync(place, { recursive: true }));
  return { house, refuse };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const text = (target: string, text: string, enter = false) => ({ target, text, enter });

describe.each(['bash', 'zsh', 'fish', 'dash'] as const)(
  'somebody’s words on the line of %s',
  (shell) => {
    let target: string;
    beforeAll(async () => {
      target = (await house.shell(`t1-${shell}`, [...SHELL_ARGV[shell]])).pane;
      house.type(target, 'rm -rf important');
      await house.shows(target, /rm -rf important/);
    });

    it('are neither joined to ours nor sent by it, whatever is asked for (T1)', async () => {
      const before = await house.screen(target);
      const refused = [
        await house.refusal('terminal_send_text', text(target, '/x', true)),
        await house.refusal('terminal_send_text', text(target, 'x')),
        await house.refusal('terminal_send_keys', { target, keys: ['Enter'] }),
        await house.refusal('terminal_run_command', { target, command: 'true', where: 'shell' }),
      ];
      // What fish suggests stands after the cursor, so that it cannot tell whose the line is.
      for (const code of refused) expect(code).toMatch(/^terminal_(unsent_text|unclear)$/);
      expect(await house.screen(target)).toBe(before);
    });

    it('do not keep a command from running in a window of its own', async () => {
      const ran = await house.do('terminal_run_command', { target, command: 'echo beside' });
      expect(ran).toMatchObject({ text: 'beside', exitCode: 0 });
      expect(await house.screen(target)).toContain('rm -rf important');
    });

    it('are waited for: once the line is empty, ours goes out', async () => {
      house.type(target, 'C-c');
      await house.shows(target, (screen) => !/important\s*$/.test(screen), 'an empty line');
      const ran = { target, command: 'echo ours', where: 'shell' } as const;
      expect(await house.do('terminal_run_command', ran)).toMatchObject({ text: 'ours' });
    });
  },
);

describe('our own words on a line', () => {
  it('are gone on with and sent, while nobody has touched them', async () => {
    const { pane: target } = await house.shell('ours');
    expect(await house.do('terminal_send_text', text(target, 'echo o'))).toMatchObject({
      receipt: 'delivered',
      bytes: 6,
      sha256: sha256(Buffer.from('echo o')),
    });
    await house.do('terminal_send_text', text(target, 'urs'));
    await house.do('terminal_send_keys', { target, keys: ['Enter'] });
    await house.shows(target, /^ours$/m);
  });

  it('are somebody’s as soon as a person has typed among them', async () => {
    const { pane: target } = await house.shell('shared');
    await house.do('terminal_send_text', text(target, 'echo a'));
    house.type(target, 'b');
    await house.shows(target, /echo ab/);
    expect(await house.refusal('terminal_send_keys', { target, keys: ['Enter'] })).toBe(
      'terminal_unsent_text',
    );
  });

  it('are not sent along with what a person types in that very moment', async () => {
    const { pane: target } = await house.shell('moment');
    let typed = 0;
    const timer = setInterval(() => {
      house.type(target, 'z');
      typed += 1;
    }, 15);
    const answers = [];
    for (let round = 0; round < 4; round++)
      answers.push(
        await house.call({ tool: 'terminal_send_text', params: text(target, 'echo mine', true) }),
      );
    clearInterval(timer);
    expect(typed).toBeGreaterThan(0);
    for (const answer of answers)
      if (answer.ok) expect(answer.value).not.toMatchObject({ receipt: 'delivered' });
    expect(await house.screen(target)).not.toMatch(/^(mine|.*not found)/m);
  });
});

describe('a pane that takes no words', () => {
  it('is one that is scrolled in', async () => {
    const { pane: target } = await house.shell('scrolled');
    house.tmux('own', 'copy-mode', '-t', target.split(':').at(-1) ?? '');
    expect(
      (await house.do('terminal_list', {})).panes.find((pane) => pane.target === target)?.state,
    ).toBe('copy_mode');
    const inShell = { target, command: 'ls', where: 'shell' } as const;
    expect(await house.refusal('terminal_run_command', inShell)).toBe('terminal_in_copy_mode');
    expect(await house.refusal('terminal_send_keys', { target, keys: ['q'] })).toBe(
      'terminal_in_copy_mode',
    );
  });

  it('is one whose program has ended, or which is gone (T2)', async () => {
    const { pane: target } = await house.session('dead', ['true']);
    await house.ends(target);
    expect(await house.refusal('terminal_send_text', text(target, 'x'))).toBe('terminal_gone');
    await house.do('terminal_close', { target });
    expect(await house.refusal('terminal_send_text', text(target, 'x'))).toBe('terminal_gone');
    expect(await house.refusal('terminal_run_command', { target, command: 'ls' })).toBe(
      'terminal_gone',
    );
  });

  it('is one whose tmux refuses a flag: nothing of that is told as done (T2)', async () => {
    const older = olderTmux();
    onTestFinished(() => older.house.close());
    const { pane: target } = await older.house.shell('older', [...BASH]);
    const tried = async <T extends TerminalTool>(refuses: string, tool: T, params: Asked<T>) => {
      older.refuse(refuses);
      const code = await older.house.refusal(tool, params);
      older.refuse('');
      return [refuses, code];
    };
    const long = 'x'.repeat(3_000);
    const run = { target, command: 'echo done', where: 'window' } as const;
    expect([
      await tried('send-keys', 'terminal_send_keys', { target, keys: ['a'] }),
      await tried('send-keys', 'terminal_send_text', text(target, 'b', true)),
      await tried('paste-buffer', 'terminal_send_text', text(target, long)),
      await tried('capture-pane', 'terminal_capture', { target }),
      await tried('new-window', 'terminal_run_command', run),
      await tried('new-session', 'tmux_create_session', { name: 'more' }),
      await tried('kill-pane', 'terminal_close', { target }),
    ]).toEqual(
      'send-keys send-keys paste-buffer capture-pane new-window new-session kill-pane'
        .split(' ')
        .map((refuses) => [refuses, 'terminal_failed']),
    );
    const screen = await older.house.screen(target);
    expect(screen).not.toMatch(/[abx]\s*$/);
    expect((await older.house.do('terminal_list', {})).panes).toHaveLength(1);
  });

  it('is one whose keys go to its neighbours too', async () => {
    const { pane: target } = await house.shell('twins');
    house.tmux('own', 'split-window', '-d', '-t', '=twins:', 'cat');
    house.tmux('own', 'set-option', '-w', '-t', '=twins:', 'synchronize-panes', 'on');
    expect(await house.refusal('terminal_send_text', text(target, 'x'))).toBe(
      'terminal_shared_input',
    );
  });

  it('is one in whose shell a script asks for a line', async () => {
    const { pane: target } = await house.shell('asks');
    house.type(target, 'read -p "Delete all? $ " answer', 'Enter');
    await house.shows(target, /Delete all\? \$$/);
    expect(
      await house.refusal('terminal_run_command', { target, command: 'ls', where: 'shell' }),
    ).toBe('terminal_busy');
  });

  it('is, for several lines, a shell', async () => {
    const { pane: target } = await house.shell('lines');
    expect(await house.refusal('terminal_send_text', text(target, 'a\nb'))).toBe(
      'terminal_multiline',
    );
    expect(await house.refusal('terminal_send_text', text(target, '\x1b[201~rm'))).toBe(
      'terminal_text_refused',
    );
  });

  it('is, for Enter, one with a coding agent, which may be asking something', async () => {
    const directory = join(house.directory, 'node_modules', '@anthropic-ai', 'claude-code');
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, 'cli.js'),
      'process.stdin.setRawMode(true); process.stdout.write("\\x1b[?2004hAllow? 1. Yes\\r\\n"); process.stdin.on("data", (keys) => process.stdout.write(`got ${JSON.stringify(String(keys))}\\r\\n`))',
    );
    const { pane: target } = await house.shell('agent');
    house.type(target, `${process.execPath} ${join(directory, 'cli.js')}`, 'Enter');
    await house.shows(target, /^Allow\?/m);
    const found = (await house.do('terminal_list', {})).panes.find(
      (pane) => pane.target === target,
    );
    expect(found?.agent).toMatchObject({ engine: 'claude', evidence: 'package' });
    expect(await house.refusal('terminal_send_text', text(target, 'yes', true))).toBe(
      'terminal_dialog',
    );
    expect(await house.refusal('terminal_send_keys', { target, keys: ['1'] })).toBe(
      'terminal_dialog',
    );
    expect(await house.refusal('terminal_send_keys', { target, keys: ['BTab'] })).toBe(
      'terminal_dialog',
    );
    // Nothing of it is a key to the agent, which asked for pastes to be marked.
    expect(await house.do('terminal_send_text', text(target, 'y1a'))).toMatchObject({
      receipt: 'delivered',
    });
    await house.shows(target, /got "\\u001b\[200~y1a\\u001b\[201~"/);
  });
});

describe('bytes', () => {
  /** A program that takes exactly so many bytes, as they are. */
  async function taker(name: string, bytes: number) {
    const file = join(house.directory, `${name}.bytes`);
    const script = `stty raw -echo; printf ready; head -c ${bytes} >"$1.part"; mv "$1.part" "$1"; printf done; cat`;
    const { pane } = await house.session(name, ['sh', '-c', script, 'sh', file]);
    await house.shows(pane, /ready/);
    const taken = () =>
      until('the bytes', () => statSync(file, { throwIfNoEntry: false }) && readFileSync(file));
    return { pane, taken };
  }

  it.each([
    ['a few', 'grüße, ✓ 𝄞; #{pid} $(id) `id` \\ "\''],
    ['a line that ends in a semicolon', 'a;'],
    ['more than one command holds', '漢字✓'.repeat(150)],
    ['many, with newlines', 'grün ✓ 𝄞\n'.repeat(3_000)],
  ])('of text arrive as they were told: %s', async (what, words) => {
    const bytes = Buffer.from(words);
    const { pane, taken } = await taker(`in-${bytes.length}`, bytes.length);
    const sent = await house.do('terminal_send_text', text(pane, words));
    expect(sha256(await taken())).toBe(sent.sha256);
    expect(sent).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
  });

  it('are told as queued while the program does not show that it read them', async () => {
    const { pane } = await house.session('asleep', ['sleep', '60']);
    expect(await house.do('terminal_send_text', text(pane, 'hello', true))).toMatchObject({
      receipt: 'queued',
      bytes: 6,
    });
  });

  it('of ten megabytes are refused, and nothing of them is typed', async () => {
    const { pane } = await taker('huge', 1);
    const refused = await house.refusal(
      'terminal_send_text',
      text(pane, 'x'.repeat(10 * 1024 * 1024)),
    );
    expect(refused).toBe('terminal_too_large');
    expect(await house.screen(pane)).toBe('ready');
  });

  it('that a program writes come out of a command as they were, wherever tmux cuts them', async () => {
    const file = join(house.directory, 'utf8.txt');
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at} grün ✓ 𝄞`).join('\n');
    writeFileSync(file, lines);
    const { pane: target } = await house.shell('utf8');
    const ran = await house.do('terminal_run_command', { target, command: `cat '${file}'` });
    expect(ran.omitted).toBeGreaterThan(0);
    expect(lines.endsWith(ran.text)).toBe(true);
  });

  it('of one pane’s flood do not get into another’s command', async () => {
    const flood = await house.session('flood', ['sh', '-c', 'yes FLOOD']);
    const { pane: target } = await house.shell('calm');
    for (let round = 0; round < 3; round++) {
      const command = `echo ${randomBytes(4).toString('hex')}; echo calm`;
      const ran = await house.do('terminal_run_command', { target, command, where: 'shell' });
      expect(ran.text).toMatch(/^[0-9a-f]{8}\ncalm$/);
    }
    // Beside it in the same session, too.
    const beside = await house.do('terminal_run_command', {
      target: flood.pane,
      command: 'echo calm',
    });
    expect(beside.text).toBe('calm');
    await house.do('tmux_kill_session', { target: flood.target });
  });
});
