import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACT_KINDS, witness as witnesses, type ActSeen } from '../../../protocol/act.ts';
import { ACT_ENDS, type ActRow, type ActsFilter } from '../../../protocol/http.ts';
import { actId, LOCAL_ACCOUNT, runnerId } from '../../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { joinWitnesses } from '../../../protocol/witness.ts';
import { listActs } from '../../../workers/ledger/read-acts.ts';
import { aBreach } from '../../support/breach-builders.ts';
import { ask, codeOf, makeCliToken, startEmpty } from '../support/http.ts';
import { database, project, type Recorded, sessionNamed } from '../support/ledger.ts';

const OUTCOMES = ['done', 'not_done', 'unknown'] as const;
type Told = {
  kind: ActSeen['kind'];
  witness: ActSeen['witness'];
  own: (typeof OUTCOMES)[number] | null;
  refs: ((typeof OUTCOMES)[number] | null)[];
  git: 'confirmed' | 'unmoved' | null;
  breach: 'act' | 'ref' | null;
};

const told: fc.Arbitrary<Told> = fc.record({
  kind: fc.constantFrom(...ACT_KINDS.slice(0, 3)),
  witness: fc.constantFrom(...witnesses.options),
  own: fc.option(fc.constantFrom(...OUTCOMES)),
  refs: fc.array(fc.option(fc.constantFrom(...OUTCOMES)), { maxLength: 2 }),
  git: fc.option(fc.constantFrom('confirmed', 'unmoved')),
  breach: fc.option(fc.constantFrom('act', 'ref')),
});
/** Many mixed acts, the same in every run. */
const ACTS = fc.sample(told, { numRuns: 80, seed: 20_261_130 });

/** What a record holds of one act: itself, the refs of it that the gate judged, and their ends. */
function eventsOf(each: Told, index: number): Recorded[] {
  const at = 1_000 + index;
  const seen = (id: string, over: Partial<ActSeen> = {}): Recorded => ({
    at,
    event: {
      type: 'act/seen',
      act: {
        actId: actId.parse(id),
        turnId: null,
        toolId: null,
        kind: each.kind,
        command: 'git push',
        target: null,
        witness: each.witness,
        uncertain: false,
        ...over,
      },
    },
  });
  const ended = (id: string, outcome: Told['own']): Recorded[] =>
    outcome === null ? [] : [{ at, event: { type: 'act/ended', actId: actId.parse(id), outcome } }];
  const id = `act_${index}`;
  const broken = each.breach === 'ref' && each.refs.length > 0 ? `${id}r0` : id;
  return [
    seen(id),
    ...ended(id, each.own),
    ...each.refs.flatMap((outcome, ref) => [
      seen(`${id}r${ref}`, { witness: 'gate', claimId: actId.parse(id) }),
      ...ended(`${id}r${ref}`, outcome),
    ]),
    ...(each.git === null
      ? []
      : [
          {
            at,
            event: {
              type: 'act/witnessed' as const,
              actId: actId.parse(id),
              by: 'git' as const,
              finding: each.git,
              move: null,
              evidence: 'seen',
            },
          },
        ]),
    ...(each.breach === null
      ? []
      : [
          {
            at,
            event: {
              type: 'breach/found' as const,
              breach: aBreach({ actId: actId.parse(broken) }),
            },
          },
        ]),
  ];
}

let cli: string;
beforeAll(async () => {
  await startEmpty();
  cli = await makeCliToken();
  for (const half of ['a', 'b'])
    await project(
      half,
      ACTS.flatMap((each, index) =>
        (half === 'a') === index % 2 < 1 ? eventsOf(each, index) : [],
      ),
    );
});

const list = async (filter: ActsFilter = {}): Promise<ActRow[]> =>
  (await listActs(database(), LOCAL_ACCOUNT, { ...filter, limit: 500 })).items;
const idsOf = (rows: readonly ActRow[]) => rows.map((row) => row.actId);

/** What a filter finds, beside what the unfiltered list itself says of each act. */
async function compare(filter: ActsFilter, matches: (row: ActRow) => boolean) {
  const all = await list();
  const expected = all.filter(matches);
  // A filter that finds all or nothing would prove nothing.
  if (all.length !== ACTS.length || expected.length === 0 || expected.length === all.length)
    throw new Error(`${expected.length} of ${all.length} acts cannot tell the filter from none`);
  return { found: idsOf(await list(filter)), expected: idsOf(expected) };
}

describe('the filter of acts', () => {
  it.each(ACT_ENDS)('by the outcome %s finds what the list shows with it', async (outcome) => {
    const same0 = await compare({ outcome }, (row) => (row.outcome ?? 'open') === outcome);
    expect(same0.found).toEqual(same0.expected);
  });

  it.each(witnesses.options)('by the witness %s finds what it saw, first or later', async (by) => {
    const same1 = await compare({ witness: by }, (row) =>
      joinWitnesses(row.witness, row.witnesses).seenBy.includes(by),
    );
    expect(same1.found).toEqual(same1.expected);
  });

  it.each([true, false])('by breach %s finds those of the act and of its refs', async (breach) => {
    const same2 = await compare({ breach }, (row) => (row.breach ?? false) === breach);
    expect(same2.found).toEqual(same2.expected);
  });

  it('by kind, session and time finds them to the millisecond', async () => {
    const same3 = await compare({ kind: 'merge' }, (row) => row.kind === 'merge');
    expect(same3.found).toEqual(same3.expected);
    const sessionId = sessionNamed('a');
    const same4 = await compare({ sessionId }, (row) => row.sessionId === sessionId);
    expect(same4.found).toEqual(same4.expected);
    const same5 = await compare({ from: 1_010, to: 1_050 }, ({ at }) => at >= 1_010 && at < 1_050);
    expect(same5.found).toEqual(same5.expected);
  });

  it('by machine finds what ran there', async () => {
    expect(await list({ runnerId: runnerId.parse('run_1') })).toHaveLength(ACTS.length);
    expect(await list({ runnerId: runnerId.parse('run_2') })).toEqual([]);
  });

  it('joins its words: all of them hold', async () => {
    const same6 = await compare(
      { kind: 'push', outcome: 'done', from: 1_000 },
      (row) => row.kind === 'push' && row.outcome === 'done',
    );
    expect(same6.found).toEqual(same6.expected);
  });

  it('is kept over pages, none twice and none missing', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listActs(database(), LOCAL_ACCOUNT, { outcome: 'open', cursor, limit: 3 });
      seen.push(...idsOf(page.items));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(idsOf(await list({ outcome: 'open' })));
  });

  it('refuses words that it does not know', async () => {
    for (const query of ['outcome=maybe', 'witness=me', 'breach=1', 'from=yesterday'])
      expect(codeOf(await ask('GET', `/v1/acts?${query}`, { bearer: cli }))).toBe('bad_request');
  });

  it('holds for the export too, which has a line for each', async () => {
    const { body } = await ask('GET', '/v1/acts/export?outcome=done', { bearer: cli });
    const lines = String(body).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + (await list({ outcome: 'done' })).length);
    expect(lines[0]).toContain(',breach,policy,');
  });
});

describe('an act in the list', () => {
  it('names the versions of its policy, none where nobody had said anything', async () => {
    const scope = { kind: 'account' as const };
    const quiet = { own: 'done', refs: [], git: null, breach: null } as const;
    await project('c', eventsOf({ ...quiet, refs: [], kind: 'push', witness: 'stream' }, 900), {
      launch: { policy: { policy: DEFAULT_POLICY, sources: [{ scope, version: 3 }] } },
    });
    const [named] = await list({ sessionId: sessionNamed('c') });
    expect(named?.policy).toEqual([{ scope, version: 3 }]);
    const [unsaid] = await list({ sessionId: sessionNamed('a') });
    expect(unsaid?.policy).toEqual([]);
  });
});
