import { InvalidArgumentError } from 'commander';
import type { LaunchRequest } from '../../../protocol/http.ts';
import { EXIT, Failure } from '../../failure.ts';
import { readChecklist } from './checklist.ts';

/** The modes as they are typed. */
export const MODES = ['manual', 'pilot', 'co-pilot'] as const;

export type PilotOptions = {
  mode: (typeof MODES)[number];
  checklist?: string;
  maxTurns?: number;
  maxHours?: number;
};

/** Hours as typed (`8`, `0.5`), in milliseconds. Throws what commander shows as wrong usage. */
export function parseHours(text: string): number {
  const ms = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 3_600_000) : 0;
  if (ms < 60_000 || ms > 168 * 3_600_000)
    throw new InvalidArgumentError('Give hours, such as 8 or 0.5; at most 168, which is a week.');
  return ms;
}

/** The Pilot of a launch; null where a person drives. Throws for a Pilot that has nothing to go by. */
export function pilotOf(options: PilotOptions): LaunchRequest['pilot'] {
  const { mode, checklist, maxTurns, maxHours } = options;
  if (mode === 'manual') {
    const lost = [checklist && '--checklist', maxTurns && '--max-turns', maxHours && '--max-hours'];
    const [first] = lost.filter(Boolean);
    if (first) throw usage(`${first} is for a Pilot. Add --mode pilot, or leave it out.`);
    return null;
  }
  if (checklist === undefined)
    throw usage(
      `A ${mode} needs to know when the work is done. Name the steps and their checks with --checklist FILE.`,
    );
  return {
    mode: mode === 'pilot' ? 'pilot' : 'co_pilot',
    brain: { kind: 'checklist', steps: readChecklist(checklist) },
    bounds: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(maxHours !== undefined && { maxWallMs: maxHours }),
    },
  };
}

const usage = (sentence: string): Failure => new Failure(EXIT.usage, 'usage', sentence);
