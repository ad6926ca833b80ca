/**
 * `npm run bench:ledger`: what the ledgers' questions cost in a small ledger and in one a hundred
 * times as large, asked in turns of two Workers on this machine. Ends with 1 when an answer is
 * not what was put in.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { actPage, sessionPage, usagePage, usageSummary } from '../../protocol/http.ts';
import { buildParts, CONSOLE_PART, outputOf, WORKER_PART } from '../../runner/host/build.ts';
import { startEmbeddedWorker } from '../../runner/host/embedded-worker.ts';
import { createHostApi } from '../../runner/host/host-api.ts';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { claimPort, LOOPBACK } from '../../runner/host/port.ts';
import { workerdEnvironment } from '../../runner/host/workerd.ts';
import { describeLedger } from './ledger-report.ts';
import { NOW_MS, PER_SESSION, seedLedger } from './ledger-seed.ts';
import { summarise } from './statistics.ts';

const HELP = `Usage: npm run bench:ledger -- [options]

Options:
  --small N   entries of the small ledger (10000)
  --large N   entries of the large ledger (1000000)
  --rounds N  how often each question is asked of each (20)
  --json      the report as JSON
  --help      this text`;

const DAY_MS = 24 * 60 * 60_000;
/** A session that both ledgers have. */
const SESSION = 'ses_0000000003';
/** Not at midnight: the last thirty days as a page asks for them. */
const MONTH = `from=${NOW_MS - 30 * DAY_MS - 5_000_000}&to=${NOW_MS - 5_000_000}`;

const QUERIES: Readonly<Record<string, string>> = {
  'spend by day, all time': '/v1/usage/summary?by=day',
  'spend by day, 30 days': `/v1/usage/summary?by=day&${MONTH}`,
  'spend by model, all time': '/v1/usage/summary?by=model',
  'spend by directory, all time': '/v1/usage/summary?by=directory',
  'spend by session, all time': '/v1/usage/summary?by=session',
  'spend by session, later page': '/v1/usage/summary?by=session&cursor=ses_0000000060',
  'spend by session, 30 days': `/v1/usage/summary?by=session&${MONTH}`,
  'usage entries, a page': '/v1/usage?limit=50',
  'usage entries of a session': `/v1/usage?limit=50&sessionId=${SESSION}`,
  'sessions, a page': '/v1/sessions?limit=50',
  'acts, a page': '/v1/acts?limit=50',
  'acts of a kind, a page': '/v1/acts?limit=50&kind=delete',
  'acts of a session': `/v1/acts?limit=50&sessionId=${SESSION}`,
};

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Asked = { ask(path: string): Promise<unknown>; stop(): Promise<void> };

async function open(top: string, name: string, count: number): Promise<Asked> {
  const bundleDirectory = outputOf(PRODUCT_ROOT, WORKER_PART);
  const dataDirectory = join(top, name);
  const startedAt = performance.now();
  await seedLedger(bundleDirectory, dataDirectory, count);
  const seconds = (performance.now() - startedAt) / 1000;
  console.error(`bench: wrote ${count} entries and acts in ${seconds.toFixed(0)} s`);
  const port = await claimPort(0, LOOPBACK);
  const hostToken = randomBytes(32).toString('base64url');
  Object.assign(process.env, workerdEnvironment(join(top, `${name}.pid`)));
  const worker = await startEmbeddedWorker({
    bundleDirectory,
    consoleDirectory: outputOf(PRODUCT_ROOT, CONSOLE_PART),
    dataDirectory,
    port,
    bindings: { HOST_TOKEN: hostToken, ALLOWED_HOSTS: `${LOOPBACK}:${port}` },
    onLog: () => undefined,
    onRestart: () => console.error('bench: workerd ended by itself'),
  });
  const token = await createHostApi(worker.url, hostToken).createCliToken('bench');
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(new URL(path, worker.url), {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
  return { ask, stop: () => worker.stop() };
}

/** A fast answer that is wrong is worth nothing: every sum must hold every entry. */
async function check({ ask }: Asked, count: number): Promise<void> {
  for (const by of ['day', 'session', 'model', 'directory']) {
    const { totals } = usageSummary.parse(await ask(`/v1/usage/summary?by=${by}`));
    const entries = Object.values(totals).reduce((sum, total) => sum + total.entries, 0);
    if (entries !== count)
      throw new Error(`${entries} of ${count} entries are in the sum by ${by}`);
  }
  const found = [
    usagePage.parse(await ask(`/v1/usage?limit=500&sessionId=${SESSION}`)).items.length,
    actPage.parse(await ask(`/v1/acts?limit=500&sessionId=${SESSION}`)).items.length,
  ];
  if (found.some((length) => length !== PER_SESSION))
    throw new Error(`a session has ${found.join(' and ')} rows instead of ${PER_SESSION}`);
  if (sessionPage.parse(await ask('/v1/sessions?limit=50')).items.length !== 50)
    throw new Error('a page of sessions is not full');
}

async function measure(): Promise<void> {
  const [small, large, rounds] = [values.small, values.large, values.rounds].map(Number);
  if (!small || !large || !rounds || small < PER_SESSION * 50)
    throw new Error(`give whole numbers, and at least ${PER_SESSION * 50} entries`);
  const top = mkdtempSync(join(tmpdir(), 'pilothouse-ledger-'));
  const opened: Asked[] = [];
  try {
    await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
    const pair = [await open(top, 'small', small), await open(top, 'large', large)] as const;
    opened.push(...pair);
    await check(pair[0], small);
    await check(pair[1], large);
    const taken = Object.keys(QUERIES).map((query) => ({ query, times: [[], []] as number[][] }));
    // The first round warms both and is left out.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { query, times } of taken) {
        for (const [index, side] of pair.entries()) {
          const startedAt = performance.now();
          await side.ask(QUERIES[query] ?? '');
          if (round > 0) times[index]?.push(performance.now() - startedAt);
        }
      }
    }
    const report = {
      small,
      large,
      rounds,
      queries: taken.map(({ query, times }) => ({
        query,
        small: summarise(times[0] ?? []),
        large: summarise(times[1] ?? []),
      })),
    };
    console.log(values.json ? JSON.stringify(report, null, 2) : describeLedger(report));
  } finally {
    for (const side of opened) await side.stop();
    rmSync(top, { recursive: true, force: true });
  }
}

if (values.help) console.log(HELP);
else {
  try {
    await measure();
  } catch (error) {
    console.error('bench: the measurement is void:', error);
    process.exitCode = 1;
  }
}
