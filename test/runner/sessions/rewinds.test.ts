import { existsSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rewound } from '../../../protocol/checkpoints.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import {
  keepCheckpoint,
  listCheckpoints,
  listDiffering,
  listIgnored,
  writePatch,
} from '../../../runner/guard/checkpoints.ts';
import { runShell } from '../../../runner/guard/shell.ts';
import type { HeadlessSession } from '../../../runner/sessions/headless-session.ts';
import { keepFiles } from '../../../runner/sessions/keep-files.ts';
import type { CheckLine, LaunchPorts } from '../../../runner/sessions/launcher.ts';
import { Rewinds } from '../../../runner/sessions/rewinds.ts';
import { aLaunch, SESSION, TURN } from '../../support/protocol-builders.ts';
import { type SealedRoom, sealProblem } from '../../support/sealed.ts';
import { aRoomAt, PullForge } from '../broker/forge.ts';
import { gitIn, write } from '../guard/repositories.ts';

const GRADES = sealProblem === null ? (['sealed', 'fenced'] as const) : (['fenced'] as const);
/** Real git and several processes each, on a machine that is busy with other things. */
const LONG_MS = 60_000;

let forge: PullForge;
let room: SealedRoom;
let told: EngineEvent[];
let rewinds: Rewinds;
let deps: { ports: LaunchPorts; now: () => number; log: () => void };
let state: { openTurnId: string | null };

async function enter(grade: 'sealed' | 'fenced' = 'fenced') {
  room = await aRoomAt(forge, grade);
  const ports = {
    findEngine: () => room.engine,
    readSecrets: async () => [{ name: 'API_KEY', value: 'canary-value-1' }],
    listCheckpoints,
    keepCheckpoint,
    listDiffering,
    listIgnored,
    writePatch,
    bringBack,
    run: ({ command, timeoutMs, signal, checkout, engine, inputFile }: CheckLine) =>
      runShell({
        command,
        directory: checkout.directory,
        env: { ...room.env },
        timeoutMs,
        timeoutWords: 'the time of a test',
        marker: SESSION,
        keep: 'last',
        seal: (plan) => room.keeper.seal(plan, engine, checkout, null),
        signal,
        inputFile,
      }),
  } satisfies Partial<LaunchPorts> as unknown as LaunchPorts;
  state = { openTurnId: null };
  const whole = { launch: aLaunch(), held: null, steered: [], phase: {}, bringingBack: null };
  const session = {
    row: { checkout: room.checkout, state: Object.assign(state, whole) },
    returned: (events: readonly EngineEvent[]) => void told.push(...events),
  } as unknown as HeadlessSession;
  let clock = 1_000;
  deps = { ports, now: () => (clock += 1), log: () => undefined };
  rewinds = new Rewinds(deps, {
    sessions: new Map([[SESSION, session]]),
    inLane: (_, work) => work(),
  });
  await keepFiles(deps, room.checkout, { kind: 'start', turnId: null });
}

beforeEach(async () => {
  told = [];
  forge = await PullForge.open();
});
afterEach(async () => {
  await room.keeper.close();
  await forge.close();
});

const top = () => room.checkout.top;
const read = (path: string) => readFileSync(join(top(), path), 'utf8');
const afterTurn = () => keepFiles(deps, room.checkout, { kind: 'turn', turnId: TURN });
const trees = async () => (await rewinds.list(SESSION)).items;
const rewind = async (tree: string) => rewound.parse(await rewinds.rewind(SESSION, { tree }));

describe.each(GRADES)('a %s session’s files', { timeout: LONG_MS }, (grade) => {
  it('go back to the start and forth again, while its commits stay', async () => {
    await enter(grade);
    write(top(), 'deep/er/new.ts', 'new\n');
    write(top(), 'kept out.log', 'ignored\n');
    write(top(), '.gitignore', '*.log\n');
    gitIn(top(), 'add', '--all');
    gitIn(top(), '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qm', 'Add');
    write(top(), 'loose.bin', 'x\0y');
    const head = gitIn(top(), 'rev-parse', 'HEAD');
    await afterTurn();
    const [turn, start] = await trees();
    expect([turn?.kind, turn?.turnId, start?.kind]).toEqual(['turn', TURN, 'start']);
    const back = await rewind(start?.tree ?? '');
    expect(back).toMatchObject({ tree: start?.tree, was: turn?.tree, files: 3 });
    expect(existsSync(join(top(), 'deep'))).toBe(false);
    expect(existsSync(join(top(), 'loose.bin'))).toBe(false);
    expect(read('kept out.log')).toBe('ignored\n');
    expect(gitIn(top(), 'rev-parse', 'HEAD')).toBe(head);
    expect(told.map(({ type }) => type)).toEqual(['checkout/broughtBack', 'notice/raised']);
    expect(told[1]).toMatchObject({ message: expect.stringContaining('3 files are changed') });
    const forth = await rewind(back.was);
    expect(forth).toMatchObject({ tree: turn?.tree, files: 3 });
    expect([read('deep/er/new.ts'), read('loose.bin')]).toEqual(['new\n', 'x\0y']);
    // Nothing ignored it for a while: it is no work that was undone.
    expect(read('kept out.log')).toBe('ignored\n');
    expect((await trees()).map(({ kind }) => kind)).toEqual(['rewind', 'rewind', 'turn', 'start']);
  });
});

describe('files that are put back', { timeout: LONG_MS }, () => {
  it('are left as they are where they are so already, which is said', async () => {
    await enter();
    const [start] = await trees();
    expect(await rewind(start?.tree ?? '')).toMatchObject({ files: 0 });
  });

  it('run no filter or hook of the session’s on the machine, nor leave the checkout by a link', async () => {
    await enter();
    write(top(), 'dir/inner.txt', 'mine\n');
    await afterTurn();
    rmSync(join(top(), 'dir'), { recursive: true });
    const outside = join(room.checkout.view, '..', 'outside');
    write(outside, 'inner.txt', 'theirs\n');
    symlinkSync(outside, join(top(), 'dir'));
    const [turn] = await trees();
    expect(await rewind(turn?.tree ?? '')).toMatchObject({ files: 2 });
    expect(readFileSync(join(outside, 'inner.txt'), 'utf8')).toBe('theirs\n');
    expect(read('dir/inner.txt')).toBe('mine\n');
  });

  it('are not claimed to be back where a filter of the repository makes others of them', async () => {
    await enter();
    gitIn(top(), 'config', 'filter.louder.smudge', 'tr a-z A-Z');
    gitIn(top(), 'config', 'filter.louder.clean', 'cat');
    write(top(), 'a.txt', 'quiet canary-value-1\n');
    write(top(), '.gitattributes', 'a.txt filter=louder\n');
    await afterTurn();
    unlinkSync(join(top(), 'a.txt'));
    const [turn] = await trees();
    await expect(rewind(turn?.tree ?? '')).rejects.toMatchObject({ code: 'rewind_refused' });
    // What they were before is there to go back to.
    expect((await trees())[0]).toMatchObject({ kind: 'rewind' });
  });

  it('are those of a checkpoint of this session and of no other tree', async () => {
    await enter();
    const other = gitIn(top(), 'rev-parse', 'HEAD^{tree}').replace(/^./, (c) =>
      c === '0' ? '1' : '0',
    );
    await expect(rewind(other)).rejects.toMatchObject({ code: 'checkpoint_not_found' });
    expect(told).toEqual([]);
  });

  it('are not put back under the hands of a turn', async () => {
    await enter();
    const [start] = await trees();
    state.openTurnId = TURN;
    await expect(rewind(start?.tree ?? '')).rejects.toMatchObject({ code: 'checkout_working' });
  });
});
