import { type EngineEntry, variedBy } from '../../../protocol/engines.ts';
import { PARSERS } from '../../../protocol/parsers.ts';
import { BLIND_SENTENCE } from '../../../protocol/engine-authority.ts';
import { type EnginePreset, isUnmetered } from '../../../protocol/preset.ts';
import { EXIT, Failure } from '../../failure.ts';
import { findLimitsPath, readLimits } from '../../limits.ts';
import {
  findApprovalsPath,
  isApproved,
  readApprovedEngines,
} from '../../limits/approved-engines.ts';
import type { Api } from '../api.ts';

/** What a person is told of an engine's own ways, a line each. */
export function describePreset(preset: EnginePreset): string[] {
  const { parser, input, resume, env, minVersion, prompts } = preset;
  const words = (list: readonly string[]) => list.join(' ');
  return [
    `  read as    ${PARSERS[parser].label}`,
    ...(parser === 'text'
      ? [
          `  text       ${input === 'stdin' ? 'on standard input' : 'as the last argument: others on the machine can read it'}`,
          `  resume     ${resume ? `${words(resume.begin)} / ${words(resume.again)}` : 'none: each turn is a new conversation'}`,
        ]
      : []),
    ...meteringOf(preset),
    `  variables  ${env === null ? 'all of the runner’s' : env.length === 0 ? 'the ordinary ones' : `the ordinary ones and ${env.join(', ')}`}`,
    ...prompts.map(
      ({ text, answers }) =>
        `  prompt     “${text}” may be answered from afar: ${answers.join(', ')}`,
    ),
    ...(minVersion === null ? [] : [`  version    ${minVersion} or newer`]),
  ];
}

/** How much of its spend and acts is known, where that is not everything. */
function meteringOf(preset: EnginePreset): string[] {
  if (!isUnmetered(preset)) return [];
  switch (preset.parser) {
    case 'acp':
      return [
        '  metering   unmetered: what it tells of its cost is kept and may not be all; its acts are those it tells of',
        '  approvals  by rules of its own: what it asks comes to you, and it does the rest unasked',
      ];
    case 'text':
      return [
        '  metering   unmetered: its cost is not known, its acts are witnessed only',
        `  not seen   ${BLIND_SENTENCE}`,
      ];
    default:
      return ['  metering   unmetered: its cost is not known; its acts are seen'];
  }
}

/** Where an engine comes from, and whether anybody has seen it work. */
export function describeOrigin(entry: EngineEntry): string {
  const { origin, verified, version, inPlaceOf } = entry;
  const varied = variedBy(entry);
  if (inPlaceOf !== undefined) return `yours, version ${version}, in the place of ${inPlaceOf}`;
  if (origin === 'own') return `yours, version ${version}${varied ? `, of ${varied.label}` : ''}`;
  return verified ? 'verified' : 'unverified';
}

/** Reads an engine that there is now. Throws for one that was removed, with what to do. */
export async function readEntry(api: Api, engineId: string): Promise<EngineEntry> {
  const { entry } = await api.readEngine(engineId);
  if (entry) return entry;
  throw new Failure(
    EXIT.refused,
    'engine_preset_not_found',
    `${engineId} was removed. \`pilothouse engines history ${engineId}\` lists its versions; \`pilothouse engines restore ${engineId} VERSION\` brings one back.`,
  );
}

/** Where this machine's approvals stand. */
export const approvalsPath = (): string => findApprovalsPath(findLimitsPath(process.env));

/** Whether an engine may run on this machine, as far as approval goes. */
export function approvedHere({ preset, verified }: EngineEntry): boolean {
  if (verified) return true;
  const { commands } = readLimits(findLimitsPath(process.env));
  return isApproved(preset, readApprovedEngines(approvalsPath()), commands);
}
