import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { aPilotView } from '../../../support/pilot-builders.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

const VIEW = aPilotView({
  sessionId: SESSION,
  status: 'waiting_person',
  hold: 'proposal',
  step: 7,
});
const PATH = `/v1/sessions/${SESSION}/pilot`;
const DECISION = {
  step: 6,
  at: 1,
  next: 'instruct',
  instruction: 'Correct it',
  reason: '0 of 1 checks pass.',
  evidence: [],
  usage: [],
  status: 'waiting_person',
  outcome: 'It waits for a yes.',
  anew: false,
};

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
  // Asked for, it is the Pilot as it stands; told something, it has taken it.
  cloud.garble(/\/pilot$/, JSON.stringify({ ...VIEW, accepted: true }));
  cloud.garble(/\/pilot\/decisions$/, JSON.stringify({ items: [DECISION], nextCursor: null }));
});
afterEach(() => cloud.close());

const run = (...args: string[]) => runOn(cloud, 'pilot', ...args);
const sent = () => cloud.requests('POST');

describe('pilothouse pilot status', () => {
  it('says where the Pilot stands, with its last decisions and the next command', async () => {
    const { stdout, exitCode } = await run('status', SESSION);
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('Waiting for you');
    expect(stdout).toContain('6. instruct: 0 of 1 checks pass. → It waits for a yes.');
    expect(stdout).toContain(`pilothouse pilot confirm ${SESSION}`);
    expect(cloud.asked.at(-1)).toMatchObject({ query: { limit: '5' } });
  });

  it('shows as many decisions as were asked for, and all of it to a program', async () => {
    const told = await jsonOf(cloud, 'pilot', 'status', 'test1', '--decisions', '50');
    expect(told).toEqual({ ...VIEW, decisions: [DECISION] });
    expect(cloud.asked.at(-1)).toMatchObject({ query: { limit: '50' } });
  });

  it('says so of a session that a person drives', async () => {
    cloud.mend();
    cloud.refuse(/\/pilot$/, 'pilot_not_found');
    const { exitCode, stderr } = await run('status', SESSION);
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining('Pilot')]);
  });
});

describe('what a person tells a Pilot', () => {
  it.each([
    [['pause'], { action: 'pause' }, 'Pausing'],
    [['resume'], { action: 'resume' }, 'Resuming'],
    [['stop'], { action: 'stop' }, 'Stopping'],
    [['confirm'], { action: 'confirm', step: 7 }, 'Confirmed'],
    [['confirm', '--step', '3'], { action: 'confirm', step: 3 }, 'Confirmed'],
    [
      ['confirm', '--instruction', 'Do less'],
      { action: 'confirm', step: 7, instruction: 'Do less' },
      'Confirmed',
    ],
    [['confirm', '--keep'], { action: 'confirm', step: 7, keep: true }, 'Confirmed'],
  ])('is sent as it was said: %j', async ([verb = '', ...options], body, words) => {
    const { exitCode, stdout } = await run(verb, SESSION, ...options);
    expect(exitCode).toBe(EXIT.ok);
    expect(sent()).toEqual([{ path: PATH, body }]);
    expect(stdout).toContain(words);
    expect(stdout).toContain(`pilothouse pilot status ${SESSION}`);
  });

  it.each([
    ['anew', true],
    ['keep', false],
  ])('says what becomes of a long conversation: %s', async (what, beginsAnew) => {
    expect((await run('conversation', SESSION, what)).exitCode).toBe(EXIT.ok);
    expect(sent()).toEqual([{ path: PATH, body: { action: 'conversation', beginsAnew } }]);
  });

  it('asks for no step that a person has named', async () => {
    await run('confirm', SESSION, '--step', '3');
    expect(cloud.requests('GET').filter(({ path }) => path === PATH)).toEqual([]);
  });

  it('is answered to a program by what was taken', async () => {
    expect(await jsonOf(cloud, 'pilot', 'pause', SESSION)).toEqual({
      sessionId: SESSION,
      action: 'pause',
      accepted: true,
    });
  });

  it.each([
    [['confirm', SESSION, '--step', '0'], EXIT.usage],
    [['objective', SESSION], EXIT.usage],
    [['conversation', SESSION, 'forget'], EXIT.usage],
    [['status', SESSION, '--decisions', 'all'], EXIT.usage],
    [['pause', 'nobody'], EXIT.refused],
  ])('is refused before it is sent: %j', async (args, code) => {
    expect((await run(...args)).exitCode).toBe(code);
    expect(sent()).toEqual([]);
  });
});

describe('another objective', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pilot-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('leaves the checks as they are unless others are named', async () => {
    await run('objective', SESSION, 'Make it fast');
    expect(sent()[0]?.body).toEqual({ action: 'objective', objective: 'Make it fast' });
  });

  it('comes with its checks where they are named', async () => {
    const file = join(directory, 'checks.yaml');
    writeFileSync(file, 'steps:\n  - title: Fast\n    check: npm run bench\n    seconds: 90\n');
    await run('objective', SESSION, 'Make it fast', '--checklist', file);
    expect(sent()[0]?.body).toMatchObject({
      objective: 'Make it fast',
      steps: [{ title: 'Fast', check: 'npm run bench', timeoutMs: 90_000 }],
    });
  });

  it('is not changed where the file of its checks is none', async () => {
    const file = join(directory, 'checks.yaml');
    writeFileSync(file, 'steps: []');
    const { exitCode, stderr } = await run('objective', SESSION, 'x', '--checklist', file);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining('is no checklist')]);
    expect(sent()).toEqual([]);
  });
});
