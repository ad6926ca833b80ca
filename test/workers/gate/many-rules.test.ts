import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { POLICY_TOOLS_MAX } from '../../../protocol/merge-policy.ts';
import { DEFAULT_TOOL_RULES, type ToolRule } from '../../../protocol/policy-defaults.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { ask } from '../support/http.ts';
import { aPane, type House, PANE, startOperating } from '../support/operators.ts';

/** Scopes above one another, each with as many rules as one may have, in a terminal. */
const DEEP = '/a/b/c/d/e/f/g/h/i/j';
let house: House;
beforeEach(async () => {
  house = await startOperating();
  house.machine.pane = aPane({ directory: DEEP });
  await house.change({ change: 'consent', consents: { run: 'always' } });
});

/** Says as many rules as come to `total` with the usual ones, 200 for each directory. */
async function say(total: number): Promise<void> {
  let left = total - DEFAULT_TOOL_RULES.length;
  for (let end = 2; left > 0; end += 2) {
    const directory = DEEP.slice(0, end);
    const tools = Array.from({ length: Math.min(left, 200) }, (_, at): ToolRule => {
      const pattern = `${directory} ${at} `.padEnd(200, 'x');
      return { effect: 'deny', on: 'command', pattern };
    });
    left -= tools.length;
    const scope = { kind: 'repository', runnerId: house.runner.runnerId, directory };
    const body = { scope, part: { tools }, widens: null, basedOn: 0 };
    expect((await ask('POST', '/v1/policy', { bearer: house.cli, body })).status).toBe(201);
  }
}
const run = () =>
  callTool(env, {
    instanceId: house.instanceId,
    call: { tool: 'tmux_run_command', params: { target: PANE, command: 'claude' } },
    actor: { kind: 'agent', id: 'chat' },
    callId: 'one',
  });

it('holds a terminal, and the agent that is started there, to every rule of a long policy', async () => {
  await say(POLICY_TOOLS_MAX);
  expect(await run()).toMatchObject({ kind: 'done' });
  const asked = house.machine.asked.filter(({ params }) => 'rules' in params);
  const counts = asked.map(({ method, params }) => [
    method,
    'rules' in params && params.rules?.length,
  ]);
  expect(counts).toEqual([
    ['terminal/look', DEFAULT_TOOL_RULES.length],
    ['terminal/look', POLICY_TOOLS_MAX],
    ['terminal/call', POLICY_TOOLS_MAX],
  ]);
});

it('refuses a call where there are more rules than can be held, and says what to do', async () => {
  await say(POLICY_TOOLS_MAX + 1);
  const answer = await run();
  expect(answer).toMatchObject({ kind: 'denied', rule: 'policy' });
  expect(JSON.stringify(answer)).toMatch(/`tools`.*more than can be held.*take some of it away/);
  expect(house.machine.writes).toEqual([]);
});
