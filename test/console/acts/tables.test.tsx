import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { AccessTable } from '../../../console/acts/access-table.tsx';
import { ActsTable } from '../../../console/acts/acts-table.tsx';
import { ApprovalsTable } from '../../../console/acts/approvals-table.tsx';
import { BreachesList } from '../../../console/acts/breaches-list.tsx';
import type { AccessRow, ApprovalRow } from '../../../protocol/audit.ts';
import type { ActRow, BreachRow } from '../../../protocol/http.ts';
import { LOCAL_ACTOR, PILOT_ACTOR, requestId, runnerId } from '../../../protocol/ids.ts';
import type { ActWitness } from '../../../protocol/witness.ts';
import { aBreach } from '../../support/breach-builders.ts';
import { SESSION } from '../../support/protocol-builders.ts';
import { anAct } from '../../support/transcript-events.ts';
import { drawRouted } from '../support/routed.tsx';

const rowOf = async (table: ReactNode) => {
  await drawRouted(table);
  return screen.getAllByRole('row')[1] as HTMLElement;
};
const cellsOf = async (table: ReactNode) => within(await rowOf(table)).getAllByRole('cell');
const session = { sessionId: SESSION, sessionTitle: 'Fix the test' };

describe('a line of the acts', () => {
  const act = (over: Partial<ActRow> = {}): ActRow => ({
    ...anAct(),
    ...session,
    engineId: 'claude',
    machine: { runnerId: runnerId.parse('run_1'), name: 'laptop' },
    actorId: PILOT_ACTOR,
    behalfOf: LOCAL_ACTOR,
    rehearsal: false,
    witnesses: [],
    decidedBy: null,
    reason: null,
    waiting: false,
    outcome: 'done',
    at: 1,
    ...over,
  });
  const moved: ActWitness = {
    by: 'git',
    finding: 'confirmed',
    move: { place: 'origin', ref: 'refs/heads/main', before: null, after: 'a'.repeat(40) },
    evidence: 'Only this session could.',
  };

  it('says on which machine it was done, and who gave the instruction for whom', async () => {
    const cells = (await cellsOf(<ActsTable acts={[act()]} />)).map((cell) => cell.textContent);
    expect(cells.slice(5, 7)).toEqual(['laptop', 'the Pilot for you']);
  });

  it('leads to its session, and says who saw it with their evidence on hover', async () => {
    const cells = await cellsOf(<ActsTable acts={[act({ witnesses: [moved] })]} />);
    expect(within(cells[4] as HTMLElement).getByRole('link')).toHaveAttribute(
      'href',
      `/sessions/${SESSION}`,
    );
    expect(cells[8]).toHaveTextContent(/^stream and refs$/);
    expect(cells[8]?.title).toBe('main on origin: new at aaaaaaaaa. Only this session could.');
  });

  it('says who decided against it, and why on hover', async () => {
    const refused = act({ outcome: 'not_done', decidedBy: 'policy', reason: 'main is protected.' });
    const [, , outcome] = await cellsOf(<ActsTable acts={[refused]} />);
    expect(outcome).toHaveTextContent('not done by the policy');
    expect(outcome).toHaveAttribute('title', 'main is protected.');
  });

  it('marks a rehearsal, what is forbidden and what could not all be seen', async () => {
    const odd = act({ rehearsal: true, breach: true, uncertain: true, target: null });
    const cells = await cellsOf(<ActsTable acts={[odd]} />);
    expect(cells[1]).toHaveTextContent(/rehearsal.*forbidden/i);
    expect(cells[3]).toHaveTextContent(/^—$/);
    expect(cells[8]).toHaveTextContent('stream, uncertain');
    expect(cells[8]).toHaveAttribute('title', 'Not all of the command could be seen.');
  });

  it('says what does not fit between its witnesses', async () => {
    const unclaimed = act({ witnesses: [{ ...moved, finding: 'unclaimed' }] });
    const cells = await cellsOf(<ActsTable acts={[unclaimed]} />);
    expect(cells[8]).toHaveTextContent('stream and refs, not in the stream');
  });

  it.each([
    [undefined, '—'],
    [[], 'defaults'],
    [[{ scope: { kind: 'account' as const }, version: 2 }], 'account v2'],
  ])('names the policy %j as %s', async (policy, words) => {
    const cells = await cellsOf(<ActsTable acts={[act(policy && { policy })]} />);
    expect(cells[9]?.textContent).toBe(words);
  });
});

describe('a line of the approvals', () => {
  const asked = (over: Partial<ApprovalRow> = {}): ApprovalRow => ({
    ...session,
    requestId: requestId.parse('apr_1'),
    kind: 'tool',
    toolName: 'Bash',
    acts: [],
    requestedAt: 1_000,
    expiresAt: null,
    answer: null,
    resolution: null,
    ...over,
  });
  const answered = { actorId: LOCAL_ACTOR, channel: 'console', at: 4_200 };

  it.each([
    ['allow', 'allowed'],
    ['deny', 'denied'],
  ] as const)('answered with %s says who, from where and how soon', async (decision, word) => {
    const row = asked({
      answer: { decision, ...answered },
      resolution: { outcome: 'allowed', at: 5_000 },
    });
    const cells = await cellsOf(<ApprovalsTable approvals={[row]} />);
    expect(cells.slice(3).map((cell) => cell.textContent)).toEqual([
      word,
      'you',
      'console',
      '3.2 s',
      'allowed',
    ]);
  });

  it.each([
    ['waits for you', null, '—'],
    ['nobody answered', { outcome: 'expired', at: 9 }, 'expired'],
  ] as const)('without an answer: %s', async (word, resolution, became) => {
    const cells = await cellsOf(<ApprovalsTable approvals={[asked({ resolution })]} />);
    expect(cells[3]?.textContent).toBe(word);
    expect(cells.slice(4).map((cell) => cell.textContent)).toEqual(['—', '—', '—', became]);
  });

  it('names the acts that it would commit before the tool, and what is no tool', async () => {
    const acts = asked({ acts: ['push', 'pull_request'] });
    const cells = await cellsOf(
      <ApprovalsTable approvals={[acts, asked({ requestId: requestId.parse('apr_2') })]} />,
    );
    expect(cells[1]?.textContent).toBe('push, pull request');
    expect(within(screen.getAllByRole('row')[2] as HTMLElement).getByText('Bash')).toBeVisible();
  });

  it('says what kind of question it was where it was no tool', async () => {
    const cells = await cellsOf(
      <ApprovalsTable approvals={[asked({ kind: 'question', toolName: 'AskUserQuestion' })]} />,
    );
    expect(cells[1]?.textContent).toBe('AskUserQuestion (question)');
  });
});

describe('a line of the access log', () => {
  const row: AccessRow = {
    requestId: 'req_1',
    principalKind: 'person',
    principalName: 'ada',
    operation: 'sessions.launch',
    target: '/v1/sessions',
    status: 201,
    errorCode: null,
    at: 1,
  };

  it.each([
    [201, null, '201', false],
    [404, 'session_not_found', 'session_not_found', true],
    [500, null, '500', true],
  ])('that ended with %j and %j reads %s', async (status, errorCode, words, alarms) => {
    const line = await rowOf(<AccessTable rows={[{ ...row, status, errorCode }]} />);
    const end = within(line).getByText(words);
    expect(end.className.includes('text-red')).toBe(alarms);
    expect(line).toHaveAttribute('title', 'Request req_1');
    expect(line).toHaveTextContent('ada (person)');
  });
});

describe('a breach', () => {
  const breach = (over: Partial<BreachRow> = {}): BreachRow => ({
    ...aBreach(),
    ...session,
    at: 1,
    override: null,
    engineId: 'claude',
    policy: [],
    drive: null,
    ...over,
  });

  it('says where to run what undoes it, and what that does not say', async () => {
    await drawRouted(<BreachesList breaches={[breach()]} />);
    const steps = screen.getByText(/^cd -- .srv.work && git fetch/).textContent?.split('\n') ?? [];
    expect(steps.slice(0, 2)).toEqual(['cd -- /srv/work &&', 'git fetch origin &&']);
    expect(screen.getByText('Where the forge refuses a forced push, revert.')).toBeInTheDocument();
    expect(screen.getByText(/Policy: defaults\./)).toBeInTheDocument();
  });

  it('that can be undone anywhere names no place, and no note where there is none', async () => {
    const undo = { directory: null, commands: ['gh pr close 7'], note: '' };
    await drawRouted(<BreachesList breaches={[breach({ undo, sessionTitle: '' })]} />);
    const steps = screen.getByText('gh pr close 7');
    expect(steps.tagName).toBe('PRE');
    expect(steps.nextElementSibling).toBeNull();
    expect(screen.getByRole('link', { name: 'its session' })).toBeInTheDocument();
  });
});
