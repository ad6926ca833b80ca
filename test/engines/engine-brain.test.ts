import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pilotView } from '../../protocol/pilot-view.ts';
import { modelDifference } from '../../protocol/model-calls.ts';
import { probeSeal } from '../../runner/seal/probe.ts';
import { type Reply, says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import type { EngineRecord, EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

/** Every form of the engines that can be asked beside their conversation. */
const ASKED = ['claude', 'codex', 'codex-app-server', 'gemini', 'gemini-acp'];

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const decision = (over: object) => ({
  next: 'finish',
  instruction: null,
  waitMinutes: null,
  reason: 'The file is there.',
  ...over,
});

/** An answer in the form that the engine has for it. */
const decides = (key: string, over: object): Reply =>
  key === 'claude'
    ? {
        kind: 'message',
        content: [{ type: 'tool_use', name: 'StructuredOutput', input: decision(over) }],
      }
    : says(JSON.stringify(decision(over)));

/** What is asked decides what is answered: the objective is in every question, so it comes last. */
const scriptOf = (key: string, record: EngineRecord): Script => ({
  'FAILS: It is made': [decides(key, { next: 'instruct', instruction: 'Write the made file now' })],
  'PASSES: It is made': [decides(key, { next: 'finish' })],
  'Write the made file now': [record.runs('touch made'), says('It is there.')],
  'Bring it about': [says('Done! All of it.')],
});

const recordOf = (key: string): EngineRecord => {
  const record = RECORDS[key];
  if (record?.kind !== 'proven') throw new Error(`${key} has no world`);
  return record;
};

describe.each(ASKED.map((key) => [key, recordOf(key)] as const))(
  'the real %s as the brain of its own Pilot',
  (key, record) => {
    it('is asked beside its conversation without a tool, and paid apart from it', async () => {
      const started = await record.start(scriptOf(key, record));
      world = started;
      const checklist = join(started.home, 'done.yaml');
      writeFileSync(checklist, 'steps:\n  - title: It is made\n    check: test -f made\n');
      await started.cli('checks', 'approve', checklist, '--yes');
      const sealed = probeSeal(process.env).available && !key.startsWith('gemini');
      const grade = sealed ? 'sealed' : 'open';
      const brain = ['--brain', 'engine', '--checklist', checklist];
      const options = ['--mode', 'pilot', ...brain, '--grade', grade];
      const id = await started.launch('Bring it about', ...options, ...record.unasked);
      const path = `/v1/sessions/${id}/pilot`;
      const pilot = await until(
        'the Pilot to finish',
        async () => {
          const { view } = await started.detail(id);
          for (const { requestId } of view.pendingApprovals)
            await started.cli('sessions', 'approve', id, requestId);
          const seen = await started.get(pilotView, path);
          return seen.status === 'finished' || seen.status === 'waiting_person' ? seen : null;
        },
        { withinMs: 120_000, tell: () => started.tell() },
      );
      expect([pilot.status, pilot.reason]).toEqual(['finished', 'The file is there.']);
      const { view } = await started.detail(id);
      expect(view.turns.map(({ text, outcome }) => [text, outcome])).toEqual([
        ['Bring it about', 'ok'],
        ['Write the made file now', 'ok'],
      ]);
      const asked = await started.events(id, 'brain/answered');
      expect(new Set(asked.map(({ step }) => step)).size).toBe(2);
      for (const { usage } of asked) expect(usage.microUsd).toBeGreaterThan(0);
      // Every call passed the gate, the questions too, and what the engine told of both agrees with it.
      expect(view.model).toMatchObject({ through: 'gate', refused: 0 });
      if (key !== 'gemini-acp' && view.model) expect(modelDifference(view.model)).toBeNull();
      expect(JSON.stringify(await started.entries(id))).not.toContain(record.canary);
    });
  },
);
