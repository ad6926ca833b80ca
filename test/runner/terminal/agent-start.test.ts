import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TerminalRan } from '../../../protocol/terminal.ts';
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
});
