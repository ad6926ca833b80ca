import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DriveReport } from '../../protocol/drive-report.ts';
import { commandId, instanceId } from '../../protocol/ids.ts';
import { estimateMicroUsd } from '../../protocol/prices.ts';
import { Store } from '../../runner/link/store.ts';
import { DriveMeter } from '../../runner/drives/drive-meter.ts';
import { DriveStore } from '../../runner/drives/drive-store.ts';
import type { Log } from '../../runner/log.ts';
import { claudeArgv } from '../support/claude-pane.ts';
import { says } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { TerminalHouse } from '../support/terminal-house.ts';
import { until } from '../support/until.ts';

/** The real claude in a real pane tells what it used after each write to it, across a runner that ends. */
let api: ModelApi;
let house: TerminalHouse;
let target: string;
const reports: DriveReport[] = [];
const store = () => new Store(join(house.directory, 'runner.db'));
const log: Log = (_level, message, facts) => {
  throw new Error(`${message} ${JSON.stringify(facts)}`);
};
const open = (db: Store) =>
  new DriveMeter({
    store: new DriveStore(db, log),
    send: (report) => reports.push(report),
    log,
    now: Date.now,
  });

beforeAll(async () => {
  house = new TerminalHouse();
  const work = join(house.directory, 'work');
  mkdirSync(work);
  api = await startModelApi({
    'say one': [says('One.')],
    'say two': [says('Two.')],
    'say three': [says('Three.')],
  });
  const argv = claudeArgv(house.env['HOME'] ?? '', work, api.url, ['say one']);
  target = (await house.session('claude', argv)).pane;
  await house.shows(target, /One\./);
});
afterAll(async () => {
  house.close();
  await api.close();
});

async function drive(meter: DriveMeter, name: string, text: string) {
  const refused = () => house.refusal('terminal_send_text', { target, text: '/x', enter: true });
  await until('it is idle', async () => (await refused()) === 'terminal_text_refused');
  const { panes } = await house.do('terminal_list', {});
  const pane = panes.find((each) => each.target === target);
  if (!pane) throw new Error('there is no pane');
  await meter.begin(commandId.parse(`cmd_${name}`), { instanceId: INSTANCE, callId: name }, pane);
  await house.do('terminal_send_text', { target, text, enter: true });
  meter.written(commandId.parse(`cmd_${name}`));
}
const INSTANCE = instanceId.parse('ins_1');
const ONE_ANSWER = {
  inputTokens: 100,
  outputTokens: 50,
  cacheReadTokens: 300,
  cacheWriteTokens: 20,
};

it('is its own word, of each write alone, and of nothing before the first', async () => {
  const db = store();
  const meter = open(db);
  await drive(meter, 'two', 'say two');
  await until('the report', () => reports.length > 0);
  expect(reports).toEqual([
    {
      id: 'cmd_two',
      drive: { instanceId: INSTANCE, callId: 'two' },
      engine: 'claude',
      at: expect.any(Number),
      models: [
        {
          model: 'claude-opus-5-5',
          ...ONE_ANSWER,
          microUsd: estimateMicroUsd('claude-opus-5-5', ONE_ANSWER),
        },
      ],
    },
  ]);
  // Nobody confirmed it: it is told again.
  meter.sendAll();
  expect(reports).toHaveLength(2);
  meter.confirmed(commandId.parse('cmd_two'));
  meter.sendAll();
  expect(reports).toHaveLength(2);
  meter.stop();
  db.close();
});

it('is told by the next runner, where this one ended in between', async () => {
  reports.length = 0;
  const before = store();
  const first = open(before);
  await drive(first, 'three', 'say three');
  first.stop();
  before.close();
  await house.shows(target, /Three\./);
  const after = store();
  const second = open(after);
  second.start();
  await until('the report', () => reports.length > 0);
  expect(reports).toMatchObject([{ id: 'cmd_three', models: [ONE_ANSWER] }]);
  second.stop();
  after.close();
});
