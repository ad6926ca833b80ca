import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DriveWatch, DriveWitness } from '../../../../protocol/drive-witness.ts';
import { actId, commandId, instanceId } from '../../../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../../../protocol/merge-policy.ts';
import type { TerminalCall } from '../../../../protocol/terminal.ts';
import { WriteStore } from '../../../../runner/drives/witness/open-write.ts';
import { WriteWitness } from '../../../../runner/drives/witness/write-witness.ts';
import { Store } from '../../../../runner/link/store.ts';
import { serveTerminal, type TerminalCommand } from '../../../../runner/operate/serve.ts';
import { findPane, type TerminalDoor } from '../../../../runner/terminal-door.ts';
import { executeTerminalCall } from '../../../../runner/terminal/execute.ts';
import { BASH, TerminalHouse } from '../../../support/terminal-house.ts';
import { until } from '../../../support/until.ts';
import { aDirectory, commit, gitIn, write } from '../../guard/repositories.ts';

const INSTANCE = instanceId.parse('ins_1');
const SCOPE = { backends: ['tmux' as const], prefixes: [], only: null };

let house: TerminalHouse;
let repository: string;
let remote: string;
let db: Store;
let store: WriteStore;
let witness: WriteWitness;
let sent: DriveWitness[];
let logged: string[];
let typedAt: number | null;
let made = 0;

beforeAll(() => void (house = new TerminalHouse()));
afterAll(() => house.close());
beforeEach(() => {
  remote = join(aDirectory(), 'remote.git');
  repository = join(aDirectory(), 'work');
  const seed = aDirectory();
  gitIn(seed, 'init', '--quiet', '--initial-branch=main');
  asSomebody(seed);
  commit(seed, 'readme.md', 'hello\n');
  gitIn(seed, 'clone', '--quiet', '--bare', seed, remote);
  gitIn(seed, 'clone', '--quiet', remote, repository);
  asSomebody(repository);
  gitIn(repository, 'switch', '--quiet', '--create', 'feature');
  write(
    repository,
    'build.sh',
    '#!/bin/sh\ngit commit --quiet --allow-empty -m more && git push --quiet origin HEAD:main\n',
  );
  chmodSync(join(repository, 'build.sh'), 0o755);
  commit(repository, 'work.md', 'mine\n');
  [sent, logged, typedAt] = [[], [], null];
  db = new Store(':memory:');
  store = new WriteStore(db, (_level, message) => void logged.push(message));
  witness = newWitness();
});
afterEach(() => {
  witness.stop();
  db.close();
  // Nothing that fails in a look may be passed over in silence.
  if (logged.length > 0) throw new Error(logged.join('\n'));
});

const door: TerminalDoor = (call, scope) =>
  executeTerminalCall(call, house.limits, house.terminals, scope);

function newWitness(): WriteWitness {
  return new WriteWitness({
    store,
    neutral: join(house.directory, 'empty'),
    env: house.env,
    log: (_level, message) => void logged.push(message),
    now: Date.now,
    send: (report) => void sent.push(report),
    fixedBranches: () => [],
    findPane: (target, scope) => findPane(target, scope, door),
    typedAt: () => Promise.resolve(typedAt),
  });
}

function asSomebody(directory: string): void {
  gitIn(directory, 'config', 'user.name', 'Ada');
  gitIn(directory, 'config', 'user.email', 'ada@example.com');
}

/** A shell that stands in the repository. */
async function shell(): Promise<string> {
  const { pane } = await house.shell(`w-${(made += 1)}`, BASH);
  await house.do('terminal_run_command', {
    target: pane,
    command: `cd ${repository}`,
    where: 'shell',
  });
  return pane;
}

const watchOf = (over: Partial<DriveWatch> = {}): DriveWatch => {
  const { tools: _, ...policy } = DEFAULT_POLICY;
  return { policy, sources: [], acts: [], approved: false, ...over };
};
const pushOf = (command: string, target: string, uncertain = false): DriveWatch['acts'] => [
  { actId: actId.parse('act_push'), kind: 'push', command, target, uncertain },
];

/** Has an operator make a call, as the gate would send it. */
async function make(call: TerminalCall, watch = watchOf(), of = INSTANCE) {
  const drive = { instanceId: of, callId: `call${(made += 1)}` };
  const id = commandId.parse(`cmd_${drive.callId}`);
  const params = { call, scope: SCOPE, drive, watch };
  const method = 'terminal/call' as const;
  const command: TerminalCommand = { id, epoch: 0, sessionId: null, deadlineAt: 0, method, params };
  return serveTerminal(command, {
    door,
    secrets: () => [],
    handed: () => undefined,
    meter: { begin: async () => undefined, written: () => undefined, cancel: () => undefined },
    writes: witness,
  });
}
const run = (target: string, command: string, watch?: DriveWatch, of = INSTANCE) =>
  make(
    {
      tool: 'terminal_run_command',
      params: { target, command, where: 'shell', timeoutMs: 20_000 },
    },
    watch,
    of,
  );
const type = (target: string, text: string, watch?: DriveWatch) =>
  make({ tool: 'terminal_send_text', params: { target, text, enter: true } }, watch);
const told = () => until('a report', () => sent[0]);
const over = () => until('the end of every look', () => store.listOpen().length === 0);
const refOf = (directory: string, ref: string) => gitIn(directory, 'rev-parse', ref);

describe('what an operator moved past the policy', () => {
  it('by a script that no word betrays is a breach, which the commands with it undo', async () => {
    const before = refOf(remote, 'main');
    expect(await run(await shell(), './build.sh')).toMatchObject({ ok: true });
    const { breaches, acts, others, end, drive } = await told();
    expect({ end, others, instance: drive.instanceId }).toEqual({
      end: 'ended',
      others: [],
      instance: INSTANCE,
    });
    expect(acts).toMatchObject([{ finding: 'unclaimed', found: { kind: 'merge' } }]);
    expect(breaches).toMatchObject([
      {
        actId: acts[0]?.actId,
        kind: 'merge',
        seenBy: 'git',
        move: { place: 'origin', ref: 'refs/heads/main', before },
        rule: 'The merge policy forbids it: main is protected. While what it wrote had its effect, a reflog of the repository says that it was done there.',
      },
    ]);
    const { directory, commands } = breaches[0]?.undo ?? { directory: null, commands: [] };
    for (const line of commands) house.tmux('own', 'run-shell', `cd ${directory} && ${line}`);
    await until('main where it was', () => refOf(remote, 'main') === before);
  });

  it('holds it until the cloud knows, from the next write on', async () => {
    const pane = await shell();
    await run(pane, './build.sh');
    expect(await run(pane, 'true')).toMatchObject({ ok: false, code: 'instance_halted' });
    const { id } = await told();
    expect(await run(pane, 'true', watchOf(), instanceId.parse('ins_2'))).toMatchObject({
      ok: true,
    });
    witness.confirmed(id);
    expect(await run(pane, 'true')).toMatchObject({ ok: true });
  });

  it('by what it typed is seen once the shell is at its prompt again, also across a restart', async () => {
    const pane = await shell();
    await type(pane, 'sleep 1; ./build.sh', watchOf({ acts: pushOf('git push', 'origin', true) }));
    witness.stop();
    witness = newWitness();
    witness.start();
    const { end, acts, breaches } = await told();
    expect(end).toBe('idle');
    expect(acts).toMatchObject([{ actId: 'act_push', finding: 'confirmed', found: null }]);
    expect(breaches).toMatchObject([{ actId: 'act_push', command: 'git push' }]);
  });
});

describe('what moved while an operator was at work', () => {
  it('and the gate read and let through, or a person was asked about, is no breach', async () => {
    const pane = await shell();
    const acts = pushOf('git push origin feature', 'origin feature');
    await run(pane, 'git push --quiet origin feature', watchOf({ acts }));
    expect(await told()).toMatchObject({
      acts: [{ actId: 'act_push', finding: 'confirmed', move: { ref: 'refs/heads/feature' } }],
      breaches: [],
    });
    for (const { id } of sent.splice(0)) witness.confirmed(id);
    const unnamed = pushOf('git push', 'origin', true);
    await run(pane, './build.sh', watchOf({ acts: unnamed, approved: true }));
    expect(await told()).toMatchObject({
      acts: [{ finding: 'confirmed', move: { ref: 'refs/heads/main' } }],
      breaches: [],
    });
  });

  it('is nobody’s where a person typed in the same terminal', async () => {
    const pane = await shell();
    typedAt = Date.now() + 60_000;
    await run(pane, './build.sh');
    const { breaches, acts, others } = await told();
    expect({ breaches, acts }).toEqual({ breaches: [], acts: [] });
    expect(others.map(({ ref, reason }) => [ref, reason])).toContainEqual([
      'refs/heads/main',
      'A person typed in the same terminal meanwhile.',
    ]);
    expect(witness.isHeld(INSTANCE)).toBe(false);
  });

  it('is nobody’s where a colleague pushed, whatever it was told to do', async () => {
    const clone = join(aDirectory(), 'colleague');
    gitIn(repository, 'clone', '--quiet', remote, clone);
    asSomebody(clone);
    commit(clone, 'theirs.md', 'theirs\n');
    const acts = pushOf('git push', 'origin', true);
    const push = `git -C ${clone} push --quiet origin HEAD:main`;
    await run(await shell(), push, watchOf({ acts }));
    const { breaches, others } = await told();
    expect(breaches).toEqual([]);
    expect(others).toMatchObject([
      { ref: 'refs/heads/main', reason: 'Nothing shows that it was moved from this repository.' },
    ]);
  });

  it('is not looked at outside of a repository, nor for letters that no shell is given', async () => {
    const { pane } = await house.shell(`w-${(made += 1)}`, BASH);
    await run(pane, 'true');
    expect(store.listOpen()).toEqual([]);
    const inside = await shell();
    const text = { target: inside, text: 'ls', enter: false };
    await make({ tool: 'terminal_send_text', params: text });
    expect(store.listOpen()).toEqual([]);
    await over();
    expect(sent).toEqual([]);
  });
});

describe('what an operator does in two terminals of a repository at once', () => {
  const approved = watchOf({ acts: pushOf('git push', 'origin', true), approved: true });

  it('is no breach where a person was asked about it in one, whichever is looked at first', async () => {
    const [one, other] = [await shell(), await shell()];
    await type(one, 'sleep 2.5');
    await run(other, './build.sh', approved);
    expect(await told()).toMatchObject({ acts: [{ actId: 'act_push' }], breaches: [] });
    await over();
    expect(sent.flatMap(({ breaches }) => breaches)).toEqual([]);
    expect(witness.isHeld(INSTANCE)).toBe(false);
  });
});
