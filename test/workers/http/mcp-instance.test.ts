import type { Client } from '@modelcontextprotocol/client';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GATE_RATE, gateDecisionPage, gateRequestList } from '../../../protocol/gate.ts';
import { madeMcpKey } from '../../../protocol/mcp.ts';
import { ask } from '../support/http.ts';
import { connectMcp, textOf } from '../support/mcp.ts';
import { until } from '../support/socket.ts';
import { aDefinition, type House, PANE, startOperating } from '../support/operators.ts';

const single = aDefinition({
  ceiling: {
    tools: ['tmux_capture_pane', 'tmux_send_keys', 'tmux_kill_session'],
    surfaceOptions: { tmux: { backends: ['tmux'], targets: 'single', prefix: null } },
  },
});

let house: House;
let client: Client;
let keyId = '';
let token = '';
const bind = () =>
  house.change({ change: 'bind', boundTarget: { target: PANE, label: 'the build' } });

beforeEach(async () => {
  house = await startOperating(single);
  const body = { name: 'my agent', instanceId: house.instanceId };
  const made = await ask('POST', '/v1/mcp-keys', { bearer: house.cli, body });
  const { key, token: given } = madeMcpKey.parse(made.body);
  keyId = key.keyId;
  token = given;
  client = await connectMcp(token);
});
afterEach(() => client.close());

const call = (name: string, said: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: said });
const decisions = async () =>
  gateDecisionPage.parse(
    (await ask('GET', `/v1/instances/${house.instanceId}/decisions`, { bearer: house.cli })).body,
  ).items;

describe('the tools of an instance over MCP', () => {
  it('are those that its limits leave, marked as what each does', async () => {
    await bind();
    await house.change({
      change: 'narrow',
      narrowing: { tools: ['tmux_capture_pane', 'tmux_send_keys'] },
    });
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name, annotations }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
      ]),
    ).toEqual([
      ['operator_status', true, false],
      ['tmux_capture_pane', true, false],
      ['tmux_send_keys', false, true],
    ]);
    expect(tools[1]?.description).toContain('the build');
    expect(tools[2]?.description).toContain('A person is asked');
    expect(tools[1]?.inputSchema.required ?? []).not.toContain('target');
  });

  it('come with what the person was told of the instance, and what is in its way', async () => {
    const of = () => client.getInstructions() ?? '';
    expect(of()).toMatch(/Its person was told of it: “.*No terminal is bound to it/);
    await bind();
    const bound = await connectMcp(token);
    expect(bound.getInstructions()).toMatch(/the build.*Asks you before/);
    expect(bound.getInstructions()).not.toContain('No terminal is bound');
    await bound.close();
  });

  it('reach the bound terminal through the gate, and each call is on record', async () => {
    await bind();
    const read = await call('tmux_capture_pane');
    expect(JSON.parse(textOf(read))).toEqual({ text: 'ready', omitted: 0 });
    expect(await decisions()).toMatchObject([
      {
        tool: 'tmux_capture_pane',
        effect: 'allow',
        target: PANE,
        actor: { kind: 'mcp', id: keyId },
      },
    ]);
  });

  it('do nothing where no terminal is bound, and say who chooses one', async () => {
    const read = await call('tmux_capture_pane');
    expect(read.isError).toBe(true);
    expect(textOf(read)).toContain('Ask the person to choose one');
    expect(house.machine.asked).toEqual([]);
  });

  it('refuse another terminal than the bound one, and offer nothing that was never agreed to', async () => {
    await bind();
    const other = await call('tmux_capture_pane', { target: 'tmux:own:1.2:%9' });
    expect(textOf(other)).toMatch(/^Denied: .*another terminal/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('tmux_kill_session');
    expect(house.machine.writes).toEqual([]);
  });

  it('wait for a person: asked again under its id the call is made once', async () => {
    await bind();
    const waiting = JSON.parse(textOf(await call('tmux_send_keys', { keys: ['Enter'] })));
    expect(waiting).toMatchObject({
      waiting: 'for a person',
      next: expect.stringContaining('callId'),
    });
    const { callId } = waiting;
    const asked = await ask('GET', '/v1/gate/requests', { bearer: house.cli });
    const open = gateRequestList.parse(asked.body);
    expect(open.items).toMatchObject([{ callId, tool: 'tmux_send_keys' }]);
    const again = () => call('tmux_send_keys', { keys: ['Enter'], callId });
    expect(JSON.parse(textOf(await again()))).toMatchObject({ callId, waiting: 'for a person' });
    expect(house.machine.writes).toEqual([]);
    const body = { answer: 'once' };
    const path = `/v1/instances/${house.instanceId}/calls/${encodeURIComponent(callId)}/answer`;
    const said = await ask('POST', path, { bearer: house.cli, body });
    expect(said.status).toBeLessThan(300);
    for (const answer of [await again(), await again()])
      expect(JSON.parse(textOf(answer))).toMatchObject({ receipt: 'queued' });
    expect(house.machine.writes).toHaveLength(1);
  });

  it('take no name that the agent’s own calls have', async () => {
    await bind();
    const read = await call('tmux_capture_pane', { callId: 'chat.2.0' });
    expect(read.isError).toBe(true);
    expect(await decisions()).toEqual([]);
  });

  it('say of too many calls to wait, and of any other no who can change it', async () => {
    await bind();
    await house.makeMany(GATE_RATE.most);
    expect(textOf(await call('tmux_capture_pane'))).toMatch(/Wait a minute, then make it as a new/);
    house.peer.socket.close();
    await until(
      async () => textOf(await call('tmux_capture_pane')).includes('Ask the person'),
      'the machine to be away',
    );
    expect(textOf(await call('tmux_capture_pane'))).not.toContain('..');
  });

  it('are refused while the instance is paused, and gone with it', async () => {
    await bind();
    await house.change({ change: 'pause' });
    expect((await call('tmux_capture_pane')).isError).toBe(true);
    expect(textOf(await call('operator_status'))).toContain('It is paused');
    await house.change({ change: 'remove' });
    await expect(client.listTools()).rejects.toThrow();
    expect(house.machine.asked).toEqual([]);
  });

  it('open nothing of the control plane, whatever the key is', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('launch_session');
    const { results } = await env.DB.prepare('SELECT scopes FROM mcp_keys').all();
    expect(results).toEqual([{ scopes: '[]' }]);
  });
});
