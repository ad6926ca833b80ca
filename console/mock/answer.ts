import { openBreaches } from '../../protocol/breach.ts';
import { joinEntries } from '../../protocol/engines.ts';
import { approvalAnswer } from '../../protocol/approval.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { type ActRow, instructRequest, launchRequest } from '../../protocol/http.ts';
import { LOCAL_ACTOR, requestId } from '../../protocol/ids.ts';
import {
  listMockActs,
  listMockApprovals,
  listMockBreaches,
  mockAccess,
  mockChains,
} from './audit.ts';
import { answerComparison } from './comparison.ts';
import { answerUsage } from './usage.ts';
import type { MockRecord } from './record.ts';
import { previewRequest } from '../../protocol/preview.ts';
import { rewindRequest } from '../../protocol/checkpoints.ts';
import { landRequest } from '../../protocol/land.ts';
import { revokedOf } from './machines.ts';
import { findMockFiles, landedOf, patchOf, rewoundOf } from './review.ts';
import { LINK_TOKEN, ME } from './sentinels.ts';
import { errorAnswer, type MockWorld } from './world.ts';
import { requestedAction } from '../../protocol/session.ts';

type Answer = { status: number; body: unknown };

const page = (items: readonly unknown[]): Answer => ({
  status: 200,
  body: { items, nextCursor: null },
});
const ok = (body: unknown, status = 200): Answer => ({ status, body });
const ACCEPTED = ok({ accepted: true }, 202);

/** Answers one request as the real API would, from what the stand-in knows. */
export function answer(world: MockWorld, method: string, address: URL, body: unknown): Answer {
  const path = address.pathname;
  world.received.push({ method, path, query: Object.fromEntries(address.searchParams), body });
  const failure = world.failures.get(`${method} ${path}`);
  if (failure) return errorAnswer(failure);
  if (path === '/v1/sign-in') return signIn(world, body);
  if (!world.signedIn) return errorAnswer('unauthenticated');
  if (path.startsWith('/v1/decisions/')) {
    const told = world.decisions.answer(method, address, body, world.now());
    return told === null ? errorAnswer('not_found') : ok(told);
  }
  if (path.startsWith('/v1/budgets')) {
    const told = world.budgets.answer(method, address, body, world.now());
    return told === null ? errorAnswer('not_found') : ok(told);
  }
  if (path.startsWith('/v1/policy')) {
    const told = world.policies.answer(method, address, body, world.now());
    return told === null ? errorAnswer('not_found') : ok(told);
  }
  if (path === '/v1/gate/requests') return ok({ items: world.operators.chats.requests });
  if (path.startsWith('/v1/operators') || path.startsWith('/v1/instances')) {
    const after = Number(address.searchParams.get('after') ?? 0);
    const told = world.operators.answer(method, path, body, world.now(), after);
    return told === null ? errorAnswer('instance_not_found') : ok(told);
  }
  if (path.startsWith('/v1/github/')) {
    const told = world.github.answer(method, path, body, world.now());
    return told === null ? errorAnswer('not_found') : ok(told);
  }
  if (path.startsWith('/v1/brain-keys')) {
    const told = world.brainKeys.answer(method, path, body, world.now());
    return told === null ? errorAnswer('not_found') : ok(told);
  }
  if (path.startsWith('/v1/mcp-keys')) {
    const told = world.mcpKeys.answer(method, path, body, world.now());
    return told === null ? errorAnswer('mcp_key_not_found') : ok(told);
  }
  if (path.startsWith('/v1/push')) {
    const told = world.push.answer(method, path, body, world.now());
    return told === null ? errorAnswer('push_device_not_found') : ok(told);
  }
  if (path.startsWith('/v1/usage')) {
    const told = answerUsage(world.usage(), address, world.unmetered);
    return told === null ? errorAnswer('not_found') : ok(told);
  }
  const image = /^\/v1\/(?:launches|sessions)\/\w+\/images\/(\w+)$/.exec(path)?.[1];
  if (image !== undefined && method === 'POST') {
    const { type, bytes } = Object.fromEntries(address.searchParams);
    const sha256 = 'a'.repeat(64);
    return ok({ image: { imageId: image, type, bytes: Number(bytes), sha256 } });
  }
  const revoked = /^\/v1\/runners\/(\w+)\/revoke$/.exec(path)?.[1];
  if (revoked !== undefined) {
    world.runners = world.runners.map((runner) =>
      runner.runnerId === revoked ? revokedOf(runner, world.now()) : runner,
    );
    return ok({ sessions: 1 });
  }
  const withdrawn = /^\/v1\/pairings\/(\w+)\/withdraw$/.exec(path)?.[1];
  if (withdrawn !== undefined)
    return world.pairings.withdraw(withdrawn)
      ? ok({ accepted: true })
      : errorAnswer('pairing_not_found');
  switch (`${method} ${path}`) {
    case 'GET /v1/me':
      return ok(ME);
    case 'POST /v1/sign-out':
      world.signedIn = false;
      return ok({ accepted: true });
    case 'GET /v1/runners':
      return page(world.runners);
    case 'POST /v1/pairings':
      return ok(world.pairings.make(body, world.runners, world.now()), 201);
    case 'GET /v1/pairings':
      return ok({ items: world.pairings.open });
    case 'GET /v1/engines':
      return ok({ items: joinEntries(world.engines.list()) });
    case 'POST /v1/engines':
      return ok(world.engines.save(body), 201);
    case 'GET /v1/sessions':
      return page([...world.records.values()].map((record) => record.summary()));
    case 'POST /v1/sessions': {
      const parsed = launchRequest.safeParse(body);
      return parsed.success ? ok(world.launch(parsed.data), 201) : errorAnswer('bad_request');
    }
    case 'GET /v1/comparisons': {
      const compared = answerComparison(world.records, address, world.now());
      return compared ? ok(compared) : errorAnswer('session_not_found');
    }
    case 'GET /v1/acts':
      return page(filterActs(listMockActs([...world.records.values()]), address.searchParams));
    case 'GET /v1/breaches': {
      const named = address.searchParams.has('sessionId') ? 'any' : 'session';
      const doer = address.searchParams.get('doer') ?? named;
      const all = listMockBreaches(
        doer === 'operator' ? [] : [...world.records.values()],
        doer === 'session' ? [] : world.operators.breaches,
      );
      const open = address.searchParams.get('open') === 'true';
      return page(open ? openBreaches(all) : all);
    }
    case 'GET /v1/approvals':
      return page(listMockApprovals([...world.records.values()]));
    case 'GET /v1/chains':
      return page(mockChains([...world.records.values()], world.tampered));
    case 'GET /v1/access':
      return page(mockAccess(world.now()));
    default:
      return answerDeeper(world, method, path, address, body);
  }
}

function filterActs(rows: readonly ActRow[], asked: URLSearchParams): ActRow[] {
  const [kind, outcome, breach, by] = ['kind', 'outcome', 'breach', 'actorId'].map((name) =>
    asked.get(name),
  );
  return rows
    .filter((row) => kind === null || row.kind === kind)
    .filter((row) => by === null || row.actorId === by)
    .filter((row) => outcome === null || (row.outcome ?? 'open') === outcome)
    .filter((row) => breach === null || String(row.breach ?? false) === breach);
}

function signIn(world: MockWorld, body: unknown): Answer {
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : null;
  if (token !== LINK_TOKEN) return errorAnswer('link_used');
  world.signedIn = true;
  return ok({ accepted: true });
}

function answerDeeper(
  world: MockWorld,
  method: string,
  path: string,
  address: URL,
  body: unknown,
): Answer {
  const engine = /^\/v1\/engines\/([\w-]+)$/.exec(path)?.[1];
  if (engine) return ok(world.engines.detail(engine));
  const removed = /^\/v1\/engines\/([\w-]+)\/remove$/.exec(path)?.[1];
  if (removed) return ok(world.engines.remove(removed));
  if (/^\/v1\/runners\/\w+\/engines$/.test(path)) return ok({ engines: [] });
  if (/^\/v1\/runners\/\w+\/panes$/.test(path))
    return ok({ panes: world.panes, watch: true, drive: true });
  const checkout = /^\/v1\/runners\/\w+\/checkouts(?:\/(\w+)\/(remove|discard))?$/.exec(path);
  if (checkout) return answerCheckouts(world, checkout[1]);
  const runner = /^\/v1\/runners\/(\w+)\/(directories|workspace|doctor|files)$/.exec(path);
  if (runner?.[2] === 'files') return ok(findMockFiles(address.searchParams.get('query') ?? ''));
  if (runner) return answerRunner(runner[2] ?? '', address.searchParams.get('path') ?? '');
  const [, id = '', rest = ''] = /^\/v1\/sessions\/(\w+)\/?(.*)$/.exec(path) ?? [];
  const record = world.records.get(id);
  if (!record) return errorAnswer(id === '' ? 'not_found' : 'session_not_found');
  if (method === 'GET' && rest === '') return ok({ summary: record.summary(), view: record.view });
  if (rest === 'files') return ok(findMockFiles(address.searchParams.get('query') ?? ''));
  if (rest === 'changes') return ok({ ...world.review, sessionId: id });
  if (rest === 'changes/patch') return ok(patchOf(address.searchParams.get('path') ?? ''));
  if (rest === 'previews') return ok(previewsOf(method, body));
  if (rest === 'checkpoints') return ok({ items: world.checkpoints });
  if (rest === 'rewind') return ok(rewoundOf(record, rewindRequest.parse(body)));
  if (rest === 'land') return ok(landedOf(record, world.review, landRequest.parse(body)));
  if (rest.startsWith('tools/')) return ok({ text: 'all of the sentinel output', bytes: 26 });
  const events = eventsOf(world, rest, body);
  if (!events) return errorAnswer('bad_request');
  return act(world, record, events);
}

function act(world: MockWorld, record: MockRecord, events: readonly FeedEvent[]): Answer {
  record.append(events, world.now());
  const [first] = events;
  return first?.type === 'turn/accepted' ? ok({ turnId: first.turnId }, 202) : ACCEPTED;
}

/** What a request leaves in the record; null when it is not in the expected form. */
function eventsOf(world: MockWorld, rest: string, body: unknown): FeedEvent[] | null {
  const actorId = LOCAL_ACTOR;
  const action = requestedAction.safeParse(rest);
  if (action.success) {
    return [{ type: 'action/requested', action: action.data, actorId }];
  }
  if (rest === 'instructions') {
    const parsed = instructRequest.safeParse(body);
    if (!parsed.success) return null;
    const { turnId = world.makeId('trn'), text } = parsed.data;
    return [{ type: 'turn/accepted', turnId, text, actorId }];
  }
  const request = requestId.safeParse(/^approvals\/(\w+)$/.exec(rest)?.[1]);
  const parsed = approvalAnswer.safeParse(body);
  if (!request.success || !parsed.success) return null;
  return [
    {
      type: 'approval/decided',
      requestId: request.data,
      answer: parsed.data,
      actorId,
      channel: 'console',
    },
  ];
}

function answerCheckouts(world: MockWorld, sessionId: string | undefined): Answer {
  if (sessionId === undefined) return page(world.checkouts);
  world.checkouts = world.checkouts.filter((checkout) => checkout.sessionId !== sessionId);
  return ok({ sessionId, bytes: 1 });
}

function answerRunner(what: string, path: string): Answer {
  if (what === 'doctor') {
    const findings = [
      { check: 'git', status: 'ok', message: 'git 9.9', remedy: null },
      {
        check: 'disk',
        status: 'problem',
        message: 'The disk is full.',
        remedy: 'Free some of it.',
      },
    ];
    return ok({ findings });
  }
  if (what === 'directories') {
    const entries = [
      { name: 'harbour', path: '/home/sentinel/harbour', repository: true },
      { name: 'letters', path: '/home/sentinel/letters', repository: false },
    ];
    return ok({ path, entries, more: false });
  }
  return ok({
    path,
    repository: path.includes('harbour') ? path : null,
    branch: path.includes('harbour') ? 'main' : null,
    commit: path.includes('harbour') ? '0123456789abcdef' : null,
    uncommittedFiles: path.includes('harbour') ? 2 : 0,
    branches: ['main', 'spring'],
    problems: [],
  });
}

/** A dev server of every session, and where it would be opened. */
function previewsOf(method: string, body: unknown) {
  if (method === 'GET') return { items: [{ port: 5173, program: 'node vite', ownNetwork: true }] };
  const { port } = previewRequest.parse(body);
  return { port, url: `http://sentinel.localhost:${port}/` };
}
