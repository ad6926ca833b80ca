import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPage } from '../../protocol/audit.ts';
import { runnerPage, sessionPage } from '../../protocol/http.ts';
import { calls, says } from '../support/model-api/script.ts';
import { makeKey, MCP_CLIENTS, type McpClient } from './mcp-clients.ts';

/** Words that tell a model which scope a tool takes. */
const takes = (tool: string, scope: string) => `${tool} (scope ${scope})`;

const PROGRAMS = ['claude', 'codex'] as const;

describe.each(PROGRAMS)('the real %s with a key of the control plane', (program) => {
  const { start, tool } = MCP_CLIENTS[program];
  let client: McpClient;
  let machine = '';
  /** The session of the last answer that its model was given, as a model would read it there. */
  const thatSession = {
    get sessionId() {
      return client
        .told()
        .at(-1)
        ?.match(/\bses_\w+/g)
        ?.at(-1);
    },
  };
  const rehearsal = {
    get runnerId() {
      return machine;
    },
    engineId: 'rehearsal',
    directory: null,
    objective: 'Show what a session looks like.',
  };

  beforeAll(async () => {
    client = await start({
      'run a rehearsal': [
        calls(tool('launch_session'), rehearsal),
        calls(tool('session_status'), thatSession),
        calls(tool('stop_session'), thatSession),
        says('It is stopped.'),
      ],
      'launch without leave': [calls(tool('launch_session'), rehearsal), says('I may not.')],
      'stop without leave': [
        calls(tool('launch_session'), rehearsal),
        calls(tool('stop_session'), thatSession),
        says('I may not.'),
      ],
    });
    const { items } = await client.world.get(runnerPage, '/v1/runners');
    machine = items[0]?.runnerId ?? '';
  });
  afterAll(() => client?.world.stop());

  const keyNamed = (name: string, ...scopes: string[]) =>
    makeKey(client.world, '--name', name, '--scope', ...scopes);
  const sessions = async () =>
    (await client.world.get(sessionPage, '/v1/sessions')).items.map(({ sessionId }) => sessionId);
  /** What was asked for over MCP with the key of this name, oldest first. */
  const accessOf = async (name: string) =>
    (await client.world.get(accessPage, '/v1/access?limit=500')).items
      .filter(({ principalName, operation }) => principalName === name && operation !== 'mcp.serve')
      .map(({ principalKind, operation, target, status }) => ({
        principalKind,
        operation,
        target,
        status,
      }))
      .toReversed();
  const done = (name: string, sessionId: string | undefined) => ({
    principalKind: 'mcpKey',
    operation: `mcp.${name}`,
    target: `/mcp/${name}/${sessionId}`,
    status: 200,
  });

  it('launches a session, learns how it stands and stops it, by name on record', async () => {
    const key = await keyNamed('supervisor', 'read', 'write', 'runtime', 'destructive');
    expect(await client.ask(key, 'run a rehearsal')).toContain('It is stopped.');
    const [launched, ...others] = await sessions();
    expect(others).toEqual([]);
    const conversation = client.told().at(-1);
    expect(conversation).toContain(String.raw`\"standing\":`);
    expect(conversation).toContain('session_status tells when it has stopped');
    expect(conversation).not.toContain('It does not open');
    expect(await accessOf('supervisor')).toEqual([
      done('launch_session', launched),
      done('stop_session', launched),
    ]);
    const { view } = await client.world.untilState(launched ?? '', 'stopped');
    expect(view.launch).toMatchObject({ engineId: 'rehearsal', objective: rehearsal.objective });
  });

  it('launches nothing with a key that only reads, and its model learns why', async () => {
    const before = await sessions();
    const key = await keyNamed('reader', 'read');
    expect(await client.ask(key, 'launch without leave')).toContain('I may not.');
    expect(client.told().at(-1)).toContain(takes('launch_session', 'runtime'));
    expect(client.told().at(-1)).toMatch(/No such tool available|unsupported call/);
    expect(await sessions()).toEqual(before);
    expect(await accessOf('reader')).toEqual([]);
  });

  it('stops nothing with a key that may not, and its model learns why', async () => {
    const before = await sessions();
    const key = await keyNamed('worker', 'read', 'write', 'runtime');
    expect(await client.ask(key, 'stop without leave')).toContain('I may not.');
    expect(client.told().at(-1)).toContain(takes('stop_session', 'destructive'));
    expect(client.told().at(-1)).toMatch(/No such tool available|unsupported call/);
    const launched = (await sessions()).find((id) => !before.includes(id));
    expect(await accessOf('worker')).toEqual([done('launch_session', launched)]);
    expect(await client.world.events(launched ?? '', 'action/requested')).toEqual([]);
  });
});
