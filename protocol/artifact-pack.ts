import { z } from 'zod';
import { actDecider, actOutcome, actSeen } from './act.ts';
import {
  engineError,
  type EventOf,
  feedEntry,
  type FeedEntry,
  type FeedEvent,
} from './engine-event.ts';
import { launchId, runnerId } from './ids.ts';
import { launchSpec, launchStage } from './launch.ts';
import { machineFacts } from './machine.ts';
import { sessionView, type SessionView } from './session-view.ts';
import { ActCollector } from './run-acts.ts';
import { actWitness } from './witness.ts';

/** The last entries of the record that go into a pack: what led to the end, not the whole work. */
export const PACK_LAST_ENTRIES = 200;

const packedLaunch = z.object({
  launchId,
  stages: z.array(z.object({ stage: launchStage, at: z.int() })),
  /** The process of the launch, or of its last resumption; `environment` holds names alone. */
  process: z
    .object({
      pid: z.int(),
      argv: z.array(z.string()),
      directory: z.string(),
      environment: z.array(z.string()),
      resumed: z.array(z.string()).optional(),
    })
    .nullable(),
  engine: z
    .object({
      at: z.int(),
      version: z.string().nullable(),
      model: z.string().nullable(),
      credential: z.string().nullable(),
      engineSessionId: z.string(),
    })
    .nullable(),
  failure: z
    .object({
      at: z.int(),
      state: z.string(),
      stage: launchStage,
      error: engineError,
      elapsedMs: z.int(),
      stderrTail: z.array(z.string()),
    })
    .nullable(),
  exits: z.array(
    z.object({
      at: z.int(),
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      expected: z.boolean(),
      stderrTail: z.array(z.string()),
    }),
  ),
});
export type PackedLaunch = z.infer<typeof packedLaunch>;

/**
 * The evidence of one session, to keep or to hand on: how each launch went, what ran, what the
 * turns cost and did, how it ended. Secrets are in none of it: everything in a record was
 * redacted on the machine.
 */
export const artifactPack = z.object({
  format: z.literal(1),
  madeAt: z.int(),
  launch: launchSpec,
  machine: z.object({
    runnerId,
    name: z.string(),
    /** Null when the machine never told them. */
    facts: machineFacts
      .pick({ platform: true, arch: true, nodeVersion: true, pilothouseVersion: true })
      .nullable(),
  }),
  session: sessionView.omit({ launch: true }),
  launches: z.array(packedLaunch),
  acts: z.array(
    z.object({
      at: z.int(),
      act: actSeen,
      outcome: actOutcome.nullable(),
      /** Who decided that, and why, where it was the policy or the forge. */
      decidedBy: actDecider.nullable().default(null),
      reason: z.string().nullable().default(null),
      witnesses: z.array(actWitness).default([]),
    }),
  ),
  /** Entries of the whole record; the last of them are in `last`. */
  entries: z.int().nonnegative(),
  last: z.array(feedEntry),
});
export type ArtifactPack = z.infer<typeof artifactPack>;

/** Collects from a record, page by page, what a pack needs of it. */
export class PackCollector {
  readonly #launches = new Map<string, PackedLaunch>();
  readonly #acts = new ActCollector();
  #current: PackedLaunch | null = null;
  #entries = 0;
  #last: FeedEntry[] = [];

  add(entries: readonly FeedEntry[]): void {
    for (const { at, event } of entries) this.#event(event, at);
    this.#entries += entries.length;
    this.#last = [...this.#last, ...entries].slice(-PACK_LAST_ENTRIES);
  }

  /** The pack of a session as it stands after everything that was added. */
  pack(view: SessionView, machine: ArtifactPack['machine'], nowMs: number): ArtifactPack {
    const { launch, ...session } = view;
    return {
      format: 1,
      madeAt: nowMs,
      launch,
      machine,
      session,
      launches: [...this.#launches.values()],
      acts: this.#acts.joined().map(({ at, act, outcome, decidedBy, reason, witnesses }) => ({
        at,
        act,
        outcome,
        decidedBy,
        reason,
        witnesses: [...witnesses],
      })),
      entries: this.#entries,
      last: this.#last,
    };
  }

  #event(event: FeedEvent, at: number): void {
    switch (event.type) {
      case 'launch/staged': {
        const launch = this.#launchOf(event.launchId);
        launch.stages.push({ stage: event.stage, at });
        if (event.process) launch.process = event.process;
        return;
      }
      case 'engine/ready':
        this.#launchOf(event.launchId).engine = {
          at,
          version: event.engineVersion,
          model: event.model,
          credential: event.credential,
          engineSessionId: event.engineSessionId,
        };
        return;
      case 'launch/failed': {
        const { state, stage, error, elapsedMs, stderrTail } = event;
        const failure = { at, state, stage, error, elapsedMs, stderrTail };
        this.#launchOf(event.launchId).failure = failure;
        return;
      }
      case 'engine/exited':
        this.#launchOf(event.launchId).exits.push(exitOf(event, at));
        return;
      case 'act/seen':
      case 'act/ended':
      case 'act/witnessed':
        this.#acts.hear(event, at);
        return;
      default:
        return;
    }
  }

  #launchOf(id: PackedLaunch['launchId']): PackedLaunch {
    if (this.#current?.launchId === id) return this.#current;
    const launch = this.#launches.get(id) ?? {
      launchId: id,
      stages: [],
      process: null,
      engine: null,
      failure: null,
      exits: [],
    };
    this.#launches.set(id, launch);
    this.#current = launch;
    return launch;
  }
}

function exitOf(event: EventOf<'engine/exited'>, at: number): PackedLaunch['exits'][number] {
  const { exitCode, signal, expected, stderrTail } = event;
  return { at, exitCode, signal, expected, stderrTail };
}
