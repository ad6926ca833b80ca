import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { SessionId } from '../../protocol/ids.ts';
import type { SpawnPlan } from '../engines/engine.ts';
import { findExecutable } from '../engines/executable.ts';
import { messageOf } from '../failure.ts';
import type { ActRules } from '../gate/act-policy.ts';
import type { PushKeeper } from '../gate/gate-session.ts';
import { decideGuard, guardAsk, answerGuard } from '../gate/guard-desk.ts';
import { protectedPaths } from '../gate/protected-paths.ts';
import type { GateServer } from '../gate/server.ts';
import { gradeOf, type Checkout } from '../guard/checkout.ts';
import type { Secret } from '../guard/secrets.ts';
import { parseJson } from '../json.ts';
import type { Log } from '../log.ts';
import type { Watched } from '../witness/watch.ts';
import { FORGE_PROGRAMS } from './forge-programs.ts';
import { closeGuard, reopenGuard } from './guard-closed.ts';
import { forgeScript, HOOKS, hookScript, withHooks, withoutGuards } from './guard-hooks.ts';
import { sealPlaces } from './places.ts';
import { put, putProgram } from './put-program.ts';

const ASK = new URL('./guard-ask.ts', import.meta.url);
/** Who asks again does so within seconds. */
const MAX_ANSWERED = 200;
const MAX_LOGGED = 50;

/** Who knows the sessions, as their guards need them. */
export type GuardKeeper = Pick<PushKeeper, 'pushed'> & {
  /** What a session is remembered by until its refs are compared. */
  watchedOf(sessionId: SessionId): Watched | undefined;
};

export type GuardsOptions = {
  /** The runner's own directory. */
  root: string;
  gate(): GateServer;
  sessions(): GuardKeeper | null;
  /** What a session's acts are held to now; null where its policy is not known. Throws `limits_unreadable`. */
  rules(checkout: Checkout): ActRules | null;
  makeUuid(): string;
  now(): number;
  log: Log;
};

/**
 * The guards of open sessions: hooks of git and programs in front of the forges', by variables of the
 * engine's process alone, which ask the runner before something is pushed or merged. A courtesy:
 * whoever drops the variables is past it. The person's own shells never see it.
 */
export class Guards {
  readonly #options: GuardsOptions;
  readonly #attended = new Set<SessionId>();
  /** What was answered last, by who asked: who asks again is told the same, and it happened once. */
  readonly #answered = new Map<string, object>();

  constructor(options: GuardsOptions) {
    this.#options = options;
  }

  /** The plan with a guard around what it starts; as it is, where the session is not open. */
  async put(plan: SpawnPlan, checkout: Checkout): Promise<SpawnPlan> {
    if (gradeOf(checkout).grade !== 'open') return plan;
    await this.attend(checkout);
    const { guard } = sealPlaces(this.#options.root, checkout.sessionId);
    const env = withoutGuards(plan.env);
    const { base, programs } = write(guard, env);
    const before = env['PATH'] ?? '';
    return {
      ...plan,
      guarded: true,
      env: {
        ...env,
        GIT_CONFIG_PARAMETERS: base,
        ...(programs !== null && { PATH: [programs, before].filter(Boolean).join(delimiter) }),
      },
    };
  }

  /** Answers the guard of an open session, from its start or after a restart. */
  async attend(checkout: Checkout): Promise<void> {
    const { sessionId } = checkout;
    if (gradeOf(checkout).grade !== 'open' || this.#attended.has(sessionId)) return;
    const gate = this.#options.gate();
    gate.openGuard(sessionId, (asked) => this.#answer(checkout, asked));
    const { guard } = sealPlaces(this.#options.root, sessionId);
    const url = await gate.urlOf(sessionId);
    mkdirSync(guard, { recursive: true, mode: 0o700 });
    put(join(guard, 'address'), url);
    this.#attended.add(sessionId);
  }

  /** What a session's output must not show: whoever has it could ask in the session's name. */
  secretsOf(checkout: Checkout | null): Secret[] {
    if (!checkout || gradeOf(checkout).grade !== 'open') return [];
    return [{ name: 'GATE', value: this.#options.gate().tokenOf(checkout.sessionId) }];
  }

  /** Lets go of a session that is over: what is left of its processes is refused everything. */
  leave(sessionId: SessionId): void {
    this.#attended.delete(sessionId);
  }

  /** Removes the guard of a session whose place is left, but for what still refuses. */
  remove(sessionId: SessionId): void {
    this.leave(sessionId);
    closeGuard(sealPlaces(this.#options.root, sessionId).guard, this.#options.now());
  }

  #remember(asker: string, answer: object): void {
    this.#answered.set(asker, answer);
    const [oldest] = this.#answered.keys();
    if (oldest !== undefined && this.#answered.size > MAX_ANSWERED) this.#answered.delete(oldest);
  }

  /** Fails closed: what cannot be read or judged is refused, with why. */
  #answer(checkout: Checkout, asked: string): object {
    const { sessionId } = checkout;
    const { log, rules, sessions, makeUuid } = this.#options;
    try {
      const ask = guardAsk.parse(parseJson(asked));
      const asker = `${sessionId} ${ask.id}`;
      const answered = this.#answered.get(asker);
      if (ask.id !== undefined && answered) return answered;
      const held = rules(checkout);
      const keeper = sessions();
      if (!held || !keeper) return refuse('its policy is not known');
      const isProtected = protectedPaths(held.policy.protectedPaths);
      const seen = decideGuard(ask, {
        rules: held,
        protectedAmong: (paths) => paths.filter(isProtected),
        watched: keeper.watchedOf(sessionId),
      });
      log('info', 'the guard of a session was asked', {
        session: sessionId,
        do: ask.do,
        passed: seen.passed
          .slice(0, MAX_LOGGED)
          .map(({ ref }) => ref)
          .join(' '),
        refused: seen.refused.map(({ command }) => command).join('; '),
        more: seen.more ?? 0,
      });
      keeper.pushed(sessionId, { pushId: ask.id ?? makeUuid(), outcomes: [], guard: seen });
      const answer = answerGuard(seen);
      this.#remember(asker, answer);
      return answer;
    } catch (error) {
      const reason = messageOf(error);
      log('error', 'the guard of a session could not judge', { session: sessionId, reason });
      return refuse(reason);
    }
  }
}

const refuse = (reason: string): object => ({
  allow: false,
  say: `this could not be judged, and so is refused: ${reason.replaceAll(/\s+/g, ' ').slice(0, 400)}`,
});

/** Writes what a guard is made of. A forge's program stands there only where there is a real one. */
function write(
  guard: string,
  env: Readonly<Record<string, string>>,
): { base: string; programs: string | null } {
  const [hooks, programs, ask] = ['hooks', 'programs', 'ask'].map((name) => join(guard, name));
  if (!hooks || !programs || !ask) throw new Error('no places');
  mkdirSync(hooks, { recursive: true, mode: 0o700 });
  mkdirSync(programs, { recursive: true, mode: 0o700 });
  reopenGuard(guard);
  putProgram(ask, 'mts', ASK);
  const base = withHooks(env['GIT_CONFIG_PARAMETERS'], hooks);
  for (const name of HOOKS) put(join(hooks, name), hookScript(name, hooks, ask, base), 0o500);
  const there = FORGE_PROGRAMS.filter((name) => findExecutable(name, env, '', []) !== null);
  for (const name of FORGE_PROGRAMS) {
    const file = join(programs, name);
    if (there.includes(name)) put(file, forgeScript(name, ask), 0o500);
    else rmSync(file, { force: true });
  }
  return { base, programs: there.length > 0 ? programs : null };
}
