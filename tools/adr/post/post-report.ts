import { setTimeout as sleep } from 'node:timers/promises';
import type { AdrReport } from '../../../protocol/adr-report.ts';
import {
  postedOutcome,
  type PostedOutcome,
  REPORT_MAX_BYTES,
} from '../../../protocol/decisions.ts';
import { errorBody } from '../../../protocol/errors.ts';
import { visibleLine } from '../formats/visible.ts';
import { messageOf } from '../failure.ts';
import { decideTarget, type Environment } from './target.ts';

export type Posted = { ok: true; message: string } | { ok: false; message: string };

export type PostOptions = {
  instance: string;
  branch: string | null;
  gitBranch: string | null;
  env: Environment;
  /** Waits before the second and the third attempt, in ms. */
  waitsMs?: readonly number[];
  timeoutMs?: number;
};

const WAITS_MS = [1_000, 4_000] as const;
const TIMEOUT_MS = 20_000;

type Attempt = { done: Posted } | { again: string };

/**
 * Posts a report to an instance of Pilothouse. Never throws: a check has its verdict before, and
 * an instance that is down must not turn it. The same report posted twice is kept once, so an
 * attempt without an answer is repeated.
 */
export async function postReport(report: AdrReport, options: PostOptions): Promise<Posted> {
  const target = decideTarget(options.instance, options.branch, options.gitBranch, options.env);
  if ('missing' in target) return refused(target.missing);
  const body = JSON.stringify(report);
  if (Buffer.byteLength(body) > REPORT_MAX_BYTES) {
    return refused(
      `it has more than the ${REPORT_MAX_BYTES.toLocaleString('en')} bytes that an instance keeps. Mend some of what it found, or narrow the rules that find most`,
    );
  }
  const waits = options.waitsMs ?? WAITS_MS;
  for (let tries = 0; ; tries++) {
    // oxlint-disable-next-line no-await-in-loop -- the next attempt depends on this one
    const attempt = await post(target.url, target.key, body, options.timeoutMs ?? TIMEOUT_MS);
    if ('done' in attempt) return attempt.done;
    const wait = waits[tries];
    if (wait === undefined) return refused(`${attempt.again}, ${tries + 1} times in a row`);
    // oxlint-disable-next-line no-await-in-loop -- the wait between two attempts
    await sleep(wait);
  }
}

const refused = (why: string): Posted => ({
  ok: false,
  message: `The report was not posted: ${visibleLine(why)}. The verdict above stands, and the console still shows the last one.`,
});

async function post(url: URL, key: string, body: string, timeoutMs: number): Promise<Attempt> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      // A redirect would carry the key to wherever it points.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return readAnswer(answer.status, await answer.text());
  } catch (error) {
    const cause = error instanceof Error && error.cause ? ` (${messageOf(error.cause)})` : '';
    return { again: `${url.origin} did not answer: ${messageOf(error)}${cause}` };
  }
}

function readAnswer(status: number, text: string): Attempt {
  const value = parseJson(text);
  if (status === 200) {
    const outcome = postedOutcome.safeParse(value);
    if (outcome.success) return { done: { ok: true, message: describe(outcome.data) } };
    return {
      done: refused('the answer is none of an instance of Pilothouse. Correct the address'),
    };
  }
  if (status >= 500 || status === 429) return { again: `the instance answered ${status}` };
  const told = errorBody.safeParse(value);
  const words = told.success ? told.data.error.message : 'without a reason that can be read';
  return { done: refused(`the instance answered ${status}: ${words.replace(/\.$/, '')}`) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no answer of an instance, which the schema then says.
    return null;
  }
}

function describe({ outcome, reportId }: PostedOutcome): string {
  switch (outcome) {
    case 'kept':
      return `The report was posted (${reportId ?? 'without an id'}).`;
    case 'known':
      return `The report was there already (${reportId ?? 'without an id'}).`;
    case 'too_old':
      return 'The report was not kept: many later ones of this branch are there already.';
    default:
      return outcome satisfies never;
  }
}
