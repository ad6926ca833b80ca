import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Breach } from '../../../protocol/breach.ts';
import { actId, turnId, type ActId } from '../../../protocol/ids.ts';
import type { EngineEvent, EventOf } from '../../../protocol/engine-event.ts';
import type { ActOutcome } from '../../../protocol/act.ts';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { lookIn } from '../../../runner/guard/look-in.ts';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import type { Checkout } from '../../../runner/guard/checkout.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { claimOf, type Claim } from '../../../runner/witness/claims.ts';
import type { MergePolicy } from '../../../protocol/merge-policy.ts';
import { findBreaches, listMade } from '../../../runner/witness/breaches.ts';
import { joinReport } from '../../../runner/witness/join.ts';
import { Witness } from '../../../runner/witness/witness.ts';
import { rulesOf } from '../../support/policy-rules.ts';
import { aDirectory, commit, gitIn, requestFor, SESSION } from '../guard/repositories.ts';

export const TURN = turnId.parse('trn_witness');

/** A remote, a person's repository of it, a colleague's, and a session in a checkout or in place. */
export class WitnessRoom {
  readonly remote: string;
  readonly repository: string;
  readonly logged: string[] = [];
  readonly root = aDirectory();
  protectedBranches: string[] = [];
  policy: Partial<MergePolicy> = {};
  allowed: string[] = [];
  #made: string[] = [];
  checkout!: Checkout;
  now: () => number = Date.now;
  witness = this.#newWitness();
  #from = 0;
  #count = 0;

  private constructor() {
    this.remote = join(aDirectory(), 'remote.git');
    this.repository = join(aDirectory(), 'work');
    const seed = aDirectory();
    gitIn(seed, 'init', '--quiet', '--initial-branch=main');
    asSomebody(seed, 'Ada');
    commit(seed, 'readme.md', 'hello\n');
    gitIn(seed, 'branch', 'old');
    gitIn(seed, 'tag', 'v0');
    gitIn(seed, 'clone', '--quiet', '--bare', seed, this.remote);
    gitIn(seed, 'clone', '--quiet', this.remote, this.repository);
    asSomebody(this.repository, 'Ada');
  }

  /** A session that begins now, its refs noted. */
  static async make(mode: 'own' | 'inPlace' = 'own'): Promise<WitnessRoom> {
    const room = new WitnessRoom();
    room.checkout = await prepareCheckout(
      requestFor(room.repository, {
        root: join(room.root, 'checkouts'),
        spec: { checkout: mode },
      }),
    );
    await room.begin();
    return room;
  }

  /** The runner starts again: what is not on its disk is gone. */
  restart(): void {
    this.witness = this.#newWitness();
  }

  #newWitness(): Witness {
    return new Witness({
      root: join(this.root, 'witness'),
      env: process.env,
      log: (_level, message) => void this.logged.push(message),
      rules: (sessionId) =>
        rulesOf(
          sessionId === SESSION
            ? { protectedBranches: this.protectedBranches, ...this.policy }
            : {},
        ),
      now: () => this.now(),
    });
  }

  async begin(): Promise<void> {
    await this.witness.begin(this.checkout);
    this.#from = Date.now();
  }

  /** Where the session works. */
  get directory(): string {
    return this.checkout.directory;
  }

  /** Runs a script as the session's shell would; returns its exit code and what it said. */
  run(script: string, env: Record<string, string> = {}): { exitCode: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: this.directory,
      env: {
        PATH: process.env['PATH'],
        HOME: this.root,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
        REMOTE: this.remote,
        REPOSITORY: this.repository,
        ...env,
      },
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { exitCode: status, said: stdout + stderr };
  }

  /** A colleague's clone of the remote, with one more commit on its main that is not pushed yet. */
  colleague(): string {
    const clone = join(aDirectory(), 'colleague');
    gitIn(this.root, 'clone', '--quiet', this.remote, clone);
    asSomebody(clone, 'Grace');
    commit(clone, `colleague-${(this.#count += 1)}.md`, 'theirs\n');
    return clone;
  }

  /** What the stream would have told of a command line that ended so: `proven`, of one that ended well. */
  claim(line: string, outcome: ActOutcome | 'proven' | null = 'done'): Claim[] {
    return classifyCommand(line, lookIn(this.directory)).flatMap((act) => {
      const { provesDone, provesNotDone: _not, file, ...seen } = act;
      const claim = claimOf({
        ...seen,
        actId: this.nextActId(),
        turnId: TURN,
        toolId: 'tool-1',
        witness: 'stream',
        uncertain: act.uncertain || file !== undefined,
      });
      return claim
        ? [
            {
              ...claim,
              outcome: outcome === 'proven' ? (provesDone ? 'done' : 'unknown') : outcome,
            },
          ]
        : [];
    });
  }

  nextActId(): ActId {
    return actId.parse(`act_claim${(this.#count += 1)}`);
  }

  /** Ends a turn: brings back, looks, and joins what moved with `claims`. */
  async endTurn(
    claims: readonly Claim[] = [],
    tellsActs = true,
    guard?: Parameters<typeof joinReport>[0]['guard'],
  ): Promise<Told> {
    const until = Date.now();
    await bringBack(this.checkout, TURN);
    const seen = await this.witness.look(this.checkout, { from: this.#from, until });
    if (!seen) throw new Error('nothing was looked at');
    seen.keep();
    this.#from = Date.now();
    const { report } = seen;
    const joined = joinReport({
      sessionId: SESSION,
      turnId: TURN,
      report,
      claims,
      tellsActs,
      ...(guard && { guard }),
    });
    const { moves, settled } = joined;
    const { allowed } = this;
    const request = { turnId: TURN, report, moves, claims, settled, allowed, made: this.#made };
    const breaches = findBreaches(request);
    this.#made.push(...listMade(moves));
    return new Told(joined.events, report.elapsedMs, breaches);
  }
}

/** What a comparison made known. */
export class Told {
  readonly events: readonly EngineEvent[];
  readonly elapsedMs: number;

  readonly breaches: readonly Breach[];

  constructor(events: readonly EngineEvent[], elapsedMs: number, breaches: readonly Breach[]) {
    this.events = events;
    this.elapsedMs = elapsedMs;
    this.breaches = breaches;
  }

  of<T extends EngineEvent['type']>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> & EngineEvent => event.type === type);
  }

  /** Acts that nobody claimed, as `kind target`. */
  get discovered(): string[] {
    return this.of('act/seen').map(({ act }) => `${act.kind} ${act.target}`);
  }

  /** The same without commits where the session works, which leave nothing. */
  get left(): string[] {
    return this.discovered.filter((each) => !each.startsWith('commit '));
  }

  /** Findings about claims, as `finding ref`. */
  get findings(): string[] {
    return this.of('act/witnessed').map(
      ({ finding, move }) => `${finding} ${move ? `${move.place} ${move.ref}` : '-'}`,
    );
  }

  get summary(): EventOf<'turn/witnessed'> {
    const [summary] = this.of('turn/witnessed');
    if (!summary) throw new Error('no summary');
    return summary;
  }

  /** Moves of others, as `place ref`. */
  get others(): string[] {
    return this.summary.others.map(({ place, ref }) => `${place} ${ref}`);
  }
}

function asSomebody(directory: string, name: string): void {
  gitIn(directory, 'config', 'user.name', name);
  gitIn(directory, 'config', 'user.email', `${name.toLowerCase()}@example.com`);
}
