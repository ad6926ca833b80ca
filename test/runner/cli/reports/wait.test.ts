import { describe, expect, it, vi } from 'vitest';
import { composeReport, statusOf } from '../../../../protocol/run-compose.ts';
import type { RunStatus } from '../../../../protocol/run-report.ts';
import { awaitStanding } from '../../../../runner/cli/reports/wait.ts';
import { EXIT, Failure } from '../../../../runner/failure.ts';
import { partsOf } from '../../../support/run-builders.ts';

const parts = partsOf([]);
const STARTING = statusOf(composeReport(parts), parts.view);
const DONE: RunStatus = { ...STARTING, standing: 'done' };
const away = new Failure(EXIT.unreachable, 'unreachable', 'Nothing answers.');

/** Answers these one after the other, and throws those that are errors. */
function readerOf(...answers: (RunStatus | Error)[]) {
  return vi.fn(() => {
    const next = answers.shift();
    if (!next) throw new Error('asked too often');
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
}

describe('waiting for a run', () => {
  it('looks until it is over or needs a person', async () => {
    const needs: RunStatus = { ...STARTING, standing: 'needs_person' };
    const read = readerOf(STARTING, { ...STARTING, standing: 'working' }, needs);
    expect(await awaitStanding(read, () => undefined)).toBe(needs);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('waits for an instance that is away, and says so once', async () => {
    const say = vi.fn();
    expect(await awaitStanding(readerOf(away, away, DONE), say)).toBe(DONE);
    expect(say).toHaveBeenCalledTimes(1);
  });

  it('ends with any other refusal', async () => {
    const gone = new Failure(EXIT.refused, 'session_not_found', 'There is none.');
    await expect(awaitStanding(readerOf(gone), () => undefined)).rejects.toBe(gone);
  });
});
