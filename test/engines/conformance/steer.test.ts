import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { findFaults } from '../../faults/record.ts';
import { says, type Script } from '../../support/model-api/script.ts';
import { until } from '../../support/until.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './record.ts';
import { RECORDS } from './records.ts';

const STEERED = new Set(['claude', 'codex-app-server']);
const PROVEN = ENGINES.flatMap((engine): [string, EngineRecord][] => {
  const record = RECORDS[keyOf(engine)];
  return record?.kind === 'proven' ? [[keyOf(engine), record]] : [];
});

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const scriptOf = ({ runs }: EngineRecord): Script => ({
  // It works until it is told to go on, however long it takes to say something to it.
  'work on': [runs('touch begun; until test -e go; do sleep 1; done; echo slept'), says('Done.')],
});

type Working = { id: string; world: EngineWorld; checkout: string };

/** Launches into a command that runs, which a person allowed where the engine asks. */
async function intoCommand(record: EngineRecord): Promise<Working> {
  const started = await record.start(scriptOf(record));
  world = started;
  const id = await started.launch('work on', ...record.unasked);
  const asked = new Set<string>();
  const checkout = await until(
    'the command to run',
    async () => {
      const { view } = await started.detail(id);
      for (const { requestId } of view.pendingApprovals) {
        if (asked.has(requestId)) continue;
        asked.add(requestId);
        await started.cli('sessions', 'approve', id, requestId);
      }
      const directory = view.checkout?.directory;
      return directory && existsSync(join(directory, 'begun')) ? directory : null;
    },
    { withinMs: 90_000, tell: () => started.tell() },
  );
  return { id, world: started, checkout };
}

const goOn = ({ checkout }: Working) => writeFileSync(join(checkout, 'go'), '');

describe.each(PROVEN.filter(([key]) => STEERED.has(key)))('the real %s', (_key, record) => {
  it('reads words for its turn in that turn', async () => {
    const working = await intoCommand(record);
    const { id, world: started } = working;
    const said = await started.cli('sessions', 'say', id, '--steer', 'rather say BANANA');
    expect(said.exitCode).toBe(0);
    await until('the words to be handed over', async () => {
      const delivered = await started.events(id, 'turn/delivered');
      return new Set(delivered.map(({ turnId }) => turnId)).size === 2;
    });
    goOn(working);
    const { view } = await started.untilTurns(id, 2);
    expect(view.turns.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    const requests = started.api.seen.map(({ request }) => JSON.stringify(request ?? ''));
    // The model is asked once more in the turn, with the command's output and the words.
    expect(requests.some((text) => /slept/.test(text) && /BANANA/.test(text))).toBe(true);
    const ends = await started.events(id, 'turn/ended');
    expect(ends.map(({ usage }) => usage)).toEqual(['recorded', 'unobservable']);
    expect(findFaults(await started.entries(id))).toEqual([]);
  });
});

describe.each(PROVEN.filter(([key]) => key === 'codex'))(
  'the real %s, where it never asks,',
  (_key, record) => {
    it('takes no words into its turn, and says so before anything is sent', async () => {
      const working = await intoCommand(record);
      const { id, world: started } = working;
      const said = await started.cli('sessions', 'say', id, '--steer', 'rather this');
      expect(said.exitCode).not.toBe(0);
      expect(said.stderr).toContain('takes no words into a turn');
      goOn(working);
      expect((await started.untilTurns(id, 1)).view.turns).toHaveLength(1);
    });
  },
);
