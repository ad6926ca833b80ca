import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLimitsPath } from '../../../runner/limits.ts';
import { approveCheck, findChecksPath } from '../../../runner/limits/approved-checks.ts';
import type { LaunchPorts } from '../../../runner/sessions/launcher.ts';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import { SealedRoom, sealProblem } from '../../support/sealed.ts';

let room: SealedRoom;
let ports: LaunchPorts;
async function enter(grade: 'sealed' | 'fenced' = 'sealed') {
  room = await SealedRoom.make(undefined, grade);
  room.env['ENGINE_KEY'] = 'canary-of-the-engine';
  writeFileSync(join(room.home, 'diary.txt'), 'canary-of-the-person');
  ports = createLaunchPorts(room.root, room.env);
}
beforeEach(() => enter());
afterEach(() => room.keeper.close());

/** Approves a line as the person does, in the repository and not in the checkout, and runs it. */
function check(command: string, { approve = true, timeoutMs = 20_000 } = {}) {
  const path = findChecksPath(findLimitsPath(room.env));
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const directory = room.checkout.source.top;
  if (approve) approveCheck(path, { command, directory }, Date.now());
  const { signal } = new AbortController();
  const { engine, checkout } = room;
  return Promise.resolve().then(() =>
    ports.check({ engine, checkout, command, timeoutMs, signal }),
  );
}

describe.skipIf(sealProblem !== null)('a check in a sealed session', () => {
  it('runs in the session’s checkout, with the exit code of its line', async () => {
    const found = await check('pwd; git rev-parse --is-inside-work-tree; exit 3');
    expect(found).toMatchObject({ exitCode: 3 });
    expect(found.output).toContain(room.checkout.directory);
    expect(found.output).toContain('true');
  });

  it('sees nothing of the person’s, who sees it all', async () => {
    const line = `cat ${join(room.home, 'diary.txt')}`;
    const sealed = await check(line);
    expect(sealed.exitCode).not.toBe(0);
    expect(sealed.output).not.toContain('canary-of-the-person');
    await room.keeper.close();
    await enter('fenced');
    const fenced = await check(`cat ${join(room.home, 'diary.txt')}`);
    expect(fenced.output).toContain('canary-of-the-person');
  });

  it('cannot change what lies outside of the checkout', async () => {
    const planted = join(room.checkout.source.top, 'planted.txt');
    // Within the seal the path may be a place that goes with it; the person's is looked at.
    const found = await check(`mkdir -p ${dirname(planted)}; echo x > ${planted}; echo tried`);
    expect(found.output).toContain('tried');
    expect(existsSync(planted)).toBe(false);
    expect((await check('echo x > made-here.txt && cat made-here.txt')).output).toContain('x');
  });

  it('has no credential of the engine', async () => {
    const found = await check('env; echo done');
    expect(found.output).toContain('done');
    expect(found.output).not.toContain('canary-of-the-engine');
  });

  it('is ended after its time, with what it started', async () => {
    const found = await check('sleep 300 & sleep 300', { timeoutMs: 1_000 });
    expect(found.exitCode).toBeNull();
  });

  it('does not run where nobody approved it, however sealed it would be', async () => {
    await expect(check('true', { approve: false })).rejects.toMatchObject({
      code: 'check_not_approved',
    });
  });
});
