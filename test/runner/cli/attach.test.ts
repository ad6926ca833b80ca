import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTyped, decideCommand, parseNamed } from '../../../runner/cli/attach/decide.ts';
import { runCli } from '../../../runner/cli/program.ts';
import { openTerminals } from '../../../runner/terminal/registry.ts';
import { TerminalHouse } from '../../support/terminal-house.ts';

const PLACES = { socket: '/data/t/tmux.sock', inside: null, kitty: null };
const commandOf = (text: string, over = {}, reached: string | null = null) => {
  const named = parseNamed(text);
  return named && decideCommand(named, { ...PLACES, ...over }, reached);
};

describe('the command that shows a terminal', () => {
  it.each([
    ['agent-build', "tmux -S /data/t/tmux.sock attach-session -t '=agent-build:'"],
    ['tmux:own:1.2:%3', 'tmux -S /data/t/tmux.sock attach-session -t %3'],
    ['tmux:default:1.2:$3', "tmux attach-session -t '$3'"],
    ['ses_01k', 'pilothouse takeover ses_01k'],
  ])('of %s is %s', (text, command) => {
    expect(asTyped(commandOf(text) ?? [])).toBe(command);
  });

  it('leads the client of the same server there, and only of the same', () => {
    const inside = { inside: '/tmp/tmux-0/default' };
    expect(commandOf('tmux:default:1.2:%3', inside, '/tmp/tmux-0/default')).toContain(
      'switch-client',
    );
    expect(commandOf('tmux:own:1.2:%3', inside, '/data/t/tmux.sock')).toContain('attach-session');
  });

  it('focuses a window of kitty where its socket is known', () => {
    expect(commandOf('kitty:12:3')).toBeNull();
    expect(asTyped(commandOf('kitty:12:3', { kitty: '/run/kitty' }) ?? [])).toBe(
      'kitty @ --to unix:/run/kitty focus-window --match id:3',
    );
    expect(commandOf('iterm2:abc')).toBeNull();
  });

  it.each(['', '-t', 'a b', '../x', 'tmux:own:1.2:;kill-server', '#(id)', 'a;b'])(
    'is none for %j',
    (text) => expect(parseNamed(text)).toBeNull(),
  );
});

describe('pilothouse attach', () => {
  let house: TerminalHouse;
  let data: string;
  let terminals: ReturnType<typeof openTerminals>;
  beforeAll(() => {
    house = new TerminalHouse();
    data = join(house.directory, 'data');
    const root = join(data, 'runner', 'terminal');
    mkdirSync(root, { recursive: true });
    terminals = openTerminals(root, house.env, () => house.limits);
  });
  afterAll(async () => {
    terminals.tmux.stop();
    await terminals.own.server.call(['kill-server']);
    house.close();
  });

  async function told(...words: string[]): Promise<{ code: number; text: string }> {
    const write = process.stdout.write.bind(process.stdout);
    let text = '';
    process.stdout.write = (chunk: string | Uint8Array) => ((text += String(chunk)), true);
    try {
      return { code: await runCli(['attach', ...words, '--data', data, '--json']), text };
    } finally {
      process.stdout.write = write;
    }
  }

  it('prints what shows the very terminal, and refuses one of another machine or time', async () => {
    const made = await terminals.tmux.create({
      name: 'agent-one',
      directory: house.directory,
      argv: ['sleep', '60'],
      size: { columns: 80, rows: 24 },
      variables: [],
    });
    const target = made.panes[0]?.target ?? '';
    const byName = await told('agent-one');
    const byId = await told(target);
    expect([byName.code, byId.code]).toEqual([0, 0]);
    const { argv } = JSON.parse(byId.text) as { argv: string[] };
    const [file = '', ...words] = argv;
    const at = words.indexOf('attach-session');
    const shown = [
      ...words.slice(0, at),
      'display-message',
      '-p',
      '-t',
      words.at(-1) ?? '',
      '#{session_name}',
    ];
    expect(execFileSync(file, shown, { encoding: 'utf8' }).trim()).toBe('agent-one');
    const older = target.replace(/:\d+\./, ':1.');
    for (const gone of [older, target.replace(/%\d+$/, '%999'), 'agent', 'agent-two']) {
      const { code, text } = await told(gone);
      expect({ gone, code }).toEqual({ gone, code: 4 });
      expect(text).toContain('terminal_not_here');
    }
  });
});
