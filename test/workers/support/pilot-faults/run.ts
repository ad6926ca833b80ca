import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { launched } from '../../../../protocol/http.ts';
import type { SessionId } from '../../../../protocol/ids.ts';
import type { PilotAsk } from '../../../../protocol/pilot.ts';
import { type PilotView, pilotView } from '../../../../protocol/pilot-view.ts';
import { ask, registerRunner } from '../http.ts';
import { feedStub, relayStub } from '../sessions.ts';
import { scriptBrain, type ScriptedBrain } from './brain-api.ts';
import { Chance } from './chance.ts';
import { killDriver, twin, wakeDriver } from './drivers.ts';
import type { Surroundings } from './faults.ts';
import { FaultyLink } from './link.ts';
import { FakeMachine } from './machine.ts';
import type { FaultStand } from './stand.ts';
import { judge, type Law, type Seen, type UsageRow } from './oracle.ts';

/** Ticks without anything moving after which the run is looked at. */
const QUIET = 6;
const TICKS_MAX = 3_000;
/** How long nothing happens where something should, ever longer: a driver looks again after ten minutes. */
const STILL_MINUTES = [2, 11, 70];
const ASKS_MAX = 14;
const MINUTE_MS = 60_000;
const DIRECTORY = '/home/person/work';
const OVER = ['finished', 'stopped', 'failed'];

export type Verdict = { laws: Law[]; seen: Seen };

/** One run from its launch to where it ends or stands, through the faults of its seed. */
export class FaultRun {
  readonly #chance: Chance;
  readonly #around: Surroundings;
  readonly #wishes: string[][] = [];
  readonly #maxTurns: number;
  readonly #beginsAnew: boolean;
  /** Turns beyond those of a short conversation. */
  readonly #more: number;
  readonly #limit: number | null;
  readonly #cli: string;
  #sessionId = '' as SessionId;
  #relay!: ReturnType<typeof relayStub>;
  #machine!: FakeMachine;
  #link!: FaultyLink;
  #brain: ScriptedBrain | null = null;
  #asks = 0;
  readonly #underway = new Set<Promise<void>>();
  #looks = 0;
  #step = 0;

  /** `longs` makes it a run whose conversation grows long and may be begun anew, whatever is drawn. */
  constructor(seed: number, { cli, around }: FaultStand, longs = false) {
    this.#chance = new Chance(seed);
    this.#cli = cli;
    this.#around = around;
    this.#beginsAnew = this.#chance.happens('begins anew', 0.3) || longs;
    this.#more = this.#beginsAnew ? 3 : 0;
    this.#maxTurns = this.#chance.between('max turns', 2, 7) + this.#more;
    this.#limit = this.#chance.happens('budget', 0.4)
      ? this.#chance.between('limit', 800, 3_000)
      : null;
  }

  /** Lives through the run and judges what is seen of it afterwards. */
  async judge(): Promise<Verdict> {
    try {
      await this.#launch();
      this.#around.failBatches(this.#chance);
      await this.#live();
      await this.#settle();
      return await this.#verdict();
    } finally {
      await this.#leave();
    }
  }

  /** What stands is ended, so that nobody looks after it during the runs that follow. */
  async #leave(): Promise<void> {
    this.#around.calm();
    this.#link?.leave(Infinity);
    await this.#post(`/v1/sessions/${this.#sessionId}/pilot`, { action: 'stop' });
  }

  async #launch(): Promise<void> {
    const runner = await registerRunner();
    this.#relay = relayStub(runner);
    this.#machine = new FakeMachine(
      this.#chance,
      Date.now,
      (id, result) => this.#link.answer(id, result),
      this.#more,
    );
    this.#link = new FaultyLink(runner, this.#chance, this.#machine.outbox, (command) =>
      this.#machine.take(command),
    );
    await this.#link.open();
    if (this.#limit !== null) {
      const scope = { kind: 'repository', runnerId: runner.runnerId, directory: DIRECTORY };
      const terms = { unit: 'dollars', renews: 'never', limit: this.#limit, basedOn: 0 };
      await this.#post('/v1/budgets', { scope, ...terms });
    }
    const kind = this.#chance.one('brain kind', ['checklist', 'checklist', 'engine', 'api']);
    if (kind === 'api') this.#brain = await scriptBrain(this.#cli, this.#chance);
    const steps = [{ title: 'Reached', check: 'test reached' }];
    const pilot = {
      mode: this.#chance.happens('co-pilot', 0.3) ? 'co_pilot' : 'pilot',
      brain: { kind, steps, ...this.#brain?.spec },
      bounds: { maxTurns: this.#maxTurns },
      beginsAnew: this.#beginsAnew,
    };
    const what = { engineId: 'rehearsal', directory: DIRECTORY, objective: 'Reach it', pilot };
    const answer = await this.#post('/v1/sessions', { runnerId: runner.runnerId, ...what });
    this.#sessionId = launched.parse(answer.body).sessionId;
    this.#machine.outbox.sessionId = this.#sessionId;
  }

  async #live(): Promise<void> {
    let quiet = 0;
    for (let tick = 0; tick < TICKS_MAX; tick++) {
      await this.#fail();
      const moved = await this.#link.tick();
      const worked = !this.#link.isAway && this.#machine.tick();
      await scheduler.wait(1);
      quiet = moved || worked ? 0 : quiet + 1;
      if (quiet < QUIET) continue;
      quiet = 0;
      if (await this.#look()) return;
    }
  }

  /** What befalls it at this moment, beside what befalls its frames. */
  async #fail(): Promise<void> {
    const drawn = (what: string, likelihood: number) => this.#chance.happens(what, likelihood);
    if (drawn('feed dies', 0.006)) this.#beside(evict(feedStub(this.#sessionId)));
    if (drawn('relay dies', 0.006)) this.#beside(evict(this.#relay));
    if (drawn('machine dies', 0.006)) {
      this.#machine.crash();
      this.#link.leave(this.#chance.between('restart', 2, 20));
    }
    if (drawn('away for hours', 0.002)) {
      this.#link.leave(40);
      this.#around.jump(this.#chance.between('hours', 1, 3) * 60 * MINUTE_MS);
    }
    if (drawn('driver dies', 0.006)) await killDriver(this.#sessionId);
    if (drawn('twin', 0.01)) this.#beside(twin(this.#sessionId, this.#chance));
    if (drawn('clock jumps', 0.004)) await this.#pass(this.#chance.between('minutes', 1, 20));
  }

  /** Is done while the run goes on: it may wait for the very machine that goes on with it. */
  #beside(work: Promise<void>): void {
    this.#underway.add(work);
    void work.finally(() => this.#underway.delete(work));
  }

  /** Nothing moves: does what lets it go on. True where it is over, or stands and is left so. */
  async #look(): Promise<boolean> {
    const pilot = await this.#read();
    if (!pilot) return (await this.#pass(2), false);
    if (OVER.includes(pilot.status)) return pilot.finishedAt !== null;
    if (pilot.status === 'waiting_person' || pilot.status === 'paused') {
      if (this.#asks >= ASKS_MAX || this.#chance.happens('left standing', 0.12)) return true;
      await this.#wish(pilot);
      return false;
    }
    const still = this.#stillAt(pilot.step);
    if (pilot.status === 'waiting_until' && pilot.until !== null)
      await this.#pass((pilot.until - Date.now()) / MINUTE_MS + still);
    else if (this.#machine.request !== null && still < 4) await this.#answer(this.#machine.request);
    else if (still > 2) await this.#pass(STILL_MINUTES[still - 3] ?? 90);
    this.#link.return();
    return false;
  }

  /** How often in a row it was seen in this step, with nothing that moves. */
  #stillAt(step: number): number {
    this.#looks = step === this.#step ? this.#looks + 1 : 1;
    this.#step = step;
    return this.#looks;
  }

  /** A person says something, sometimes twice at once and not the same. */
  async #wish({ step, status, proposal }: PilotView): Promise<void> {
    this.#asks += 1;
    const words = (which: string) => `Do it thus: ${this.#asks} ${which}`;
    const path = `/v1/sessions/${this.#sessionId}/pilot`;
    const say = (body: PilotAsk) => this.#post(path, body).catch(() => undefined);
    const drawn = this.#chance.next('wish');
    if (status === 'paused' || (drawn < 0.35 && proposal === null)) await say({ action: 'resume' });
    else if (drawn < 0.42) await say({ action: 'pause' });
    else if (drawn < 0.5) await say({ action: 'objective', objective: words('objective') });
    else if (drawn < 0.53) await say({ action: 'stop' });
    else if (drawn < 0.75) {
      const group = [words('a'), words('b')];
      this.#wishes.push(group);
      await Promise.all(group.map((instruction) => say({ action: 'confirm', step, instruction })));
    } else await Promise.all([say({ action: 'confirm', step }), say({ action: 'confirm', step })]);
  }

  async #answer(requestId: string): Promise<void> {
    const path = `/v1/sessions/${this.#sessionId}/approvals/${requestId}`;
    await Promise.all(
      ['allow', 'deny', 'allow'].map((decision) =>
        this.#post(path, { decision }).catch(() => undefined),
      ),
    );
  }

  /** So many minutes pass, and what was due in them is done late. */
  async #pass(minutes: number): Promise<void> {
    this.#around.jump(Math.max(0, Math.ceil(minutes * MINUTE_MS)));
    this.#link.greet();
    await this.#ring();
  }

  async #ring(): Promise<void> {
    const sweeper = env.PILOT_SWEEPER.getByName('all');
    for (const object of [this.#relay, feedStub(this.#sessionId), sweeper])
      await runDurableObjectAlarm(object).catch(() => false);
    await wakeDriver(this.#sessionId);
  }

  /** Nothing fails any more, and everything that is under way arrives. */
  async #settle(): Promise<void> {
    this.#link.calm = true;
    this.#machine.calm = true;
    this.#around.calm();
    this.#link.return();
    for (let tick = 0, still = 0; tick < 2_000 && still < 2 * QUIET; tick++) {
      const moved = await this.#link.tick();
      const worked = this.#machine.tick();
      await scheduler.wait(1);
      const busy = !this.#link.isEmpty || this.#underway.size > 0;
      still = moved || worked || busy ? 0 : still + 1;
      if (tick % 200 === 199) await this.#pass(2);
    }
  }

  /** Judged again while the database catches up: what is broken for good stays broken. */
  async #verdict(): Promise<Verdict> {
    for (let tries = 0; ; tries++) {
      const seen = await this.#see();
      const laws = judge(seen);
      if (laws.length === 0 || tries >= 12) return { laws, seen };
      if (tries > 3) await this.#pass(20 * tries);
      await this.#catchUp();
    }
  }

  async #catchUp(): Promise<void> {
    for (let tick = 0; tick < 3 * QUIET; tick++) {
      await this.#link.tick();
      this.#machine.tick();
      await scheduler.wait(1);
    }
    await this.#ring();
  }

  async #see(): Promise<Seen> {
    const { witness } = this.#machine;
    const rows = async <T>(query: string): Promise<T[]> =>
      (await env.DB.prepare(query).bind(this.#sessionId).all<T>()).results;
    const pilot = await this.#read();
    const usage = await rows<UsageRow>(
      'SELECT engine_id, turn_id, provenance, input_tokens, micro_usd FROM usage_entries WHERE session_id = ?',
    );
    const decided = await rows<Seen['decided'][number]>(
      "SELECT request_id, decision FROM approval_decisions WHERE session_id = ? AND origin = 'person'",
    );
    const steps = await rows<{ step: number }>(
      'SELECT step FROM pilot_steps WHERE session_id = ? ORDER BY step',
    );
    const served = (await this.#brain?.served()) ?? [];
    return {
      ...witness,
      served,
      usage,
      decided,
      steps: steps.map(({ step }) => step),
      pilot: pilot ?? NO_PILOT,
      nowMs: Date.now(),
      asks: this.#machine.request !== null,
      maxTurns: this.#maxTurns,
      limit: this.#limit,
      wishes: this.#wishes,
    };
  }

  async #read(): Promise<PilotView | null> {
    const path = `/v1/sessions/${this.#sessionId}/pilot`;
    const answer = await ask('GET', path, { bearer: this.#cli });
    return answer.status === 200 ? pilotView.parse(answer.body) : null;
  }

  #post(path: string, body: unknown) {
    return ask('POST', path, { bearer: this.#cli, body });
  }
}

const NO_PILOT = {
  status: 'unreadable',
  reason: '',
  hold: null,
  proposal: null,
  until: null,
  finishedAt: null,
};

/** Only an object that is awake can be put to sleep; one at work may be cut off in it. */
async function evict(stub: DurableObjectStub): Promise<void> {
  await evictDurableObject(stub).catch(() => undefined);
}
