import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SealedRoom } from '../../support/sealed.ts';
import { aDirectory, aRepository, gitIn } from '../guard/repositories.ts';

export type Opened = {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  /** Where its branch is, for whoever asks for checks. */
  sha?: string;
  merged?: boolean;
};
type Answer = { status: number; body: unknown } | 'hang up' | null;
const NONE = { status: 404, body: { message: 'Not Found' } };

/** As GitHub pages: thirty of the first page where nothing else is asked for. */
function pageOf<T>(all: readonly T[], { searchParams }: URL): T[] {
  const page = Number(searchParams.get('page') ?? 1);
  const size = Math.min(100, Number(searchParams.get('per_page') ?? 30));
  return all.slice((page - 1) * size, page * size);
}

/** What GitHub's API needs for pull requests, their comments and checks, on loopback, and what was asked of it. */
export class PullForge {
  readonly token = 'ghp_sentinel_0123456789';
  readonly repository = 'octo/site';
  readonly opened: Opened[] = [];
  readonly seen: string[] = [];
  readonly comments: { number: number; body: string }[] = [];
  /** What apps report of every commit, and the older statuses, as GitHub tells of them. */
  runs: object[] = [];
  statuses: object[] = [];
  /** Answered instead, to the next requests of a method. */
  readonly instead: { method: string; keep: boolean; answer: Answer }[] = [];
  /** From this request on, counted from one, it hangs up; null: never. */
  silentFrom: number | null = null;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async open(): Promise<PullForge> {
    const forge = new PullForge();
    await new Promise<void>((resolve) => {
      forge.#server.listen(0, '127.0.0.1', resolve);
    });
    return forge;
  }

  get apiUrl(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port was given');
    return `http://127.0.0.1:${address.port}/api`;
  }

  urlOf(number: number): string {
    return `https://forge.example/${this.repository}/pull/${number}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://forge');
    this.seen.push(`${method} ${url.pathname}`);
    const first = this.instead.findIndex((each) => each.method === method);
    const [instead] = first < 0 ? [] : this.instead.splice(first, 1);
    const lost = instead && !instead.keep;
    const real = lost ? null : this.#answer(method, url, request.headers.authorization, body);
    const answer = instead ? instead.answer : real;
    const silent = this.silentFrom !== null && this.seen.length >= this.silentFrom;
    if (silent || answer === 'hang up' || answer === null) request.socket.destroy();
    else
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
  }

  #answer(method: string, url: URL, authorization: string | undefined, body: string) {
    if (authorization !== `Bearer ${this.token}`) return { status: 401, body: { message: 'Bad' } };
    const place = `/api/repos/${this.repository}/`;
    if (!url.pathname.startsWith(place)) return NONE;
    const [noun, which = '', what] = url.pathname.slice(place.length).split('/');
    if (noun === 'commits') return { status: 200, body: this.#checked(what, url) };
    if (which !== '') return this.#one(noun, Number(which), method, body, url);
    if (method === 'GET') {
      const wanted = url.searchParams.get('head');
      const state = url.searchParams.get('state');
      const there = this.opened.flatMap((each, index) => {
        const isMeant = wanted === null || wanted === `octo:${each.head}`;
        const isIn = state === 'all' || (state === 'open') === !each.merged;
        return isMeant && isIn ? [this.#told(each, index)] : [];
      });
      return { status: 200, body: there.toReversed() };
    }
    const asked = JSON.parse(body) as Opened;
    if (this.opened.some(({ head }) => head === asked.head)) {
      const errors = [{ message: `A pull request already exists for octo:${asked.head}.` }];
      return { status: 422, body: { message: 'Validation Failed', errors } };
    }
    this.opened.push(asked);
    return { status: 201, body: this.#told(asked, this.opened.length - 1) };
  }

  #checked(what: string | undefined, url: URL) {
    if (what === 'status')
      return { total_count: this.statuses.length, statuses: pageOf(this.statuses, url) };
    return { total_count: this.runs.length, check_runs: pageOf(this.runs, url) };
  }

  #one(noun: string | undefined, number: number, method: string, body: string, url: URL) {
    const pull = this.opened[number - 1];
    if (!pull) return NONE;
    if (noun === 'pulls') {
      if (method === 'PATCH') Object.assign(pull, JSON.parse(body));
      const comments = this.comments.filter((each) => each.number === number).length;
      return { status: 200, body: { ...this.#told(pull, number - 1), comments } };
    }
    if (method === 'POST')
      this.comments.push({ number, body: (JSON.parse(body) as { body: string }).body });
    const told = this.comments
      .filter((each) => each.number === number)
      .map((each, index) => ({
        html_url: `${this.urlOf(number)}#issuecomment-${index + 1}`,
        user: { login: 'ada' },
        author_association: 'OWNER',
        body: each.body,
        created_at: '2026-11-30T10:00:00Z',
      }));
    return method === 'POST'
      ? { status: 201, body: told.at(-1) }
      : { status: 200, body: pageOf(told, url) };
  }

  #told({ head, base, title, body, draft, sha = 'a'.repeat(40), merged }: Opened, index: number) {
    return {
      html_url: this.urlOf(index + 1),
      number: index + 1,
      title,
      body,
      draft,
      state: merged ? 'closed' : 'open',
      merged_at: merged ? '2026-11-30T11:00:00Z' : null,
      created_at: '2026-11-30T10:00:00Z',
      user: { login: 'ada' },
      head: { ref: head, sha },
      base: { ref: base },
      mergeable: true,
    };
  }
}

/** A session whose remote has an address on a forge, and lies in a directory of this machine. */
export async function aRoomAt(
  forge: PullForge,
  grade: 'sealed' | 'fenced' = 'fenced',
): Promise<SealedRoom> {
  const repository = aRepository();
  const remote = join(aDirectory(), 'remote.git');
  const address = `https://forge.example/${forge.repository}.git`;
  gitIn(repository, 'clone', '--quiet', '--bare', repository, remote);
  gitIn(repository, 'config', `url.${remote}.insteadOf`, address);
  gitIn(repository, 'remote', 'add', 'origin', address);
  const room = await SealedRoom.make(repository, grade);
  room.env['FORGE_TOKEN'] = forge.token;
  room.forges = [{ host: 'forge.example', apiUrl: forge.apiUrl, tokenVariable: 'FORGE_TOKEN' }];
  return room;
}
