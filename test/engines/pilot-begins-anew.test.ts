import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pilotDecisionPage } from '../../protocol/pilot-view.ts';
import { runReport, runStatus } from '../../protocol/run-report.ts';
import { probeSeal } from '../../runner/seal/probe.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import type { Block, Reply, Script } from '../support/model-api/script.ts';

const PARTS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'] as const;

/** Calls of a turn that reads much again, and of one that does not. */
const MANY = 24;
const FEW = 2;
const TEXT_CHARS = 48_000;

/** What the provider says of the cache is the conversation that the real engine really sends. */
const replyOf = (...content: Block[]): Reply => ({ kind: 'message', content, readsAgain: true });
const text = (said: string): Block => ({ type: 'text', text: said });
const bash = (command: string): Block => ({
  type: 'tool_use',
  name: 'Bash',
  input: { command, description: 'run it' },
});

const turnOf = (part: string, calls: number): Reply[] => [
  replyOf(text(`${part} `.repeat(TEXT_CHARS / (part.length + 1))), bash(`echo > ${part}`)),
  ...Array.from({ length: calls - 2 }, () => replyOf(bash('true'))),
  replyOf(text(`The ${part} part is there.`)),
];

/** How an instruction ends whose last failing check is of a part. */
const lastOf = (part: string): string =>
  `test -f ${part}\` (exit code 1)\n\`\`\`text\n(no output)\n\`\`\`\n\nWhat stands`;

/**
 * The last part that is missing is written in each turn, the first two of them at length. Newest
 * first: the brief of a conversation that was begun anew quotes what was asked before.
 */
const SCRIPT: Script = {
  ...Object.fromEntries(
    PARTS.map((part, index) => [lastOf(part), turnOf(part, index < 3 ? FEW : MANY)]),
  ),
  'Write five parts': [replyOf(text('I begin.'))],
};

let world: ClaudeWorld;
afterEach(() => world.stop());

// Outside of a seal it refuses to go unasked as root.
describe.skipIf(!probeSeal(process.env).available)('the real claude under a Pilot', () => {
  it('has its long conversation begun anew once, goes on from the record, and finishes', async () => {
    world = await ClaudeWorld.start(SCRIPT, CANARY_KEY);
    world.writeLimits('bypass = true');
    const checklist = join(world.home, 'done.yaml');
    const steps = PARTS.map(
      (part) => `  - title: The ${part} part is written\n    check: test -f ${part}\n`,
    );
    writeFileSync(checklist, `steps:\n${steps.join('')}`);
    await world.cli('checks', 'approve', checklist, '--yes');
    const pilot = ['--mode', 'pilot', '--checklist', checklist, '--begin-anew', '--budget', '50'];
    const limits = ['--grade', 'sealed', '--approvals', 'bypass'];
    const id = await world.launch('Write five parts', ...pilot, ...limits);

    const waited = await world.cli('sessions', 'status', id, '--wait', '--json');
    const status = runStatus.parse(JSON.parse(waited.stdout));
    expect(waited.exitCode, status.reason).toBe(0);
    expect(status).toMatchObject({ standing: 'done', turns: PARTS.length + 1, breaches: [] });

    const { view } = await world.detail(id);
    // Once: before the fourth turn, which reads the record in its place.
    const at = 3;
    expect(view.turns.map(({ briefed }) => briefed !== null)).toEqual(
      view.turns.map((_turn, index) => index === at),
    );
    const rereadIn = (index: number) => view.turns[index]?.spend.reported?.cacheReadTokens ?? 0;
    expect(rereadIn(at)).toBeGreaterThan(0);
    expect(rereadIn(at)).toBeLessThan(rereadIn(at - 1) / 10);

    const { items } = await world.get(pilotDecisionPage, `/v1/sessions/${id}/pilot/decisions`);
    const begun = items.filter(({ anew }) => anew);
    expect(begun.map(({ instruction }) => instruction)).toEqual([view.turns[at]?.text]);
    expect(begun[0]?.outcome).toMatch(/^Each of the last 3 turns read .* It is begun anew\.$/);

    // The objective is in every request, and what was said at length before in none after it.
    const requests = world.api.seen.map(({ request }) => JSON.stringify(request));
    const after = requests.filter((request) =>
      request.includes(JSON.stringify(lastOf('gamma')).slice(1, -1)),
    );
    expect(after.length).toBeGreaterThan(FEW);
    for (const request of after) {
      expect(request).toContain('Write five parts');
      expect(request.split('delta ').length).toBeLessThan(TEXT_CHARS / 'delta '.length / 4);
    }

    const { stdout } = await world.cli('sessions', 'report', id, '--json');
    const report = runReport.parse(JSON.parse(stdout));
    expect(report.spend.reported?.microUsd).toBe(billOf(world.api.served));
  });
});
