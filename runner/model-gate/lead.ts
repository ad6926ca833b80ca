import type { Engine, FoundEngine, ModelRoute, SpawnPlan } from '../engines/engine.ts';

/** Which way a session's calls go. */
export type ModelWay =
  | { through: 'gate'; route: ModelRoute }
  | { through: 'provider'; reason: string | null };

/**
 * Decides which way the calls of an engine go. Null for one that nobody pays for by the call: a
 * subscription's login is the provider's own affair with its program, and goes through no gate.
 */
export function decideWay(
  engine: Pick<Engine, 'modelRoute' | 'label'>,
  { payer, credential }: Pick<FoundEngine, 'payer' | 'credential'>,
  env: NodeJS.ProcessEnv,
  allowed: boolean,
): ModelWay | null {
  if (payer !== 'api-key' || credential === null) return null;
  if (!allowed)
    return { through: 'provider', reason: '`model_gate = false` in limits.toml of this machine.' };
  const route = engine.modelRoute?.(env, credential) ?? {
    problem: `The address that ${engine.label} calls cannot be set from outside.`,
  };
  return 'problem' in route
    ? { through: 'provider', reason: route.problem }
    : { through: 'gate', route };
}

const LOOPBACK = ['127.0.0.1', 'localhost'];

/**
 * Claude's terminal asks a person whether to use a key that it has not seen, by their own list of
 * those; it does not ask about a token, which the gate takes as well.
 */
const IN_TERMINAL: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'ANTHROPIC_AUTH_TOKEN',
};

/** Whether an engine is driven by its protocol, or by a person in its own terminal. */
export type EngineForm = 'headless' | 'terminal';

/**
 * The plan of an engine that calls the gate: without the key, whatever it is called, with what
 * stands for it, and with no proxy before the gate.
 */
export function leadPlan(
  plan: SpawnPlan,
  route: ModelRoute,
  { baseUrl, placeholder }: { baseUrl: string; placeholder: string },
  form: EngineForm = 'headless',
): SpawnPlan {
  const key = plan.env[route.keyVariable];
  const variable = (form === 'terminal' && IN_TERMINAL[route.keyVariable]) || route.keyVariable;
  const kept = Object.entries(plan.env).filter(
    ([name, value]) => !route.secrets.includes(name) && (!key || value !== key),
  );
  const env: Record<string, string> = {
    ...Object.fromEntries(kept),
    [variable]: placeholder,
  };
  if (Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name)))
    for (const name of ['NO_PROXY', 'no_proxy'])
      env[name] = [env[name], ...LOOPBACK].filter(Boolean).join(',');
  const modelGatePort = Number(new URL(baseUrl).port);
  return route.through({ ...plan, env, modelGatePort }, baseUrl);
}
