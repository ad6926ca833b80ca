import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listProcesses } from '../../../runner/process/process-table.ts';
import { isMarked } from '../../../runner/process/mark.ts';
import { EngineRun } from '../../../runner/sessions/engine-run.ts';
import type { ExitFacts } from '../../../runner/sessions/session-io.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { until } from '../../support/until.ts';

const QUICK = { inputMs: 200, termMs: 2_000 };

const leftOf = (marker: string) =>
  listProcesses().filter(({ pid, zombie }) => !zombie && isMarked(pid, marker));

describe.skipIf(sealProblem !== null)('a sealed process', () => {
  it('hands its exit status on, and the signal that ended it', async () => {
    const room = await SealedRoom.make();
    expect(await (await room.start('exit 7')).exited).toMatchObject({ exitCode: 7, signal: null });
    expect(await (await room.start('kill -TERM $$')).exited).toMatchObject({
      exitCode: null,
      signal: 'SIGTERM',
    });
    expect(await (await room.start('exit 7', {}, '')).exited).toMatchObject({ exitCode: 7 });
  });

  it.each([
    ['with many turns', undefined],
    ['of one turn', ''],
  ])('%s is itself signalled, not the seal around it', async (_name, input) => {
    const room = await SealedRoom.make();
    const { run, lines, exited } = await room.start(
      'trap "echo caught; exit 3" INT; (sleep 60 &) ; echo ready; while :; do sleep 0.1; done',
      {},
      input,
    );
    await until('the script to be ready', () => lines.includes('ready'));
    run.signal('SIGINT');
    expect(await exited).toMatchObject({ exitCode: 3 });
    expect(lines).toContain('caught');
  });

  it('that is stopped takes with it what left its session, its group and its environment', async () => {
    const room = await SealedRoom.make();
    const { run, lines, exited, marker } = await room.start(
      'for n in 1 2 3; do setsid env -i /bin/sh -c "trap : TERM HUP; while :; do /bin/sleep 1; done" & done; echo ready; trap : TERM; while :; do sleep 1; done',
    );
    await until('the script to be ready', () => lines.includes('ready'));
    expect(leftOf(marker).length).toBeGreaterThan(4);
    run.terminate(QUICK);
    await exited;
    expect(leftOf(marker)).toEqual([]);
  });

  it('goes on without the runner, and is ended by the next one', async () => {
    const room = await SealedRoom.make();
    const { run, lines, exited, marker } = await room.start(
      'echo ready; trap "echo caught; exit 0" TERM; while :; do sleep 0.1; done',
    );
    await until('the script to be ready', () => lines.includes('ready'));
    const record = JSON.parse(JSON.stringify(run.record())) as ReturnType<EngineRun['record']>;
    expect(record.sealed).toBe(true);
    let end: (exit: ExitFacts) => void = () => undefined;
    const adoptedEnd = new Promise<ExitFacts>((resolve) => (end = resolve));
    const adopted = EngineRun.adopt(record, marker, 0, {
      lines: () => undefined,
      exited: (exit) => end(exit),
      written: () => undefined,
    });
    adopted.follow();
    adopted.terminate(QUICK);
    await Promise.all([adoptedEnd, exited]);
    expect(readFileSync(record.out, 'utf8')).toBe('ready\ncaught\n');
    expect(leftOf(marker)).toEqual([]);
  });
});
