import { InvalidArgumentError, Option } from 'commander';
import type { BrainKey } from '../../../protocol/brain-keys.ts';
import type { LaunchRequest } from '../../../protocol/http.ts';
import { BRAIN_KINDS, type BrainSpec, type ChecklistStep } from '../../../protocol/pilot.ts';
import { EXIT, Failure } from '../../failure.ts';
import { findBrainKey } from '../brain-keys/find.ts';
import { readChecklist } from './checklist.ts';

/** The modes as they are typed. */
export const MODES = ['manual', 'pilot', 'co-pilot'] as const;

export type PilotOptions = {
  mode: (typeof MODES)[number];
  checklist?: string;
  brain?: BrainSpec['kind'];
  brainKey?: string;
  brainModel?: string;
  maxTurns?: number;
  maxHours?: number;
  beginAnew?: true;
};

/** What decides a Pilot's next step, wherever a session is launched from. */
export const BRAIN_OPTIONS = {
  brain: () =>
    new Option('--brain <brain>', 'what decides a Pilot’s next step (default: checklist)').choices(
      BRAIN_KINDS,
    ),
  key: () =>
    new Option(
      '--brain-key <key>',
      'key of its API, by id or name (default: the only one there is)',
    ),
  model: () =>
    new Option(
      '--brain-model <model>',
      'model that decides (with --brain engine, left out: the session’s)',
    ),
} as const;

/** Hours as typed (`8`, `0.5`), in milliseconds. Throws what commander shows as wrong usage. */
export function parseHours(text: string): number {
  const ms = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 3_600_000) : 0;
  if (ms < 60_000 || ms > 168 * 3_600_000)
    throw new InvalidArgumentError('Give hours, such as 8 or 0.5; at most 168, which is a week.');
  return ms;
}

/** Which option names which value, for the words of a refusal. */
const OPTIONS = {
  checklist: '--checklist',
  brain: '--brain',
  brainKey: '--brain-key',
  brainModel: '--brain-model',
  maxTurns: '--max-turns',
  maxHours: '--max-hours',
  beginAnew: '--begin-anew',
} as const satisfies Partial<Record<keyof PilotOptions, string>>;

/**
 * The Pilot of a launch; null where a person drives. `listKeys` is asked only where a brain needs a
 * key. Throws for a Pilot that has nothing to go by.
 */
export async function pilotOf(
  options: PilotOptions,
  listKeys: () => Promise<readonly BrainKey[]>,
): Promise<LaunchRequest['pilot']> {
  const { mode, checklist, maxTurns, maxHours, beginAnew } = options;
  if (mode === 'manual') {
    const lost = given(options, [
      'checklist',
      'brain',
      'brainKey',
      'brainModel',
      'maxTurns',
      'maxHours',
      'beginAnew',
    ]);
    if (lost) throw usage(`${lost} is for a Pilot. Add --mode pilot, or leave it out.`);
    return null;
  }
  if (checklist === undefined)
    throw usage(
      `A ${mode} needs to know when the work is done. Name the steps and their checks with --checklist FILE.`,
    );
  return {
    mode: mode === 'pilot' ? 'pilot' : 'co_pilot',
    brain: await brainOf(options, readChecklist(checklist), listKeys),
    bounds: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(maxHours !== undefined && { maxWallMs: maxHours }),
    },
    ...(beginAnew && { beginsAnew: true }),
  };
}

async function brainOf(
  options: PilotOptions,
  steps: ChecklistStep[],
  listKeys: () => Promise<readonly BrainKey[]>,
): Promise<BrainSpec> {
  const { brain: kind = 'checklist', brainKey, brainModel } = options;
  switch (kind) {
    case 'checklist': {
      const lost = given(options, ['brainKey', 'brainModel']);
      if (lost)
        throw usage(
          `${lost} is for a brain that is a model. Add --brain api or --brain engine, or leave it out.`,
        );
      return { kind, steps };
    }
    case 'engine': {
      const lost = given(options, ['brainKey']);
      if (lost)
        throw usage(
          `${lost} is for a brain of an API. The engine decides with its own login: leave it out, or take --brain api.`,
        );
      return { kind, model: brainModel ?? null, steps };
    }
    case 'api': {
      if (brainModel === undefined)
        throw usage('A brain of an API needs a model. Name one with --brain-model MODEL.');
      const { keyId } = findBrainKey(await listKeys(), brainKey);
      return { kind, keyId, model: brainModel, steps };
    }
    default:
      return kind satisfies never;
  }
}

function given(options: PilotOptions, names: readonly (keyof typeof OPTIONS)[]): string | null {
  const name = names.find((each) => options[each] !== undefined);
  return name ? OPTIONS[name] : null;
}

const usage = (sentence: string): Failure => new Failure(EXIT.usage, 'usage', sentence);
