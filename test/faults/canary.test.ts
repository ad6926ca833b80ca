import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { calls, runs, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { findInCommandLines, findInFiles, findInTables, type Found } from './canary-search.ts';

/**
 * The real claude, with a key that would be worth stealing, prints its whole environment twice:
 * by itself and through a subagent. Then the key is looked for everywhere.
 */
let world: ClaudeWorld;
let id: string;
/** Everything that a viewer of the session was sent, live text included. */
const frames: string[] = [];
const commandLines: Found[] = [];
let whileLive: Found;
let watching: NodeJS.Timeout;

beforeAll(async () => {
  world = await ClaudeWorld.start(
    {
      'show your environment': [
        runs('env'),
        calls('Task', {
          description: 'look',
          prompt: 'subagent please look around',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        // A model that says the key itself, slowly: live text is redacted on its way too.
        {
          kind: 'message',
          content: [{ type: 'text', text: `Your key is ${CANARY_KEY} as you can see here.` }],
          pieceMs: 60,
        },
      ],
      'subagent please look around': [runs('env | sort'), says('I looked around.')],
    },
    CANARY_KEY,
  );
  // Behind the model gate the session has no key to print: the redactor is what is tried here.
  world.writeLimits('model_gate = false');
  const look = () => commandLines.push(findInCommandLines(world.home, CANARY_KEY));
  watching = setInterval(look, 250);
  id = await world.launch('show your environment', '--approvals', 'accept_edits');
  watchFeed(id);
  await world.approveUntilEnd(id);
  whileLive = findInFiles(world.data, CANARY_KEY);
  clearInterval(watching);
});
afterAll(() => world?.stop());

function watchFeed(sessionId: string): void {
  const address = world.installation.url.replace('http', 'ws');
  const socket = new WebSocket(`${address}/v1/sessions/${sessionId}/socket`, {
    headers: { authorization: `Bearer ${world.cliToken}` },
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', after: 0 })));
  socket.on('message', (data: Buffer) => frames.push(data.toString()));
}

const isSpool = (place: string) => place.startsWith(join('runner', 'spools'));
/** The engine's own record in the home of a sealed session: as private as the one in the person's. */
const isEngines = (place: string) => place.startsWith(join('runner', 'seals'));

describe('the search itself', () => {
  it('finds a key in a file, in a table and in a blob', () => {
    const directory = mkdtempSync(join(tmpdir(), 'pilothouse-canary-'));
    mkdirSync(join(directory, 'deep'));
    writeFileSync(join(directory, 'deep', 'log'), `x ${CANARY_KEY} y`);
    const db = new DatabaseSync(join(directory, 'some.sqlite'));
    db.exec('CREATE TABLE kept (words TEXT, bytes BLOB)');
    db.prepare('INSERT INTO kept VALUES (?, ?)').run(CANARY_KEY, Buffer.from(`.${CANARY_KEY}.`));
    db.close();
    expect(findInFiles(directory, CANARY_KEY).places).toContain(join('deep', 'log'));
    expect(findInTables(directory, CANARY_KEY).places).toEqual([
      'some.sqlite kept.words',
      'some.sqlite kept.bytes',
    ]);
    rmSync(directory, { recursive: true });
  });
});

describe('the key of a person’s engine', () => {
  it('was really in use and really printed, twice, into the raw spool', () => {
    expect(world.api.seen.some(({ apiKey }) => apiKey === CANARY_KEY)).toBe(true);
    const results = world.api.seen.filter(({ request }) =>
      JSON.stringify(request?.messages ?? '').includes(`ANTHROPIC_API_KEY=${CANARY_KEY}`),
    );
    expect(results.length).toBeGreaterThanOrEqual(2);
    expect(whileLive.places.filter(isSpool)).not.toEqual([]);
  });

  it('is in no other file while the session is live: no table, journal, log or output', () => {
    expect(whileLive.looked).toBeGreaterThan(10);
    expect(whileLive.places.filter((place) => !isSpool(place) && !isEngines(place))).toEqual([]);
  });

  it('is in no command line, and workerd is not even given it', () => {
    expect(commandLines.length).toBeGreaterThan(3);
    expect(Math.max(...commandLines.map(({ looked }) => looked))).toBeGreaterThan(3);
    expect(commandLines.flatMap(({ places }) => places)).toEqual([]);
    const workerd = readFileSync(world.layout.workerdPidFile, 'utf8').trim();
    const environment = readFileSync(`/proc/${workerd}/environ`, 'utf8');
    expect(environment).toContain('PILOTHOUSE_WORKERD_PID_FILE');
    expect(environment).not.toContain(CANARY_KEY);
  });

  it('is in nothing that a viewer is sent or that the API answers', async () => {
    await until('the end of the turn on the socket', () =>
      frames.some((frame) => frame.includes('turn/ended')),
    );
    expect(frames.some((frame) => frame.includes('"type":"deltas"'))).toBe(true);
    expect(frames.join('\n')).toContain('ANTHROPIC_API_KEY=');
    expect(frames.filter((frame) => frame.includes(CANARY_KEY))).toEqual([]);
    // Pieces of one text, put together again, must not make it either.
    expect(joinDeltas()).toContain('as you can see');
    expect(joinDeltas()).not.toContain(CANARY_KEY);
    const tools = (await world.events(id, 'tool/started')).map(({ toolId }) => toolId);
    const paths = [
      `/v1/sessions/${id}`,
      `/v1/sessions/${id}/entries?limit=1000`,
      ...tools.map((toolId) => `/v1/sessions/${id}/tools/${toolId}/output`),
      '/v1/sessions',
      '/v1/runners',
      '/v1/usage',
      '/v1/acts',
    ];
    for (const path of paths) {
      const body = await (await world.call(path)).text();
      expect([path, body.includes(CANARY_KEY)]).toEqual([path, false]);
    }
  });

  it('is nowhere at all once the session was stopped and its events were acked', async () => {
    const spools = whileLive.places.filter(isSpool).map((place) => join(world.data, place));
    await world.cli('sessions', 'stop', id);
    await world.untilState(id, 'stopped');
    await until('the spool to be gone', () => !spools.some(existsSync), {
      withinMs: 30_000,
      tell: () => spools.join(' '),
    });
    expect(findInFiles(world.data, CANARY_KEY).places.filter((place) => !isEngines(place))).toEqual(
      [],
    );
    // Databases are held while their process lives.
    await world.installation.end('SIGINT');
    const tables = findInTables(world.data, CANARY_KEY);
    expect(tables.looked).toBeGreaterThan(20);
    expect(tables.places).toEqual([]);
    expect(findInFiles(world.data, CANARY_KEY).places.filter((place) => !isEngines(place))).toEqual(
      [],
    );
    expect(world.installation.output()).not.toContain(CANARY_KEY);
  });
});

function joinDeltas(): string {
  const blocks = new Map<string, string>();
  for (const frame of frames) {
    const parsed = JSON.parse(frame) as {
      type: string;
      deltas?: { blockId: string; text: string }[];
    };
    for (const { blockId, text } of parsed.deltas ?? [])
      blocks.set(blockId, (blocks.get(blockId) ?? '') + text);
  }
  return [...blocks.values()].join('\n');
}
