import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownEntryOf } from '../../../../protocol/engines.ts';
import { hashOf, readApprovedEngines } from '../../../../runner/limits/approved-engines.ts';
import { FakeCloud } from '../../../support/fake-cloud.ts';
import { MAIN } from '../../../support/installation.ts';
import { aPreset } from '../../../support/preset-builders.ts';
import { until } from '../../../support/until.ts';

const PRESET = aPreset({ command: ['sh', '-c', 'rm -rf "$HOME"\u001b[2K; cat'], env: ['A_NAME'] });

let cloud: FakeCloud;
let home: string;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.ledgers.set('/v1/engines/my-agent', { entry: ownEntryOf(PRESET, 1, 1), versions: [] });
  home = mkdtempSync(join(tmpdir(), 'pilothouse-approve-'));
});
afterEach(async () => {
  // Its own server, on a socket of its own.
  spawnSync('tmux', ['-S', join(home, 'tmux'), 'kill-server'], { stdio: 'ignore' });
  rmSync(home, { recursive: true, force: true });
  await cloud.close();
});

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-S', join(home, 'tmux'), '-f', '/dev/null', ...args], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      XDG_CONFIG_HOME: join(home, 'config'),
      PILOTHOUSE_DATA: join(home, 'data'),
      PILOTHOUSE_URL: cloud.url,
      PILOTHOUSE_TOKEN: cloud.token,
    },
  });
const approvals = () => join(home, 'config', 'pilothouse', 'approved-engines.json');
const screen = () => tmux('capture-pane', '-p', '-J', '-t', 'one');
const see = (words: string | RegExp) =>
  until(`${String(words)} on the screen`, () => screen().match(words), {
    withinMs: 25_000,
    tell: screen,
  });
/** Asks in a real terminal, and waits for the question. */
async function askInTerminal(): Promise<void> {
  const line = `'${process.execPath}' '${MAIN}' engines approve my-agent; echo "ended with $?"; cat`;
  tmux('new-session', '-d', '-s', 'one', '-x', '120', '-y', '40', line);
  await see('Approve it\\? \\[y/N\\]');
}
const available = spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0;

describe.skipIf(!available)('pilothouse engines approve, in a terminal', () => {
  it('shows all of what would run, with nothing in it that the terminal acts on, and asks', async () => {
    await askInTerminal();
    const shown = screen();
    expect(shown).toContain('This machine would run, as you and with no further question:');
    expect(shown).toContain('rm -rf "$HOME"\\u{1b}[2K; cat');
    expect(shown).toContain('the ordinary ones and A_NAME');
    expect(shown).toContain(hashOf(PRESET));
    expect(existsSync(approvals())).toBe(false);
  });

  it('approves exactly that, once somebody typed y', async () => {
    await askInTerminal();
    tmux('send-keys', '-t', 'one', 'y', 'Enter');
    await see('ended with 0');
    expect(screen()).toContain('Approved on this machine:');
    expect(readApprovedEngines(approvals())).toMatchObject([
      { id: 'my-agent', sha256: hashOf(PRESET) },
    ]);
  });

  it.each([
    ['Enter alone', ['Enter']],
    ['n', ['n', 'Enter']],
    ['another word', ['maybe', 'Enter']],
    ['Ctrl-C', ['C-c']],
    ['the end of the input', ['C-d']],
  ])('approves nothing by %s, and says so', async (_name, keys) => {
    await askInTerminal();
    tmux('send-keys', '-t', 'one', ...keys);
    await see('ended with 4');
    expect(screen()).toContain('Nothing was approved.');
    expect(existsSync(approvals())).toBe(false);
  });
});
