import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DriveReport } from '../../../protocol/drive-report.ts';
import { commandId, instanceId } from '../../../protocol/ids.ts';
import type { TerminalPane } from '../../../protocol/terminal.ts';
import { DriveMeter } from '../../../runner/drives/drive-meter.ts';
import { DriveStore, type OpenDrive } from '../../../runner/drives/drive-store.ts';
import { Store } from '../../../runner/link/store.ts';
import { readProcess } from '../../../runner/process/process-table.ts';
import { until } from '../../support/until.ts';

const CONVERSATION = '6d1c2c0e-0000-4000-8000-000000000001';
const DRIVE = { instanceId: instanceId.parse('ins_1'), callId: 'call' };
const TOKENS = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const MODEL: DriveReport['models'][number] = { model: 'a-model', ...TOKENS, microUsd: null };
const idOf = (name: string) => commandId.parse(`cmd_${name}`);

const opened = (name: string, over: Partial<OpenDrive> = {}): OpenDrive => ({
  id: idOf(name),
  drive: DRIVE,
  engine: 'claude',
  pid: 1,
  sessionId: CONVERSATION,
  projects: '/nowhere',
  begunAt: 1,
  from: { '/file': 10 },
  until: null,
  written: true,
  ...over,
});
const reportOf = (name: string, models: DriveReport['models']): DriveReport => ({
  id: idOf(name),
  drive: DRIVE,
  engine: 'claude',
  at: 1,
  models,
});

let root: string;
let db: Store;
let store: DriveStore;
let meter: DriveMeter;
let logged: string[];
let sent: DriveReport[];
let program: ChildProcess | null;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-drives-'));
  db = new Store(':memory:');
  logged = [];
  sent = [];
  program = null;
  const log = (_level: string, message: string) => void logged.push(message);
  store = new DriveStore(db, log);
  let now = 100;
  meter = new DriveMeter({ store, send: (each) => sent.push(each), log, now: () => (now += 1) });
});
afterEach(() => {
  meter.stop();
  program?.kill('SIGKILL');
  db.close();
  rmSync(root, { recursive: true });
});

describe('what a program wrote down of its cost', () => {
  it.each([
    ['a name without end', [{ ...MODEL, model: 'm'.repeat(201) }]],
    ['fewer tokens than none', [{ ...MODEL, inputTokens: -1 }]],
    ['half a token', [{ ...MODEL, outputTokens: 0.5 }]],
    ['more models than are told', Array.from({ length: 21 }, () => MODEL)],
    ['no model', []],
  ])('is dropped with a word where it has %s', (_what, models) => {
    store.save(opened('bad'));
    store.save(opened('good'));
    expect(store.report(reportOf('bad', models))).toBe(false);
    expect(store.report(reportOf('good', [MODEL]))).toBe(true);
    expect(store.listReports()).toEqual([reportOf('good', [MODEL])]);
    expect(store.listOpen()).toEqual([]);
    expect(logged).toHaveLength(1);
  });
});

it('is told once by a meter that had nothing to tell for long', async () => {
  mkdirSync(join(root, '-work'));
  const own = join(root, '-work', `${CONVERSATION}.jsonl`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', model: 'a-model', content: [], usage };
  writeFileSync(own, `${JSON.stringify({ type: 'assistant', message })}\n`);
  const send = (each: DriveReport) => sent.push(each);
  const late = new DriveMeter({ store, send, log: () => {}, now: () => 1_000_000 });
  store.save(opened('over', { projects: root, from: { [own]: 0 } }));
  late.start();
  await until('its report', () => sent.length > 0);
  late.stop();
  expect(sent).toEqual([expect.objectContaining({ id: idOf('over'), models: [MODEL] })]);
});

describe('rows that cannot be read', () => {
  const damage = (name: string, column: 'open' | 'report', text: string) =>
    db.db.prepare(`INSERT INTO drives (id, ${column}, at) VALUES (?, ?, 0)`).run(idOf(name), text);

  it.each([
    ['open', '{'],
    ['open', '{"pid":0.5}'],
    ['report', '{'],
    ['report', JSON.stringify(reportOf('bad', [{ ...MODEL, inputTokens: -1 }]))],
  ] as const)(
    'go with a word, and cost neither the start nor the others: %s %s',
    (column, text) => {
      damage('bad', column, text);
      store.save(opened('good'));
      store.save(opened('told'));
      store.report(reportOf('told', [MODEL]));
      meter.start();
      meter.sendAll();
      expect(store.listOpen()).toEqual([opened('good')]);
      expect(sent).toEqual([reportOf('told', [MODEL])]);
      expect(logged).toHaveLength(1);
      expect(db.db.prepare('SELECT count(*) AS n FROM drives').get()).toEqual({ n: 2 });
    },
  );

  it('end no start where none can be read', () => {
    db.db.exec('DROP TABLE drives');
    expect(() => meter.start()).not.toThrow();
    expect(logged).not.toEqual([]);
    db.db.exec('CREATE TABLE drives (id TEXT, open TEXT, report TEXT, at INTEGER)');
  });

  it('of an earlier version are of writes that were taken', () => {
    const { written: _new, ...before } = opened('before');
    damage('before', 'open', JSON.stringify(before));
    expect(store.listOpen()).toEqual([opened('before')]);
  });
});

/** A process that tells of itself what a claude does. */
async function aClaude(): Promise<TerminalPane> {
  const started = spawn('sleep', ['60'], { env: { ...process.env, CLAUDE_CONFIG_DIR: root } });
  program = started;
  await once(started, 'spawn');
  const pid = started.pid ?? 0;
  const procStart = readProcess(pid)?.startedAt.split(':')[1];
  mkdirSync(join(root, 'sessions'));
  const facts = { pid, sessionId: CONVERSATION, procStart, status: 'busy' };
  writeFileSync(join(root, 'sessions', `${pid}.json`), JSON.stringify(facts));
  mkdirSync(join(root, 'projects', '-work'), { recursive: true });
  return { agent: { engine: 'claude', pid } } as unknown as TerminalPane;
}
const grow = (bytes: number) => {
  const own = join(root, 'projects', '-work', `${CONVERSATION}.jsonl`);
  writeFileSync(own, ' '.repeat(bytes));
  return { [own]: bytes };
};
const parts = () => store.listOpen().map(({ id, from, until }) => [id, from, until]);

describe.runIf(process.platform === 'linux')('the part of a write', () => {
  it('ends where the next one that was written began, and not at one that was refused', async () => {
    const pane = await aClaude();
    const first = grow(10);
    await meter.begin(idOf('first'), DRIVE, pane);
    meter.written(idOf('first'));
    grow(20);
    await meter.begin(idOf('refused'), DRIVE, pane);
    meter.cancel(idOf('refused'));
    expect(parts()).toEqual([['cmd_first', first, null]]);
    const second = grow(30);
    await meter.begin(idOf('second'), DRIVE, pane);
    grow(40);
    meter.written(idOf('second'));
    expect(parts()).toEqual([
      ['cmd_first', first, second],
      ['cmd_second', second, null],
    ]);
  });

  it('ends at one of which a runner that died could not tell any more', async () => {
    const pane = await aClaude();
    const first = grow(10);
    await meter.begin(idOf('first'), DRIVE, pane);
    meter.written(idOf('first'));
    const second = grow(20);
    await meter.begin(idOf('second'), DRIVE, pane);
    meter.start();
    expect(parts()).toEqual([
      ['cmd_first', first, second],
      ['cmd_second', second, null],
    ]);
  });
});
