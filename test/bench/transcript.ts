/**
 * `npm run bench:transcript`: the page of a session of 100,000 events in a browser, over the built
 * console and a stand-in that speaks the product's frames: until it can be read, scrolling, while it
 * grows, the answer to a press and to a key, the heap. Beside each, the same of a session of ten turns.
 * First the first visit of a browser that has nothing yet: until something is drawn, and until home is
 * read. The page has the browser's own clock: one that is set from outside draws frames of its own.
 */
import type { CDPSession, Page } from 'playwright-core';
import type { MockRecord } from '../../console/mock/record.ts';
import { MockWorld } from '../../console/mock/world.ts';
import { openBrowser } from '../support/browser.ts';
import { aLongRecord, EVENTS_PER_TURN, stepOf } from '../support/stand/long-record.ts';
import { startStand } from '../support/stand/stand.ts';
import { enterStand, SIZES } from '../support/stand/visit.ts';
import { turnId } from '../../protocol/ids.ts';
import { summarise, type Latency } from './statistics.ts';

const quick = process.argv.includes('--quick');
const EVENTS = quick ? 5_000 : 100_000;
const PRESSES = quick ? 5 : 40;
const SCROLL_MS = quick ? 500 : 4_000;
const GROW_MS = quick ? 1_000 : 4_000;
/** So that a busy machine is measured too. */
const READABLE_WITHIN_MS = 180_000;
/** How often a step of the session is added while it grows, in ms. */
const STEP_EVERY_MS = 50;
const GROWS = turnId.parse('trn_grown');
const MB = 1024 ** 2;

type Figures = {
  events: number;
  /** From the address to the last event in sight, in ms. */
  readableMs: number;
  /** Time from one drawn frame to the next while it scrolls, in ms. */
  frames: Latency;
  /** The same while a step of three events comes 20 times a second, and its end is followed. */
  growing: Latency;
  /** From a press on a tool call, or a key in the composer, to the next drawn frame, in ms. */
  press: Latency;
  key: Latency;
  heapMb: number;
};

type First = { paintMs: number; usefulMs: number };

const world = new MockWorld();
const long = world.add(aLongRecord(EVENTS));
// Each is measured once: it grows while it is.
const [early, short] = [1, 2].map(() => world.add(aLongRecord(10 * EVENTS_PER_TURN)));
if (!early || !short) throw new Error('there is no short record');
const stand = await startStand(world);
const browser = await openBrowser();
try {
  // What is opened first pays for the browser's own start.
  const known = await enterStand(browser, stand.url, 'wide');
  const storageState = await known.page.context().storageState();
  await known.page.context().close();
  const open = () =>
    browser.newPage({ baseURL: stand.url, storageState, viewport: SIZES.wide, locale: 'en-GB' });
  await measure(await open(), early);
  const first = await measureFirst(open);
  const bare = await measure(await open(), short);
  const whole = await measure(await open(), long);
  process.stdout.write(
    `${JSON.stringify({ first, long: whole, short: bare, ratio: ratioOf(whole, bare) }, null, 2)}\n`,
  );
} finally {
  await browser.close();
  await stand.close();
}

function ratioOf(whole: Figures, bare: Figures) {
  return {
    readable: whole.readableMs / bare.readableMs,
    frame: whole.frames.p50 / bare.frames.p50,
    growing: whole.growing.p50 / bare.growing.p50,
    press: whole.press.p50 / bare.press.p50,
    key: whole.key.p50 / bare.key.p50,
    heap: whole.heapMb / bare.heapMb,
  };
}

async function measure(page: Page, record: MockRecord): Promise<Figures> {
  const tools = await page.context().newCDPSession(page);
  const events = record.entries.length;
  const from = performance.now();
  await page.goto(`/sessions/${record.sessionId}`);
  const log = page.getByRole('log', { name: 'Transcript' });
  await log.getByText(`sails/${lastStep(events)}`).waitFor({ timeout: READABLE_WITHIN_MS });
  const readableMs = performance.now() - from;
  const growing = await measureGrowth(page, record);
  const frames = await page.evaluate(scroll, SCROLL_MS);
  const press = await measurePresses(page);
  const key = await measureKeys(page);
  const heapMb = (await readHeap(tools)) / MB;
  await page.context().close();
  return { events, readableMs, frames: summarise(frames), growing, press, key, heapMb };
}

/** Adds steps at an even pace, as an engine that works, while the page tells when it draws. */
async function measureGrowth(page: Page, record: MockRecord): Promise<Latency> {
  let step = 0;
  const grow = () =>
    record.append(stepOf({ turnId: GROWS }, `${record.sessionId}-grown-${step++}`), Date.now());
  const timer = setInterval(grow, STEP_EVERY_MS);
  try {
    return summarise(await page.evaluate(drawFor, GROW_MS));
  } finally {
    clearInterval(timer);
  }
}

/** In the page: notes when each frame is drawn. */
async function drawFor(forMs: number): Promise<number[]> {
  const gaps: number[] = [];
  let before = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
  for (const until = before + forMs; before < until;) {
    const now = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
    gaps.push(now - before);
    before = now;
  }
  return gaps;
}

/** The median of five first visits: the browser is on, and has no file of the console. */
async function measureFirst(open: () => Promise<Page>): Promise<First> {
  const visits: First[] = [];
  for (let visit = 0; visit < 5; visit++) {
    const page = await open();
    const from = performance.now();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.locator('output[aria-label]').first().waitFor({ state: 'detached' });
    const usefulMs = performance.now() - from;
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    );
    visits.push({ paintMs, usefulMs });
    await page.context().close();
  }
  const median = (of: (visit: First) => number) =>
    Math.round(visits.map(of).toSorted((one, other) => one - other)[2] ?? NaN);
  return { paintMs: median((visit) => visit.paintMs), usefulMs: median((visit) => visit.usefulMs) };
}

/** The name of the last step of a record of so many events. */
function lastStep(events: number): string {
  return `${Math.ceil((events - 1) / EVENTS_PER_TURN) - 1}-31`;
}

/** In the page: goes through the transcript as a wheel does, and notes when each frame is drawn. */
async function scroll(forMs: number): Promise<number[]> {
  const log = document.querySelector('[role=log]');
  if (!log) throw new Error('there is no transcript');
  const gaps: number[] = [];
  const end = log.scrollHeight - log.clientHeight - 1;
  let step = 60;
  let before = performance.now();
  const until = before + forMs;
  while (before < until) {
    if (log.scrollTop === 0 || log.scrollTop >= end) step = -step;
    log.scrollTop += step;
    const now = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
    gaps.push(now - before);
    before = now;
  }
  return gaps.slice(1);
}

/** From the event to the frame after the one that it changes, which is when it is on the screen. */
async function measurePresses(page: Page): Promise<Latency> {
  const samples = await page.evaluate(async (times) => {
    const taken: number[] = [];
    for (let press = 0; press < times; press++) {
      const rows = [...document.querySelectorAll<HTMLElement>('[role=log] button[aria-expanded]')];
      const from = performance.now();
      rows[Math.floor(rows.length / 2)]?.click();
      await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done, 0));
      taken.push(performance.now() - from);
    }
    return taken;
  }, PRESSES);
  return summarise(samples);
}

async function measureKeys(page: Page): Promise<Latency> {
  const field = page.getByRole('textbox').last();
  await field.focus();
  const samples: number[] = [];
  for (let press = 0; press < PRESSES; press++) {
    await page.evaluate(() => {
      addEventListener(
        'keydown',
        () => {
          const from = performance.now();
          requestAnimationFrame(() =>
            setTimeout(() => Object.assign(globalThis, { keyTook: performance.now() - from }), 0),
          );
        },
        { once: true, capture: true },
      );
    });
    await page.keyboard.press('a');
    await page.waitForFunction(() => 'keyTook' in globalThis);
    samples.push(
      await page.evaluate(() => {
        const { keyTook } = globalThis as unknown as { keyTook: number };
        Reflect.deleteProperty(globalThis, 'keyTook');
        return keyTook;
      }),
    );
  }
  return summarise(samples);
}

async function readHeap(tools: CDPSession): Promise<number> {
  await tools.send('HeapProfiler.collectGarbage');
  return (await tools.send('Runtime.getHeapUsage')).usedSize;
}
