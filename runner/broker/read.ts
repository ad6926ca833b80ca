import { exitCodeOf, readChecks } from './checks.ts';
import type { ReadAsk } from './forge-ask.ts';
import type { ForgeAccess, ForgeAnswer } from './github.ts';
import { listNewestComments, listPulls, readPull, type Pull } from './pulls.ts';
import { reachForge, type Reach } from './reach.ts';
import {
  checksJson,
  failLate,
  failWith,
  findUnknownField,
  listJson,
  others,
  stateOf,
  viewJson,
  type ForgeSaid,
} from './show.ts';
import { checkLines, commentLines, listLines, statusLines, viewLines } from './show-lines.ts';
import { findWhich, type OwnWork } from './which.ts';

/** How many of its own a session is shown at once. */
const OWN_SHOWN = 10;

/**
 * Reads for a session what its own repository's forge has, as `gh` would print it and end. It
 * changes nothing there, and what it tells is bounded and marked as others' words.
 */
export async function readForge(
  ask: ReadAsk,
  reach: Reach & { work(): Promise<OwnWork> },
): Promise<ForgeSaid> {
  const fault = 'fields' in ask ? findUnknownField(ask.do, ask.fields) : null;
  if (fault !== null) return failWith(fault);
  const reached = await reachForge(reach, ask.repository);
  if (!reached.ok) return failWith(reached.reason);
  const { forge } = reached;
  const answer = await read(ask, forge, await reach.work());
  switch (answer.kind) {
    case 'ok':
      return answer.value;
    case 'late':
      return failLate(answer);
    case 'silent':
      return failWith(`${forge.host}: ${answer.reason}; ask again later`);
    default:
      return failWith(answer.reason);
  }
}

async function read(
  ask: ReadAsk,
  forge: ForgeAccess,
  work: OwnWork,
): Promise<ForgeAnswer<ForgeSaid>> {
  if (ask.do === 'list') return list(ask, forge);
  if (ask.do === 'status') return status(ask, forge, work);
  const which = await findWhich(ask, work, forge);
  if (which.kind !== 'ok') return which;
  const pull = await readPull(forge, which.value);
  if (pull.kind !== 'ok') return pull;
  return ask.do === 'checks' ? checks(ask, forge, pull.value) : view(ask, forge, pull.value);
}

async function view(
  { fields, comments }: Extract<ReadAsk, { do: 'view' }>,
  forge: ForgeAccess,
  pull: Pull,
): Promise<ForgeAnswer<ForgeSaid>> {
  const talk =
    comments || fields?.includes('comments') ? await listNewestComments(forge, pull) : null;
  if (talk && talk.kind !== 'ok') return talk;
  const said = talk?.value ?? [];
  if (fields === null) return done(others(comments ? commentLines(said) : viewLines(pull)));
  const checked = fields.includes('statusCheckRollup') ? await checksOf(forge, pull) : null;
  if (checked && checked.kind !== 'ok') return checked;
  return done(viewJson(pull, { comments: said, checks: checked?.value ?? [] }, fields));
}

async function checks(
  { fields }: Extract<ReadAsk, { do: 'checks' }>,
  forge: ForgeAccess,
  pull: Pull,
): Promise<ForgeAnswer<ForgeSaid>> {
  const found = await checksOf(forge, pull);
  if (found.kind !== 'ok') return found;
  if (found.value.length === 0)
    return done(failWith(`no checks reported on the '${pull.head.ref}' branch`));
  return done(
    fields === null
      ? others(checkLines(found.value), exitCodeOf(found.value))
      : checksJson(found.value, fields),
  );
}

const checksOf = async (forge: ForgeAccess, { head }: Pull) =>
  /^[0-9a-f]{40,64}$/.test(head.sha ?? '')
    ? readChecks(forge, head.sha ?? '')
    : ({
        kind: 'refused',
        status: 200,
        reason: 'the forge does not say at which commit it is',
      } as const);

async function list(
  { state, head, base, limit, fields }: Extract<ReadAsk, { do: 'list' }>,
  forge: ForgeAccess,
): Promise<ForgeAnswer<ForgeSaid>> {
  // GitHub knows no state of merged ones: they are among the closed.
  const wanted = state === 'merged' ? 'closed' : state;
  const most = state === 'merged' ? 100 : limit;
  const found = await listPulls(forge, { state: wanted, head, base, most });
  if (found.kind !== 'ok') return found;
  const pulls = found.value
    .filter((pull) => state !== 'merged' || stateOf(pull) === 'MERGED')
    .slice(0, limit);
  if (fields !== null) return done(listJson(pulls, fields));
  return done(
    pulls.length === 0
      ? { code: 0, out: '', said: `no pull requests match your search in ${forge.repository}` }
      : others(listLines(pulls)),
  );
}

async function status(
  ask: Extract<ReadAsk, { do: 'status' }>,
  forge: ForgeAccess,
  work: OwnWork,
): Promise<ForgeAnswer<ForgeSaid>> {
  const which = await findWhich({ ...ask, which: null }, { ...work, opened: [] }, forge);
  if (which.kind === 'silent' || which.kind === 'late') return which;
  const numbers = new Set(work.opened.slice(-OWN_SHOWN));
  if (which.kind === 'ok') numbers.add(which.value);
  const pulls = new Map<number, Pull>();
  for (const number of numbers) {
    const pull = await readPull(forge, number);
    if (pull.kind !== 'ok') return pull;
    pulls.set(number, pull.value);
  }
  const opened = work.opened.flatMap((number) => pulls.get(number) ?? []);
  const here = which.kind === 'ok' ? (pulls.get(which.value) ?? null) : null;
  return done(others(statusLines(forge.repository, here, opened)));
}

const done = (value: ForgeSaid): ForgeAnswer<ForgeSaid> => ({ kind: 'ok', value });
