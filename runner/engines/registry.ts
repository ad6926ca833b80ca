import { ownEntry } from '../acts/own.ts';
import type { ApprovalsMode } from '../../protocol/launch.ts';
import { budgetTermsOf } from './budget-terms.ts';
import type { Engine, EngineCapabilities, EngineProbe, NotReady, Readiness } from './engine.ts';
import { PREFLIGHT_WITHIN_MS } from './executable.ts';
import { FORMS } from './forms.ts';
import { decideWay } from '../model-gate/lead.ts';
import { canOpenPty } from '../takeover/pty.ts';
import { rehearsal } from './rehearsal/preset.ts';
import { probeRehearsal } from './rehearsal/probe.ts';

/**
 * Every engine that this version knows, in the order in which they are offered. The forms of one
 * stand together, the plain one first: they share an id, a login and a readiness check.
 */
export const ENGINES: readonly Engine[] = [
  ...Object.values(FORMS).map(({ engine }) => engine),
  rehearsal,
];

/** The engines that a person chooses among: each once, whatever forms it has. */
export const OFFERED: readonly Engine[] = ENGINES.filter(
  ({ id }, index) => ENGINES.findIndex((engine) => engine.id === id) === index,
);

const PROBES: Readonly<Record<string, EngineProbe>> = Object.fromEntries([
  ...Object.values(FORMS).map(({ engine, probe }) => [engine.id, probe] as const),
  [rehearsal.id, probeRehearsal] as const,
]);

/**
 * The engine of this id, in the form that works in this approvals mode or, where none does, in
 * its plain one; null when this version does not know it.
 */
export function findEngine(id: string, approvals?: ApprovalsMode): Engine | null {
  const forms = ENGINES.filter((engine) => engine.id === id);
  return forms.find(({ modes }) => approvals && modes.includes(approvals)) ?? forms[0] ?? null;
}

/** The approvals modes in which the form of this engine that works can do something, or cannot. */
const modesWhere = (id: string, is: (can: EngineCapabilities) => boolean): ApprovalsMode[] =>
  ENGINES.filter((engine) => engine.id === id && is(engine.capabilities)).flatMap(
    ({ modes }) => modes,
  );

/** How the machine leads an engine's calls, and how long a look may take. */
type Look = {
  /** Whether its limits allow the model gate. Absent: calls go past it. */
  modelGate?: boolean;
  withinMs?: number;
};

/** Looks at every engine of the machine at once. Never throws: a probe that fails is a problem told. */
export async function probeEngines(env: NodeJS.ProcessEnv, look: Look = {}): Promise<Readiness[]> {
  const pty = await canOpenPty();
  return Promise.all(
    OFFERED.map(async (engine) => {
      const keysIn = pty ? modesWhere(engine.id, ({ keys }) => keys) : [];
      return {
        ...(await probeEngine(engine, env, look)),
        keys: keysIn.length > 0,
        keysIn,
        steers: modesWhere(engine.id, ({ steer }) => steer === true),
      };
    }),
  );
}

/** Looks at one engine, within a bounded time. */
export async function probeEngine(
  engine: Pick<
    Engine,
    | 'id'
    | 'label'
    | 'capabilities'
    | 'ownModel'
    | 'modelNames'
    | 'modelRoute'
    | 'home'
    | 'sealedOnly'
    | 'aside'
  > & {
    probe?: EngineProbe;
  },
  env: NodeJS.ProcessEnv,
  { modelGate = false, withinMs = PREFLIGHT_WITHIN_MS }: Look = {},
): Promise<Readiness> {
  const probe = engine.probe ?? ownEntry(PROBES, engine.id);
  const unmetered = modesWhere(engine.id, ({ usage }) => usage === 'none');
  const sealedOnly = [...(engine.sealedOnly?.(env) ?? [])];
  const unanswered = (problem: string, failure: NotReady): Readiness => ({
    engineId: engine.id,
    label: engine.label,
    ready: false,
    version: null,
    payer: 'unknown',
    credential: null,
    approvals: [],
    problem,
    remedy: 'Run `pilothouse runner doctor` on this machine.',
    executable: null,
    failure,
  });
  if (!probe) return unanswered(`There is no check for ${engine.label}.`, 'unknown');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Readiness>((resolve) => {
    timer = setTimeout(
      () =>
        resolve(
          unanswered(
            `The look at ${engine.label} did not end within ${withinMs / 1000} s.`,
            'preflight_slow',
          ),
        ),
      withinMs,
    );
  });
  try {
    const found = await Promise.race([probe(env), late]);
    const gated = decideWay(engine, found, env, modelGate)?.through === 'gate';
    return {
      ...found,
      ...(gated && { gated }),
      budget: budgetTermsOf(engine, env),
      sealable: engine.home !== undefined,
      structuredAnswer: engine.aside !== undefined,
      ...(unmetered.length > 0 && { unmetered }),
      ...(sealedOnly.length > 0 && { sealedOnly }),
    };
  } catch (error) {
    return unanswered(
      `${engine.label} could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
      'unknown',
    );
  } finally {
    clearTimeout(timer);
  }
}
