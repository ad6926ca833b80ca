import { type EnginePreset, parsePreset, type PresetFault } from '../../protocol/preset.ts';

/** What the form holds: as typed, so that a half-typed answer is not lost. */
export type EngineDraft = {
  id: string;
  label: string;
  parser: EnginePreset['parser'];
  /** A word a line: nothing has to be quoted. */
  command: string;
  input: EnginePreset['input'];
  resumeBegin: string;
  resumeAgain: string;
  allEnv: boolean;
  env: string;
  minVersion: string;
  /** Not edited here, and kept as they are. */
  prompts: EnginePreset['prompts'];
};

export const EMPTY_ENGINE: EngineDraft = {
  id: '',
  label: '',
  parser: 'text',
  command: '',
  input: 'stdin',
  resumeBegin: '',
  resumeAgain: '',
  allEnv: true,
  env: '',
  minVersion: '',
  prompts: [],
};

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** A preset as the form shows it. */
export function draftOf(preset: EnginePreset): EngineDraft {
  const { id, label, parser, command, input, resume, env, minVersion, prompts } = preset;
  return {
    id,
    label,
    parser,
    command: command.join('\n'),
    input,
    resumeBegin: resume?.begin.join(' ') ?? '',
    resumeAgain: resume?.again.join(' ') ?? '',
    allEnv: env === null,
    env: env?.join(' ') ?? '',
    minVersion: minVersion ?? '',
    prompts,
  };
}

/** The preset that a draft stands for, or what each field still needs. */
export function presetOf(
  draft: EngineDraft,
): { ok: true; preset: EnginePreset } | { ok: false; faults: PresetFault[] } {
  const { id, label, parser, allEnv } = draft;
  const plain = parser === 'text';
  const resumes = plain && `${draft.resumeBegin}${draft.resumeAgain}`.trim() !== '';
  return parsePreset({
    id: id.trim(),
    label,
    parser,
    command: lines(draft.command),
    input: plain ? draft.input : 'stdin',
    resume: resumes ? { begin: words(draft.resumeBegin), again: words(draft.resumeAgain) } : null,
    env: allEnv ? null : words(draft.env),
    minVersion: draft.minVersion.trim() || null,
    prompts: plain && draft.input === 'argument' ? draft.prompts : [],
  });
}

/** What a field needs, as a sentence; undefined where it is as it should be. */
export function problemOf(faults: readonly PresetFault[], field: string): string | undefined {
  const fault = faults.find((each) => each.field === field || each.field.startsWith(`${field} `));
  if (!fault) return undefined;
  // A list is written otherwise in a form than in a file.
  if (fault.field === 'command') return 'Name the program, then its words, a line each.';
  const place = /\d+$/.exec(fault.field)?.[0];
  return `${place ? `Word ${place}` : 'This'} ${fault.message}.`;
}
