import { PilothouseError } from '../../../protocol/errors.ts';
import { approvalsMode } from '../../../protocol/launch.ts';
import { capabilitiesOf, type EnginePreset, SESSION_SLOT } from '../../../protocol/preset.ts';
import { patch, step } from '../draft.ts';
import type { Engine, EngineLaunch, EngineTurn, SpawnPlan } from '../engine.ts';
import { namingImages } from '../images.ts';
import { engineEnvironment } from '../environment.ts';
import { allowedEnvironment } from './environment.ts';
import { type CustomState, openState } from './state.ts';
import { beginTurn, readExit, readLine } from './turn.ts';

/** Linux takes no longer argument (`MAX_ARG_STRLEN`), its closing zero byte included. */
const ARGUMENT_MAX_BYTES = 128 * 1024 - 1;

/**
 * Any command as an engine: it gets the text, what it prints is the answer, its exit the end.
 * `known`: marks and credentials of the engines that it may start in its turn.
 */
export function createCustomEngine(
  preset: EnginePreset,
  known: Pick<Engine, 'nestedVariables' | 'secretVariables' | 'secretFiles'>,
): Engine<CustomState> {
  return {
    id: preset.id,
    label: preset.label,
    form: null,
    // It asks nobody in any of them: what it does unasked was approved on the machine.
    modes: approvalsMode.options,
    capabilities: { ...capabilitiesOf(preset), keys: false },
    ...known,
    ...(preset.env && { keptVariables: preset.env }),
    ...(preset.prompts.length > 0 && { prompts: preset.prompts }),
    plan: (launch, env, turn) => plan(preset, launch, env, known.nestedVariables, turn),
    open: (launch) => ({ state: openState(launch), items: [] }),
    parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
    exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
    encodeInstruction: (state, { turnId }, at) =>
      step(state, at, (draft) => beginTurn(draft, turnId)),
    // It asks nobody, so that there is nothing to answer.
    encodeAnswer: (state) => ({ state, items: [] }),
    encodeInterrupt: (state, at) =>
      step(state, at, (draft) => {
        patch(draft, { interrupting: true });
        draft.items.push({ kind: 'signal', signal: 'SIGINT' });
      }),
  };
}

function plan(
  preset: EnginePreset,
  launch: EngineLaunch,
  env: NodeJS.ProcessEnv,
  nested: readonly (string | RegExp)[],
  turn: EngineTurn | undefined,
): SpawnPlan {
  const { command, resume, input } = preset;
  const slot = resume ? (launch.resume ? resume.again : resume.begin) : [];
  const conversation = slot.map((word) => word.replaceAll(SESSION_SLOT, launch.engineSessionId));
  const text = turn ? namingImages(turn.text, turn.images) : '';
  return {
    argv: [
      launch.executable,
      ...command.slice(1),
      ...conversation,
      ...(input === 'argument' ? [argumentOf(text)] : []),
    ],
    directory: launch.directory,
    env: engineEnvironment(allowedEnvironment(env, preset.env), nested, {}),
    // A pipe only where it may be answered: else what it asks gets the end of its input at once.
    ...(preset.prompts.length === 0 && { input: input === 'stdin' ? text : '' }),
  };
}

/**
 * The text as one argument. What begins like an option is not one: a space before it is enough
 * for every parser of options. Throws `payload_too_large`.
 */
function argumentOf(text: string): string {
  const plain = text.replaceAll('\0', '');
  const argument = plain.startsWith('-') ? ` ${plain}` : plain;
  if (Buffer.byteLength(argument) <= ARGUMENT_MAX_BYTES) return argument;
  throw new PilothouseError('payload_too_large', {
    detail: `this engine takes the instruction as an argument, of which the system allows ${ARGUMENT_MAX_BYTES} bytes`,
  });
}
