import { join } from 'node:path';
import { existsSync, mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { AskStore } from '../../../runner/brain/ask-store.ts';
import { BrainAsks } from '../../../runner/brain/asks.ts';
import { findEngine } from '../../../runner/engines/registry.ts';
import type { ScriptInput } from '../../../runner/engines/rehearsal/script.ts';
import { Store } from '../../../runner/link/store.ts';
import type { HeadlessSession } from '../../../runner/sessions/headless-session.ts';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import type { SessionDeps } from '../../../runner/sessions/session-deps.ts';
import { aLaunch, SESSION } from '../../support/protocol-builders.ts';
import { aSpool } from '../../support/runner-builders.ts';
import { isRunning } from '../../../runner/process/process-table.ts';
import { TestMachine } from '../../support/runner-process.ts';
import { until } from '../../support/until.ts';

const FINISH = { next: 'finish', reason: 'All of it passes.' };
const QUESTION = {
  step: 3,
  system: 'You decide.',
  prompt: 'Decide.',
  model: null,
  timeoutMs: 30_000,
};

let machine: TestMachine;
let store: Store;
let told: { step: number; entries: readonly UsageEntry[] }[];
let overBudget: boolean;
let regranted: number;

beforeEach(() => {
  machine = new TestMachine();
  mkdirSync(machine.data, { recursive: true });
  store = new Store(join(machine.root, 'runner.db'));
  told = [];
  overBudget = false;
  regranted = 0;
});
afterEach(async () => {
  store.close();
  await machine.remove();
});

/** The machine as it is, and a session at rest in its directory. */
function asksOf(decisions: ScriptInput['decisions'], over: object = {}): BrainAsks {
  machine.play({ turns: [[]], ...(decisions && { decisions }) });
  const ports = { ...createLaunchPorts(machine.data, machine.env), ...over };
  const checkout = {
    mode: 'inPlace',
    sessionId: SESSION,
    directory: machine.work,
    branch: null,
    baseCommit: null,
  };
  const launch = aLaunch({ directory: machine.work, checkout: 'inPlace', approvals: 'ask' });
  const turns = { held: null, queue: [] };
  const spent = { spent: {}, estimateMicroUsd: 0, model: null };
  const state = { sessionId: SESSION, launch, launchId: 'lau_1', ...spent, ...turns };
  const session = {
    row: { checkout, state },
    get state() {
      return { ...state, model: { overBudget } };
    },
    brain: (input: Parameters<HeadlessSession['brain']>[0]) => {
      if (input.kind === 'questionOver') regranted += 1;
      else told.push({ step: input.step, entries: input.entries });
    },
  } as unknown as HeadlessSession;
  const deps = {
    store,
    ports,
    env: machine.env,
    spoolPaths: () => aSpool(machine.root, 'spool.0'),
    log: () => undefined,
    now: Date.now,
    makeUuid: () => 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    terminateTimings: { inputMs: 0, termMs: 500 },
  } as unknown as SessionDeps;
  return new BrainAsks(deps, { sessions: new Map([[SESSION, session]]) });
}

const underWay = () =>
  until('the process', () => new AskStore(store).listOpen()[0]?.process ?? null, {
    withinMs: 20_000,
    tell: () => '',
  });

describe('a question to an engine beside its conversation', () => {
  it('is answered in the form that was asked for, and what it took is counted', async () => {
    const reply = await asksOf([FINISH]).ask(SESSION, QUESTION);
    expect(reply).toMatchObject({
      kind: 'answered',
      answer: { ...FINISH, instruction: null, waitMinutes: null },
      usage: [{ provenance: 'rehearsal', inputTokens: 900, outputTokens: 40 }],
    });
    expect(told).toEqual([{ step: 3, entries: reply.usage }]);
  });

  it('is asked once: the same step joins it, and is answered from what is remembered', async () => {
    const asks = asksOf([{ ...FINISH, afterMs: 300 }, 'another one']);
    const [first, second] = await Promise.all([
      asks.ask(SESSION, QUESTION),
      asks.ask(SESSION, QUESTION),
    ]);
    expect(second).toEqual(first);
    expect(await asks.ask(SESSION, QUESTION)).toEqual(first);
    expect(await asks.ask(SESSION, { ...QUESTION, step: 4 })).toMatchObject({ kind: 'undecided' });
    expect(told.map(({ step }) => step)).toEqual([3, 4]);
  });

  it('is told as lost when nobody knows whether it was asked, and is not asked again', async () => {
    new AskStore(store).begin({ sessionId: SESSION, step: 3 }, Date.now());
    const asks = asksOf([FINISH]);
    asks.adoptAll();
    const reply = await asks.ask(SESSION, QUESTION);
    expect(reply).toMatchObject({ kind: 'undecided', usage: [{ provenance: 'unsettled' }] });
    expect(told).toHaveLength(1);
  });

  it('ends for the next one, which begins once nothing of it runs, and takes only its own place', async () => {
    const asks = asksOf([{ ...FINISH, afterMs: 60_000 }, FINISH]);
    const first = asks.ask(SESSION, QUESTION);
    const { identity } = await underWay();
    const asked = () =>
      existsSync(join(machine.data, 'runner/rehearsal-conversations/decisions.json'));
    await until('its question', asked, { withinMs: 20_000, tell: () => '' });
    const ids = [4, 5].map((step) => ({ ...QUESTION, step }));
    const [second, third] = ids.map((question) => asks.ask(SESSION, question));
    expect(await first).toMatchObject({ kind: 'undecided', problem: /withdrawn/ });
    expect(isRunning(identity)).toBe(false);
    // Nobody was asked the one in the middle: it was withdrawn while it waited.
    expect(await second).toMatchObject({ problem: /withdrawn/, usage: [] });
    expect(await third).toMatchObject({ kind: 'answered', answer: FINISH });
    expect(told.map(({ step }) => step)).toEqual([3, 5]);
  });

  it('ends at its time and with its session', async () => {
    const slow = [{ ...FINISH, afterMs: 60_000 }];
    const late = await asksOf(slow).ask(SESSION, { ...QUESTION, timeoutMs: 700 });
    expect(late).toMatchObject({
      kind: 'undecided',
      problem: 'The engine did not answer in time.',
    });
    const asks = asksOf(slow);
    const stopped = asks.ask(SESSION, { ...QUESTION, step: 4 });
    await underWay();
    asks.end(SESSION);
    expect(await stopped).toMatchObject({ kind: 'undecided', problem: /withdrawn/ });
  });

  it('is refused where its engine cannot be asked or its machine does not allow it', async () => {
    const { aside: _none, ...unable } = findEngine('rehearsal', 'ask') ?? { aside: null };
    const without = asksOf([FINISH], { findEngine: () => unable });
    await expect(without.ask(SESSION, QUESTION)).rejects.toThrow('Choose another brain');
    machine.limit('directories = ["/nowhere"]');
    await expect(asksOf([FINISH]).ask(SESSION, QUESTION)).rejects.toThrow();
    machine.limit(`directories = ["${machine.root}"]`);
    // Nothing was asked by either, so that it can be.
    expect(await asksOf([FINISH]).ask(SESSION, QUESTION)).toMatchObject({ kind: 'answered' });
  });

  it('waits for a person where what was granted does not cover it, and halts no session', async () => {
    overBudget = true;
    const asks = asksOf(['no decision']);
    const grant = { microUsd: 5, paidMicroUsd: null };
    const reply = await asks.ask(SESSION, { ...QUESTION, grant });
    expect(reply).toMatchObject({ kind: 'unavailable', waitMs: null });
    expect(reply).toMatchObject({ reason: expect.stringContaining('account’s budgets granted') });
    expect(regranted).toBe(1);
  });

  it('waits for a person where the budget does not cover it', async () => {
    overBudget = true;
    expect(await asksOf(['no decision']).ask(SESSION, QUESTION)).toMatchObject({
      kind: 'unavailable',
      waitMs: null,
    });
  });
});
