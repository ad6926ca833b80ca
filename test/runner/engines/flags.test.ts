import { homedir, tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { capPolicy } from '../../../protocol/engine-authority.ts';
import type { Grade } from '../../../protocol/grade.ts';
import { GRADES } from '../../../protocol/grade.ts';
import { DEFAULT_POLICY, type MergePolicy } from '../../../protocol/merge-policy.ts';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { codexAppServer } from '../../../runner/engines/codex/app-server/preset.ts';
import type { Engine, EngineLaunch, SpawnPlan } from '../../../runner/engines/engine.ts';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { PRODUCT_ROOT } from '../../../runner/host/layout.ts';
import { sayPolicy, withPolicy } from '../../../runner/engines/told-policy.ts';
import { anEngineLaunch, FIRST } from './harness.ts';

const DENIAL = { effect: 'deny', on: 'command', pattern: 'terraform *' } as const;

/** The policies that a table is made of, by what is said of them beside the default. */
const POLICIES: Readonly<Record<string, MergePolicy>> = {
  pr: DEFAULT_POLICY,
  none: { ...DEFAULT_POLICY, mode: 'none' },
  ask: { ...DEFAULT_POLICY, mode: 'ask' },
  merge: { ...DEFAULT_POLICY, mode: 'merge' },
  'no tool rules': { ...DEFAULT_POLICY, tools: [] },
  'a denied command': { ...DEFAULT_POLICY, tools: [DENIAL] },
};

type Case = { approvals: ApprovalsMode; grade: Grade; policy: string };

const CASES = (engine: Engine): Case[] =>
  engine.modes.flatMap((approvals) =>
    GRADES.flatMap((grade) =>
      Object.keys(POLICIES).map((policy) => ({ approvals, grade, policy })),
    ),
  );

const launchOf = ({ approvals, grade, policy }: Case): EngineLaunch =>
  anEngineLaunch(
    { gated: grade !== 'open', sealed: grade === 'sealed', executable: '/bin/engine' },
    {
      approvals,
      grade,
      policy: { policy: POLICIES[policy] ?? DEFAULT_POLICY, sources: [] },
    },
  );

/** The arguments of a plan, with a word for what is told of the policy, which is long. */
function argumentsOf(plan: SpawnPlan, told: string): string {
  const asToml = JSON.stringify(told).slice(1, -1);
  return (
    plan.argv
      .slice(1)
      .map((word) => word.replace(asToml, '{told}').replace(told, '{told}'))
      // Where things lie is each machine's own; a part of the product may lie in any of the others.
      .map((word) =>
        word
          .replace(PRODUCT_ROOT, '{product}')
          .replace(tmpdir(), '{tmp}')
          .replace(homedir(), '{home}')
          .replace('/bin/engine', '{engine}'),
      )
      .join(' ')
  );
}

/** What decides in a plan: its arguments, and what its environment has beside the machine's. */
function describePlan(engine: Engine, one: Case, plan: SpawnPlan): string {
  const own = Object.entries(plan.env).map(([name, value]) => ` ${name}=${value}`);
  const environment = own.join('').replaceAll(PRODUCT_ROOT, '{product}');
  return `${argumentsOf(plan, sayPolicy(launchOf(one), engine))}${environment}`;
}

const planOf = (engine: Engine, one: Case) => engine.plan(launchOf(one), {}, turnOf(engine, one));
const turnOf = (engine: Engine, one: Case) =>
  withPolicy({ turnId: FIRST, text: 'Mend it' }, launchOf(one), engine);

const keyOf = ({ id, form }: Engine) => (form ? `${id}-${form}` : id);

/** Cases that come to the same, on one line: `mode | grades | policies`, and below it the flags. */
function tableOf(engine: Engine, describeCase: (one: Case) => string): string {
  const rows = new Map<string, Case[]>();
  for (const one of CASES(engine)) {
    const key = `${one.approvals}\n${describeCase(one)}`;
    rows.set(key, [...(rows.get(key) ?? []), one]);
  }
  return [...rows]
    .map(([key, cases]) => {
      const [mode = '', ...flags] = key.split('\n');
      const each = (part: 'grade' | 'policy') => [...new Set(cases.map((one) => one[part]))];
      return `${mode} | ${each('grade').join(', ')} | ${each('policy').join(', ')}\n  ${flags.join('\n  ')}\n`;
    })
    .join('\n');
}

describe.each(ENGINES.map((engine) => [keyOf(engine), engine] as const))('%s', (key, engine) => {
  it('is started with these flags, by approvals mode, grade and policy', async () => {
    const table = tableOf(engine, (one) => describePlan(engine, one, planOf(engine, one)));
    await expect(table).toMatchFileSnapshot(`../../fixtures/engines/flags/${key}.txt`);
  });

  it('has other flags in each of its modes, unless it asks by its protocol', () => {
    const [grade, policy] = ['fenced', 'pr'] as const;
    const flags = engine.modes.map((approvals) =>
      describePlan(
        engine,
        { approvals, grade, policy },
        planOf(engine, { approvals, grade, policy }),
      ),
    );
    const expected = engine === codexAppServer ? 1 : engine.modes.length;
    expect(new Set(flags).size).toBe(expected);
  });

  it('is given no flag by a grade but claude’s for a seal: no connector of its own', () => {
    const flag = / --strict-mcp-config/;
    for (const one of CASES(engine)) {
      const plans = GRADES.map((grade) =>
        describePlan(engine, { ...one, grade }, planOf(engine, { ...one, grade })),
      );
      const strict = GRADES.filter((_, index) => flag.test(plans[index] ?? ''));
      expect(strict).toEqual(engine.id === 'claude' ? ['sealed'] : []);
      const [first, ...others] = plans.map((plan) => plan.replace(flag, ''));
      for (const other of others) expect(other).toBe(first);
    }
  });

  it('is told of each policy what it comes to for this engine, or nothing at all', () => {
    for (const one of CASES(engine)) {
      const policy = capPolicy(POLICIES[one.policy] ?? DEFAULT_POLICY, engine.capabilities);
      const same = anEngineLaunch(
        { gated: one.grade !== 'open' },
        { policy: { policy, sources: [] } },
      );
      const given = sayPolicy(launchOf(one), engine);
      expect(given).toBe(sayPolicy(same, engine));
      const told = engine.tellsPolicy;
      expect(turnOf(engine, one).text.includes(given)).toBe(told === 'before');
    }
  });

  it('opens its terminal in the same mode, where it has one', () => {
    if (!engine.interactivePlan) return;
    const flags = engine.modes.map((approvals) => {
      const one = { approvals, grade: 'fenced', policy: 'pr' } as const;
      const plan = engine.interactivePlan?.(launchOf(one), {});
      return plan ? describePlan(engine, one, plan) : '';
    });
    expect(new Set(flags).size).toBe(engine.modes.length);
  });
});

describe('the app-server of codex', () => {
  /** What a first turn writes, in every mode the same but for what is told. */
  const written = (one: Case): string[] => {
    const opened = codexAppServer.open(launchOf(one));
    const answers = [
      { id: 'initialize', result: {} },
      { id: 'thread', result: { thread: { id: 'th' }, model: 'gpt-5.5' } },
    ];
    let { state } = opened;
    const items = [...opened.items];
    for (const answer of answers) {
      const line = JSON.stringify({ jsonrpc: '2.0', ...answer });
      const step = codexAppServer.parse(state, line, 1);
      state = step.state;
      items.push(...step.items);
    }
    const turn = codexAppServer.encodeInstruction(state, turnOf(codexAppServer, one), 1);
    return [...items, ...turn.items].flatMap((item) => (item.kind === 'write' ? [item.line] : []));
  };

  it('asks in every mode for what changes anything, and tells the policy beside', async () => {
    const table = tableOf(codexAppServer, (one) => {
      const told = JSON.stringify(sayPolicy(launchOf(one), codexAppServer)).slice(1, -1);
      const lines = written(one).map((line) => line.replace(told, '{told}'));
      return lines.join('\n');
    });
    await expect(table).toMatchFileSnapshot('../../fixtures/engines/flags/codex-protocol.txt');
    for (const one of CASES(codexAppServer)) {
      const lines = written(one).join('\n');
      expect(lines).toContain('"approvalPolicy":"untrusted"');
      expect(lines).toContain('"approvalsReviewer":"user"');
    }
  });
});
