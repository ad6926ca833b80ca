import { basename } from 'node:path';
import type { EngineReadiness } from '../../protocol/machine.ts';
import { capabilitiesOf, type EnginePreset } from '../../protocol/preset.ts';
import { createAnyAcpEngine } from './acp/any.ts';
import { createCustomEngine } from './custom/engine.ts';
import { allowedEnvironment } from './custom/environment.ts';
import type { Engine, EngineProbe, Readiness, SpawnPlan } from './engine.ts';
import { askVersion, findExecutable, isOlder } from './executable.ts';
import { type EngineForm, FORMS } from './forms.ts';
import { installRemedy, withoutVersion } from './install.ts';

const ENGINES = Object.values(FORMS).map(({ engine }) => engine);
const uniqueOf = <T>(all: readonly T[]): T[] => [...new Set(all)];

/** What any command may start, and so what it must not inherit and must not show. */
export const KNOWN: Pick<Engine, 'nestedVariables' | 'secretVariables' | 'secretFiles'> = {
  nestedVariables: uniqueOf(ENGINES.flatMap(({ nestedVariables }) => [...nestedVariables])),
  secretVariables: uniqueOf(ENGINES.flatMap(({ secretVariables }) => [...secretVariables])),
  secretFiles: (env) => uniqueOf(ENGINES.flatMap((known) => [...known.secretFiles(env)])),
};

/** An engine with the look at the machine that goes with it. */
export type PresetEngine = Engine & { probe: EngineProbe };

/** The engine that a preset describes. Whether it may run here is not decided here. */
export function engineOfPreset(preset: EnginePreset): PresetEngine {
  const base = baseOf(preset);
  const own = basename(preset.command[0]);
  const programs = base ? [own, base.engine.id] : [own];
  const engine = base ? variantOf(preset, base.engine) : anyOf(preset);
  return { ...engine, programs, probe: (env) => probePreset(preset, env) };
}

/** The form that a preset is one of; null for a program of which nothing is known. */
function baseOf({ parser }: EnginePreset): EngineForm | null {
  return parser === 'acp' || parser === 'text' ? null : FORMS[parser];
}

const anyOf = (preset: EnginePreset): Engine =>
  preset.parser === 'acp' ? createAnyAcpEngine(preset, KNOWN) : createCustomEngine(preset, KNOWN);

/**
 * The same engine with words of the person's own between its program and its flags, and with the
 * environment that was approved: in its own terminal and in a question beside it too.
 */
function variantOf(preset: EnginePreset, base: Engine): Engine {
  const { plan, interactivePlan, aside, terminalBooks, modelRoute, ownModel, home, sealedOnly } =
    base;
  const { modelAddresses } = base;
  const own = (env: NodeJS.ProcessEnv) => allowedEnvironment(env, preset.env);
  const withWords = <Plan extends SpawnPlan>(planned: Plan): Plan => {
    const [program, ...flags] = planned.argv;
    return { ...planned, argv: [program, ...preset.command.slice(1), ...flags] };
  };
  return {
    ...base,
    id: preset.id,
    label: preset.label,
    ...(preset.env && { keptVariables: preset.env }),
    plan: (launch, env, turn) => withWords(plan(launch, own(env), turn)),
    ...(interactivePlan && {
      interactivePlan: (launch, env) => withWords(interactivePlan(launch, own(env))),
    }),
    ...(aside && {
      aside: {
        ...aside,
        plan: (launch, env, question) => withWords(aside.plan(launch, own(env), question)),
      },
    }),
    ...(terminalBooks && {
      terminalBooks: {
        ...terminalBooks,
        read: (look, conversation, env) => terminalBooks.read(look, conversation, own(env)),
      },
    }),
    ...(modelRoute && { modelRoute: (env, credential) => modelRoute(own(env), credential) }),
    ...(modelAddresses && { modelAddresses: (env) => modelAddresses(own(env)) }),
    ...(ownModel && { ownModel: (env) => ownModel(own(env)) }),
    ...(home && { home: (env) => home(own(env)) }),
    ...(sealedOnly && { sealedOnly: (env) => sealedOnly(own(env)) }),
    // Whatever it is not given is a secret all the same, where it comes to it by another way.
    secretFiles: (env) => [...new Set([...base.secretFiles(env), ...base.secretFiles(own(env))])],
  };
}

/** Whether a preset's program is on this machine. Starts nothing. */
export function isInstalled(
  { command, env: allowed }: EnginePreset,
  env: NodeJS.ProcessEnv,
): boolean {
  return findExecutable(command[0], allowedEnvironment(env, allowed), '', []) !== null;
}

/** Looks for a preset's program. It is started to be looked at, so ask only for one that is approved. */
async function probePreset(preset: EnginePreset, env: NodeJS.ProcessEnv): ReturnType<EngineProbe> {
  const own = allowedEnvironment(env, preset.env);
  const [program] = preset.command;
  const executable = findExecutable(program, own, '', []);
  const { id: engineId, label, minVersion } = preset;
  const found = { engineId, label, executable, ...traitsOf(preset) };
  if (!executable) {
    const problem = `${program} is not on the PATH of this machine’s runner.`;
    const remedy =
      installRemedy(program) ?? 'Install it, or write its whole path in the command of the engine.';
    return { ...found, ...NOTHING, approvals: [], problem, remedy, failure: 'engine_missing' };
  }
  const base = baseOf(preset);
  const readiness = base
    ? {
        ...inForm(base, await base.probe({ ...own, [namedBy(base)]: executable })),
        ...traitsOf(preset),
      }
    : { ...found, ...NOTHING, approvals: [], ready: true, problem: null, remedy: null };
  if (!readiness.ready || minVersion === null) return { ...readiness, engineId, label };
  const asked = readiness.version === null ? await askVersion(executable, definedOf(own)) : null;
  const version = readiness.version ?? asked?.version ?? null;
  if (version === null && asked?.late)
    return { ...readiness, engineId, label, ready: false, ...withoutVersion(executable, asked) };
  if (version !== null && !isOlder(version, minVersion.split('.').map(Number)))
    return { ...readiness, engineId, label, version };
  const problem =
    version === null
      ? `${program} does not say its version, and the engine asks for ${minVersion}.`
      : `${program} ${version} is too old: the engine asks for ${minVersion}.`;
  const remedy = 'Update it, or ask for an older version in the engine.';
  return {
    ...readiness,
    engineId,
    label,
    version,
    ready: false,
    failure: 'engine_too_old',
    problem,
    remedy,
  };
}

/** The variable by which a probe is told of an executable. */
const namedBy = ({ engine }: EngineForm): string => `PILOTHOUSE_${engine.id.toUpperCase()}`;

/** What is offered of a base is what its one form works in, whatever other forms offer. */
function inForm({ engine: { modes } }: EngineForm, readiness: Readiness): Readiness {
  const only = (all: Readiness['approvals']) => all.filter((mode) => modes.includes(mode));
  const { approvals, asks } = readiness;
  return { ...readiness, approvals: only(approvals), ...(asks && { asks: only(asks) }) };
}

const NOTHING = { version: null, payer: 'unknown', credential: null, ready: false } as const;

/** What the machine tells of a preset's engine beside its readiness. */
const traitsOf = (preset: EnginePreset): Pick<EngineReadiness, 'capabilities'> => ({
  capabilities: capabilitiesOf(preset),
});

const definedOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
