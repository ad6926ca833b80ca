import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../../../runner/cli/connect.ts';
import { buildParts, CONSOLE_PART, WORKER_PART } from '../../../runner/host/build.ts';
import { PRODUCT_ROOT } from '../../../runner/host/layout.ts';
import type { ScriptInput } from '../../../runner/engines/rehearsal/script.ts';
import {
  runPilothouse,
  startInstallation,
  until,
  type Finished,
  type Installation,
} from '../../support/installation.ts';

// One real installation for all; each test launches sessions of its own on the rehearsal engine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const home = mkdtempSync(join(tmpdir(), 'pilothouse-'));
let installation: Installation;

const SCRIPT: ScriptInput = {
  turns: [
    [
      { do: 'text', text: 'I will push now.' },
      { do: 'bash', command: 'git push origin HEAD', ask: true },
      { do: 'text', text: 'Pushed.', when: 'allowed' },
      { do: 'text', text: 'Not pushed.', when: 'denied' },
      { do: 'usage', inputTokens: 900, outputTokens: 100, costUsd: 0.02 },
    ],
    [
      { do: 'text', text: 'The second turn.' },
      { do: 'usage', inputTokens: 500, outputTokens: 50, costUsd: 0.01 },
    ],
  ],
};

beforeAll(async () => {
  await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
  const script = join(home, 'script.json');
  writeFileSync(script, JSON.stringify(SCRIPT));
  installation = await startInstallation(home, [], { PILOTHOUSE_REHEARSAL_SCRIPT: script });
  await installation.printed(/Rehearsal/);
});
afterAll(async () => {
  await installation?.end('SIGINT');
  rmSync(home, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Finished> => runPilothouse(args, installation.env);
const json = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { stdout, stderr } = await run(...args, '--json');
  if (!stdout) throw new Error(`nothing on standard output, but: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
};
const launch = async (title: string) =>
  (await json('launch', '--engine', 'rehearsal', title)) as { sessionId: string; turnId: string };
/** What is waited for is asked of the API: a process for each look would take most of the time. */
const api = () => connect({}, installation.env).api;
const awaitState = (sessionId: string, state: string) =>
  until(
    async () => (await api().readSession(sessionId)).summary.state === state,
    `${sessionId} is ${state}`,
  );

describe('a session from the terminal', () => {
  it('is launched and waited for, approved from another terminal, and ends with 0', async () => {
    const waiting = run('launch', '--engine', 'rehearsal', '--wait', 'Approve me');
    const sessionId = await newestWaiting('Approve me');
    expect((await run('sessions', 'list')).stdout).toMatch(/awaiting_approval \(needs you\)/);
    expect((await run('sessions', 'approve', sessionId)).exitCode).toBe(0);
    const { exitCode, stdout } = await waiting;
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(/^› Approve me\n/);
    expect(stdout).toContain('I will push now.\n▸ Bash git push origin HEAD\n? Bash waits for you');
    expect(stdout).toMatch(/Pushed\.\n── turn 1 ok · .* · rehearsal, nothing paid · /);
  });

  it('is denied with a message, and the engine does otherwise', async () => {
    const { sessionId } = await launch('Deny me');
    await awaitState(sessionId, 'awaiting_approval');
    const denied = await run('sessions', 'deny', sessionId, '--message', 'Not today');
    expect(denied.stdout).toMatch(/^Denied: git push origin HEAD\n$/);
    await awaitState(sessionId, 'idle');
    const again = await run('sessions', 'deny', sessionId);
    expect(again.exitCode).toBe(4);
    expect(again.stderr).toMatch(/Nothing of this session waits/);
  });

  it('is answered for to one who delegated it: claim, witnessed acts, report, comparison', async () => {
    const ids = [await launch('Delegate me'), await launch('Delegate me')].map(
      ({ sessionId }) => sessionId,
    );
    for (const id of ids) await awaitState(id, 'awaiting_approval');
    const [first = '', second = ''] = ids;
    const asking = await run('sessions', 'status', first);
    expect(asking.exitCode).toBe(5);
    expect(asking.stdout).toMatch(/Waits for a person: It asks: git push origin HEAD/);
    await run('sessions', 'approve', first);
    await run('sessions', 'deny', second);
    const waited = await run('sessions', 'status', first, '--wait', '--json');
    expect(waited.exitCode).toBe(0);
    expect(JSON.parse(waited.stdout)).toMatchObject({
      standing: 'done',
      claim: { text: 'Pushed.' },
      witnessed: { acts: [{ kind: 'push', outcome: 'done' }] },
    });
    expect((await run('sessions', 'status', second, '--wait')).exitCode).toBe(0);
    const file = join(home, 'run.md');
    expect((await run('sessions', 'report', first, '-o', file)).exitCode).toBe(0);
    const markdown = readFileSync(file, 'utf8');
    expect(markdown).toMatch(/^# Delegate me\n\n\*\*Done\.\*\*/);
    expect(markdown).toContain(
      '| `git push origin HEAD` | allow | `usr_local` from cli | allowed |',
    );
    expect((await run('sessions', 'report', first, '-o', file)).exitCode).toBe(4);
    const compared = await run('compare', first, second);
    expect(compared.exitCode).toBe(0);
    expect(compared.stdout).toMatch(/is left out of the conclusion about cost: it is a rehearsal/);
    expect((await run('compare', first)).exitCode).toBe(2);
  });

  it('gets its next instruction, waits for that turn alone, and is stopped', async () => {
    const { sessionId } = await launch('Say more');
    await awaitState(sessionId, 'awaiting_approval');
    await run('sessions', 'approve', sessionId);
    await awaitState(sessionId, 'idle');
    const said = await run('sessions', 'say', sessionId, '--wait', '--json', 'Go on');
    expect(said.exitCode).toBe(0);
    expect(JSON.parse(said.stdout)).toMatchObject({ sessionId, outcome: 'ok' });
    const shown = await json('sessions', 'show', sessionId);
    expect(shown).toMatchObject({ view: { turns: [{ outcome: 'ok' }, { outcome: 'ok' }] } });

    expect((await run('sessions', 'stop', sessionId)).exitCode).toBe(0);
    await awaitState(sessionId, 'stopped');
    const late = await run('sessions', 'say', sessionId, 'Too late');
    expect(late.exitCode).toBe(4);
    expect(late.stderr).toMatch(/The session has ended/);
  });

  it('is interrupted, which ends its turn and the waiting with 1', async () => {
    const waiting = run('launch', '--engine', 'rehearsal', '--wait', '--json', 'Interrupt me');
    const sessionId = await newestWaiting('Interrupt me');
    expect((await run('sessions', 'interrupt', sessionId)).exitCode).toBe(0);
    const { exitCode, stdout } = await waiting;
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ sessionId, outcome: 'interrupted' });
  });

  it('is watched from the beginning, into a pipe, as text and as entries', async () => {
    const { sessionId } = await launch('Watch me');
    await awaitState(sessionId, 'awaiting_approval');
    await run('sessions', 'stop', sessionId);
    await awaitState(sessionId, 'stopped');
    const watched = await run('watch', sessionId.slice(-8));
    expect(watched.exitCode).toBe(0);
    expect(watched.stdout).toMatch(/^› Watch me\n[\s\S]*The session ended: stopped\./);
    const lines = (await run('watch', sessionId, '--json')).stdout.trim().split('\n');
    const positions = lines.map((line) => (JSON.parse(line) as { position: number }).position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  });

  it('is refused with 4 and the machine’s reason when the directory is not there', async () => {
    const missing = join(home, 'missing');
    const { exitCode, stdout, stderr } = await run(
      'launch',
      '--engine',
      'rehearsal',
      '--dir',
      missing,
      '--wait',
      'x',
    );
    expect(exitCode).toBe(4);
    expect(stdout + stderr).toMatch(
      /The (launch failed \(workspace_refused\)|machine refused ses_\w+): .*directory/i,
    );
    const unwaited = await run('launch', '--json', '--engine', 'rehearsal', '--dir', missing, 'x');
    expect(unwaited.exitCode).toBe(4);
    expect(JSON.parse(unwaited.stdout)).toMatchObject({
      error: { code: expect.stringMatching(/^(workspace_refused|directory_missing)$/) },
    });
  });
});

describe('what is there to read', () => {
  it('is usage, in which a rehearsal is never money', async () => {
    const { exitCode, stdout } = await run('usage', '--by', 'engine');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/rehearsal\s+rehearsal, nothing paid/);
    expect(stdout).not.toContain('$');
  });

  it('is the acts, labelled as rehearsed', async () => {
    const { items } = (await json('acts', '--kind', 'push')) as { items: { rehearsal: boolean }[] };
    expect(items.length).toBeGreaterThan(0);
    expect(items.every((act) => act.rehearsal)).toBe(true);
    expect((await run('acts')).stdout).toContain('push (rehearsal)');
  });

  it('is the machine with the engines that are ready', async () => {
    expect((await run('runner', 'status')).stdout).toMatch(/online\s+\S+\s+rehearsal/);
  });

  it('is a new sign-in link, which works', async () => {
    const { url } = (await json('link')) as { url: string };
    const response = await fetch(new URL('/v1/sign-in', installation.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: installation.url },
      body: JSON.stringify({ token: new URL(url).hash.slice(1) }),
    });
    expect(response.status).toBe(200);
  });
});

describe('what is refused', () => {
  it.each([
    [['sessions', 'show', 'ses_nothing']],
    [['watch', 'ses_01aaaaaaaaaaaaaaaaaaaaaa']],
    [['sessions', 'stop', 'ses_01aaaaaaaaaaaaaaaaaaaaaa']],
  ])('ends with 4: %j', async (args) => {
    const { exitCode, stderr } = await run(...args);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/No session has this id/);
  });

  it('is a token that is not one', async () => {
    const env = {
      ...installation.env,
      PILOTHOUSE_URL: installation.url,
      PILOTHOUSE_TOKEN: 'guessed',
    };
    const { exitCode, stderr } = await runPilothouse(['sessions', 'list'], env);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/not signed in/);
  });
});

/** The id of the session of this title, once it waits for an answer. */
async function newestWaiting(title: string): Promise<string> {
  let found = '';
  await until(async () => {
    const { items } = await api().listSessions({});
    found =
      items.find((item) => item.title === title && item.pendingApprovals > 0)?.sessionId ?? '';
    return found !== '';
  }, `${title} waits for an answer`);
  return found;
}
