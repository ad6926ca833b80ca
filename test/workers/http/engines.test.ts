import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_PRESETS } from '../../../protocol/builtin-presets.ts';
import {
  engineDetail,
  engineEntry,
  engineList,
  machineEngines,
} from '../../../protocol/engines.ts';
import { errorBody } from '../../../protocol/errors.ts';
import type { EnginePresetInput } from '../../../protocol/preset.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { ask, codeOf, HOST_TOKEN, registerRunner, signIn } from '../support/http.ts';
import { type Installation, launchOn, startOnline } from '../support/sessions.ts';

let home: Installation;
beforeEach(async () => {
  home = await startOnline();
});

const get = (path = '') => ask('GET', `/v1/engines${path}`, { bearer: home.cli });
const save = (over: Partial<EnginePresetInput> = {}, basedOn = 0, credential = {}) =>
  ask('POST', '/v1/engines', {
    bearer: home.cli,
    ...credential,
    body: { preset: aPreset(over), basedOn },
  });
const remove = (id = 'my-agent') =>
  ask('POST', `/v1/engines/${id}/remove`, { bearer: home.cli, body: {} });
const ids = async () => engineList.parse((await get()).body).items.map(({ preset }) => preset.id);

describe('engines', () => {
  it('are those that come with the product, with what nobody has verified named so', async () => {
    const { items } = engineList.parse((await get()).body);
    expect(items.map(({ preset, verified }) => [preset.id, verified])).toEqual(
      BUILT_IN_PRESETS.map(({ preset, verified }) => [preset.id, verified]),
    );
    expect(items.filter(({ verified }) => !verified).map(({ preset }) => preset.id)).toEqual([
      'cursor-agent',
      'grok',
      'ollama',
    ]);
    expect(items.at(-1)?.capabilities).toMatchObject({ usage: 'none', acts: 'none' });
  });

  it('of one’s own are saved, each save a further version, and none of them is changed', async () => {
    expect(engineEntry.parse((await save()).body)).toMatchObject({ version: 1, origin: 'own' });
    const byPerson = { bearer: undefined, cookie: await signIn() };
    expect((await save({ command: ['tac'] }, 1, byPerson)).status).toBe(201);
    const { entry, versions } = engineDetail.parse((await get('/my-agent')).body);
    expect(entry).toMatchObject({ version: 2, preset: { command: ['tac'] }, verified: false });
    expect(versions).toMatchObject([
      { version: 2, savedBy: 'person', preset: { command: ['tac'] } },
      { version: 1, savedBy: 'cli', preset: { command: ['cat'] } },
    ]);
  });

  it('that somebody else changed meanwhile are not overwritten', async () => {
    await save();
    await save({ label: 'Other' }, 1);
    expect(codeOf(await save({ label: 'Mine' }, 1))).toBe('engine_changed');
    expect(codeOf(await save({ label: 'Mine' }, 0))).toBe('engine_changed');
    expect(codeOf(await save({ id: 'other' }, 3))).toBe('engine_changed');
    const both = await Promise.all([save({ label: 'A' }, 2), save({ label: 'B' }, 2)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  it('are removed and may come back, and their history stays', async () => {
    await save();
    expect((await remove()).status).toBe(200);
    expect(await ids()).not.toContain('my-agent');
    expect(codeOf(await remove())).toBe('engine_preset_not_found');
    expect(engineDetail.parse((await get('/my-agent')).body)).toMatchObject({
      entry: null,
      versions: [{ version: 2, preset: null }, { version: 1 }],
    });
    expect((await save({ label: 'Back' })).status).toBe(201);
    expect(engineDetail.parse((await get('/my-agent')).body).entry?.version).toBe(3);
  });

  it.each(['claude', 'ollama', 'rehearsal', 'brain'])(
    'never take the id %s of the product',
    async (id) => {
      expect(codeOf(await save({ id }))).toBe('engine_id_taken');
      expect(codeOf(await remove(id))).toBe('engine_id_taken');
    },
  );

  describe('of an id that the product has had since', () => {
    /** Saved before there was a built-in of it. */
    const before = () =>
      env.DB.prepare(
        'INSERT INTO engine_presets (account_id, preset_id, version, preset, at, actor_id, saved_by) SELECT account_id, ?, version, ?, at, actor_id, saved_by FROM engine_presets',
      )
        .bind('qwen', JSON.stringify(aPreset({ id: 'qwen', command: ['my-qwen'] })))
        .run();
    beforeEach(async () => {
      await save();
      await before();
    });
    const own = async () => engineDetail.parse((await get('/qwen')).body);

    it('keep it, once in the list, and say in whose place', async () => {
      const { items } = engineList.parse((await get()).body);
      const named = items.filter(({ preset }) => preset.id === 'qwen');
      expect(named).toMatchObject([
        { origin: 'own', version: 1, inPlaceOf: 'Qwen Code', preset: { command: ['my-qwen'] } },
      ]);
      expect((await own()).entry).toEqual(named[0]);
    });

    it('are launched as they were', async () => {
      const { start } = await launchOn(home, { engineId: 'qwen' });
      expect(start).toMatchObject({
        params: { launch: { engineId: 'qwen', preset: { command: ['my-qwen'] } } },
      });
    });

    it('are edited, and give the id to the product when they are removed, with their history', async () => {
      const again = await save({ id: 'qwen', command: ['my-qwen', '--fast'] }, 1);
      expect(engineEntry.parse(again.body)).toMatchObject({ version: 2, inPlaceOf: 'Qwen Code' });
      expect((await remove('qwen')).status).toBe(200);
      expect(await own()).toMatchObject({
        entry: { origin: 'builtIn', preset: { label: 'Qwen Code' } },
        versions: [{ version: 3, preset: null }, { version: 2 }, { version: 1 }],
      });
      expect((await ids()).filter((id) => id === 'qwen')).toHaveLength(1);
      const { start } = await launchOn(home, { engineId: 'qwen' });
      expect(start).toMatchObject({ params: { launch: { engineId: 'qwen', preset: null } } });
      expect(codeOf(await save({ id: 'qwen' }))).toBe('engine_id_taken');
    });
  });

  it('that are malformed are refused with the field and what to write', async () => {
    const answer = await ask('POST', '/v1/engines', {
      bearer: home.cli,
      body: { preset: { ...aPreset(), command: ['bin/agent'] }, basedOn: 0 },
    });
    expect(answer.status).toBe(400);
    const { message, context } = errorBody.parse(answer.body).error;
    expect(`${message} ${JSON.stringify(context)}`).toMatch(/command.*whole path from \/ on/);
  });

  it('are nobody’s to save who is not a person or a command line', async () => {
    const { token } = await registerRunner();
    for (const bearer of [token, HOST_TOKEN])
      expect(codeOf(await save({}, 0, { bearer }))).toBe('forbidden');
    expect(codeOf(await get('/nothing'))).toBe('engine_preset_not_found');
  });

  it('are bounded in number', async () => {
    for (let index = 0; index < 100; index++) await save({ id: `agent-${index}` });
    expect(codeOf(await save())).toBe('too_many_engines');
    expect((await save({ id: 'agent-7', label: 'Again' }, 1)).status).toBe(201);
  });
});

describe('a launch', () => {
  it('of an engine of one’s own carries its newest version to the machine', async () => {
    await save();
    await save({ command: ['tac'] }, 1);
    const { start } = await launchOn(home, { engineId: 'my-agent' });
    expect(start).toMatchObject({
      params: { launch: { engineId: 'my-agent', preset: { command: ['tac'] } } },
    });
  });

  it('cannot say itself what an engine is', async () => {
    const { start } = await launchOn(home, { engineId: 'rehearsal', preset: aPreset() });
    expect(start).toMatchObject({ params: { launch: { engineId: 'rehearsal', preset: null } } });
  });

  it.each([
    ['ollama', ['ollama', 'run', 'llama3']],
    ['claude', undefined],
    ['nobody', undefined],
  ])('of %s carries %j', async (engineId, command) => {
    const { start } = await launchOn(home, { engineId });
    const preset = start.method === 'session/start' ? start.params.launch.preset : null;
    expect(preset?.command).toEqual(command);
  });
});

describe('a machine', () => {
  it('is asked about engines that are not its own, and those that nobody has are left out', async () => {
    await save();
    const asked = ask('GET', `/v1/runners/${home.runner.runnerId}/engines`, { bearer: home.cli });
    const { command } = await home.peer.next('command');
    const presets = command.method === 'engines/look' ? command.params.presets : [];
    expect(presets.map(({ id }) => id)).toEqual(['cursor-agent', 'grok', 'ollama', 'my-agent']);
    const engines = presets.map(({ id }) => ({
      engineId: id,
      label: id,
      ready: false,
      version: null,
      payer: 'unknown',
      credential: null,
      approvals: [],
      installed: id === 'ollama',
      problem: 'p',
      remedy: 'r',
    }));
    home.peer.result(command.id, { ok: true, value: { engines } });
    const told = machineEngines.parse((await asked).body).engines;
    expect(told.map(({ engineId }) => engineId)).toEqual(['ollama', 'my-agent']);
  });
});
