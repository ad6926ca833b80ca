import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine, EngineHome } from '../../../runner/engines/engine.ts';
import { OFFERED } from '../../../runner/engines/registry.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { until } from '../../support/until.ts';

const HOMES = OFFERED.map(({ id, home }): [string, NonNullable<Engine['home']>] => {
  if (!home) throw new Error(`${id} says nothing of a home, so that it is not sealed by default`);
  return [id, home];
});
const WITH_LOGINS = HOMES.filter(([, home]) => home({ HOME: '/home/ada' }).logins.length > 0);

async function makeRoom(home: NonNullable<Engine['home']>): Promise<[SealedRoom, EngineHome]> {
  const room = await SealedRoom.make();
  const needs = home({ HOME: room.home });
  room.engineHome = { ...needs, programs: [] };
  for (const path of [...needs.logins, ...needs.settings.map((each) => each.path)])
    mkdirSync(dirname(path), { recursive: true });
  return [room, needs];
}

it('knows of a login for every engine that asks a model', () => {
  expect(WITH_LOGINS.map(([id]) => id)).toEqual(['claude', 'codex', 'gemini', 'opencode']);
});

describe.skipIf(sealProblem !== null)('in a seal', () => {
  it.each(WITH_LOGINS)(
    'each login of %s is renewed, by a rename and in place',
    async (_id, home) => {
      const [room, { logins }] = await makeRoom(home);
      for (const login of logins) writeFileSync(login, '{"token":1}');
      const read = () => logins.map((login) => readFileSync(login, 'utf8').trim());
      const renamed = logins.map(
        (login) => `cat ${login}; echo '{"token":2}' > ${login}.tmp && mv ${login}.tmp ${login}`,
      );
      expect(await room.say(`sleep 0.02; ${renamed.join('; ')}`)).toContain('{"token":1}');
      await until('the person to have what was renamed', () =>
        read().every((text) => text === '{"token":2}'),
      );
      await room.say(logins.map((login) => `echo '{"token":3}' > ${login}`).join('; '));
      await until('the person to have what was written', () =>
        read().every((text) => text === '{"token":3}'),
      );
      for (const login of logins) expect(statSync(login).isFile()).toBe(true);
      room.keeper.leave(room.checkout.sessionId);
    },
  );

  it.each(HOMES)(
    '%s writes where it keeps things, and nothing of it reaches the person',
    async (_id, home) => {
      const [room, { own }] = await makeRoom(home);
      const said = await room.say(
        own.map((directory) => `echo made > ${directory}/made && cat ${directory}/made`).join('; '),
      );
      expect(said.match(/^made$/gm)).toHaveLength(own.length);
      for (const directory of own) expect(existsSync(join(directory, 'made'))).toBe(false);
    },
  );

  it.each(HOMES)(
    '%s reads its settings without connectors, and cannot change them',
    async (id, home) => {
      const [room, { settings }] = await makeRoom(home);
      const files = settings.filter(({ path }) => /\.(json|toml)$/.test(path));
      const textOf = (path: string) =>
        path.endsWith('.toml')
          ? 'model = "m"\n[mcp_servers.forge]\ncommand = "forge"\n'
          : '{"model":"m","mcp":{"forge":{}},"mcpServers":{"forge":{}}}';
      for (const { path } of files) writeFileSync(path, textOf(path));
      const said = await room.say(
        files.map(({ path }) => `cat ${path}; echo x 2>&1 >> ${path}`).join('; '),
      );
      if (files.length > 0) expect(said).toContain('"m"');
      for (const { path } of files) expect(readFileSync(path, 'utf8')).toBe(textOf(path));
      // Claude's connectors stand in other files, which are not shown at all.
      if (id === 'codex') expect(said).not.toContain('forge');
      if (id === 'opencode') expect(said).toContain('"mcp":{}');
      if (id === 'gemini') expect(said).toContain('"mcpServers":{}');
    },
  );

  it('an engine of which nobody said what it needs has an empty home', async () => {
    const room = await SealedRoom.make();
    room.engineHome = undefined;
    writeFileSync(join(room.home, 'note'), 'OF-THE-PERSON');
    const said = await room.say('ls -A ~; cat ~/note; echo mine > ~/own && cat ~/own');
    expect(said).not.toContain('OF-THE-PERSON');
    expect(said).toContain('mine');
  });
});
