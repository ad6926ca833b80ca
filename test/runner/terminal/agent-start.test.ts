import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POLICY_TOOLS_MAX } from '../../../protocol/merge-policy.ts';
import type { TerminalRan, TerminalSession } from '../../../protocol/terminal.ts';
import { keepSettings } from '../../../runner/questions/kept-settings.ts';
import { startingWith } from '../../../runner/questions/start-agent.ts';
import type { AgentStart } from '../../../runner/terminal/connector.ts';
import { executeTerminalCall } from '../../../runner/terminal/execute.ts';
import { BASH, TerminalHouse } from '../../support/terminal-house.ts';

/** What an agent is started with reaches what is ours, and nothing of the person's. */
let house: TerminalHouse;
beforeAll(() => {
  house = new TerminalHouse();
});
afterAll(() => house.close());

const START: AgentStart = {
  program: ([first]) => (first === 'agent' ? ['sh', '-c', 'echo "$GIVEN"; exec cat'] : null),
  variables: { GIVEN: 'by a pipe' },
  line: (command) => (command === 'agent' ? 'echo hooked' : null),
};
const start = (call: object) =>
  executeTerminalCall(call, house.limits, house.terminals, null, START);
async function run(target: string, command: string, where: 'window' | 'shell'): Promise<string> {
  const answer = await start({ tool: 'tmux_run_command', params: { target, command, where } });
  return answer.ok ? (answer.value as TerminalRan).text : answer.code;
}

describe('what a call starts', () => {
  it('is begun otherwise in a session and in a window of ours, where it is an agent', async () => {
    const { pane } = await house.shell('ours');
    expect(await run(pane, 'agent', 'shell')).toBe('hooked');
    expect(await run(pane, 'agent', 'window')).toBe('hooked');
    expect(await run(pane, 'echo as it was', 'window')).toBe('as it was');
  });

  it('is left as it is in the person’s own shell', async () => {
    house.tmux('default', 'new-session', '-d', '-s', 'theirs', ...BASH);
    const { panes } = await house.do('terminal_list', {});
    const theirs = panes.find(({ session }) => session === 'theirs')?.target ?? '';
    await house.shows(theirs, /[$#] ?$/);
    expect(await run(theirs, 'agent', 'shell')).toMatch(/agent: command not found/);
    expect(await run(theirs, 'agent', 'window')).toBe('hooked');
  });

  it('is given its variables as a program too, in no argument', async () => {
    const params = { name: 'program', argv: ['agent'], directory: house.directory };
    const made = await start({ tool: 'tmux_create_session', params });
    if (!made.ok) throw new Error(made.message);
    const { panes } = await house.do('terminal_list', {});
    const target = panes.find(({ session }) => session === 'program')?.target ?? '';
    await house.shows(target, /by a pipe/);
    const started = house.tmux('own', 'list-panes', '-a', '-F', '#{pane_start_command}');
    expect(started).toContain('GIVEN');
    expect(started).not.toContain('by a pipe');
  });

  it('is held to every rule of a long policy, which no command line has room for', async () => {
    const program = join(house.directory, 'claude');
    // Waits with what it has shown, as an agent does.
    writeFileSync(program, '#!/bin/sh\ngrep -o "echo [0-9]*;" "$2" | wc -l; exec cat\n', {
      mode: 0o755,
    });
    const rules = Array.from({ length: POLICY_TOOLS_MAX }, (_, at) => ({
      effect: 'deny' as const,
      on: 'command' as const,
      pattern: `echo ${at};`.padEnd(200, "'"),
    }));
    const kept = join(house.root, 'agents');
    const keep = (settings: string) => keepSettings(kept, settings);
    const hooking = { token: 't', hook: ['node'], keep, kept, engines: ['claude'], rules } as const;
    const params = { name: 'long', argv: [program], directory: house.directory };
    const call = { tool: 'tmux_create_session', params };
    const begin = startingWith(hooking);
    const made = await executeTerminalCall(call, house.limits, house.terminals, null, begin);
    if (!made.ok) throw new Error(made.message);
    const [pane] = (made.value as TerminalSession).panes;
    const held = new RegExp(`^\\s*${POLICY_TOOLS_MAX}$`, 'm');
    expect(await house.shows(pane?.target ?? '', held)).toBeTruthy();
  });
});
