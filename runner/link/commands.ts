import type { StatementSync } from 'node:sqlite';
import { z } from 'zod';
import {
  ACTING_METHODS,
  commandResult,
  type Command,
  type CommandResult,
} from '../../protocol/command.ts';
import { decideCommand, type CommandRecord } from '../../protocol/delivery.ts';
import { PilothouseError, sentenceOf, type ErrorCode } from '../../protocol/errors.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { messageOf } from '../failure.ts';
import type { Log } from '../log.ts';
import { parseColumn, type Store } from './store.ts';

/** How long an answered command is remembered: far longer than any resend of it can take. */
const KEEP_ANSWERED_MS = 7 * 24 * 60 * 60 * 1000;

export type CommandsOptions = {
  store: Store;
  /**
   * Carries a command out. Answers its result, or null when whoever took it on will record the
   * result itself with {@link Commands.record}, in the transaction of the effect.
   */
  execute(command: Command): Promise<CommandResult | null>;
  send(id: CommandId, result: CommandResult): void;
  log: Log;
  now(): number;
};

/** A refusal or failure as a command's result: the code is branched on, the sentence is shown. */
export function failedResult(error: unknown): CommandResult {
  if (error instanceof PilothouseError)
    return { ok: false, code: error.code, message: error.message };
  return refusedResult('internal', messageOf(error));
}

export function refusedResult(code: ErrorCode, detail?: string): CommandResult {
  return { ok: false, code, message: sentenceOf(code, detail ? { detail } : {}) };
}

/**
 * Carries out each command at most once, however often it arrives and whenever this process
 * dies: its id is durable before the effect, its result is durable with it.
 */
export class Commands {
  readonly #options: CommandsOptions;
  readonly #running = new Set<CommandId>();
  readonly #find: StatementSync;
  readonly #save: StatementSync;
  readonly #progress: StatementSync;
  readonly #prune: StatementSync;

  constructor(options: CommandsOptions) {
    const { db } = options.store;
    this.#options = options;
    this.#find = db.prepare('SELECT state, result FROM commands WHERE id = ?');
    this.#save = db.prepare(
      `INSERT INTO commands (id, session_id, method, state, result, at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, result = excluded.result, at = excluded.at`,
    );
    this.#progress = db.prepare('UPDATE commands SET state = ?, result = ?, at = ? WHERE id = ?');
    this.#prune = db.prepare("DELETE FROM commands WHERE state = 'done' AND at < ?");
  }

  /** Takes a command from the link. Never throws: whatever happens becomes its result. */
  async receive(command: Command): Promise<void> {
    const { now, send, log } = this.#options;
    const record = ACTING_METHODS.has(command.method) ? this.#read(command.id) : ABSENT;
    const decision = decideCommand(
      record,
      this.#running.has(command.id),
      command.deadlineAt,
      now(),
    );
    switch (decision) {
      case 'already_running':
        return;
      case 'answer_from_record':
        if (record.result) send(command.id, record.result);
        return;
      case 'expired':
        return this.#answer(command, refusedResult('expired'));
      case 'unknown':
        return this.#answer(command, refusedResult('unknown_outcome'));
      case 'execute':
        break;
      default:
        return decision satisfies never;
    }
    if (ACTING_METHODS.has(command.method)) this.#write(command, 'received', null);
    this.#running.add(command.id);
    try {
      const result = await this.#options.execute(command);
      if (result) this.#answer(command, result);
    } catch (error) {
      log('error', 'a command failed', {
        command: command.id,
        method: command.method,
        reason: messageOf(error),
      });
      this.#answer(command, failedResult(error));
    }
  }

  /**
   * Records how far an acting command got, inside the caller's transaction: `handed` right before
   * an effect that cannot be taken back, a result with the effect's own record.
   */
  record(id: CommandId, progress: 'handed' | CommandResult): void {
    const { store, now } = this.#options;
    if (this.#read(id).state === 'done') return;
    const result = progress === 'handed' ? null : JSON.stringify(progress);
    this.#progress.run(result === null ? 'handed' : 'done', result, now(), id);
    if (progress === 'handed') return;
    store.afterCommit(() => {
      this.#running.delete(id);
      this.#options.send(id, progress);
    });
  }

  /** Forgets what was answered long ago. */
  prune(): void {
    this.#prune.run(this.#options.now() - KEEP_ANSWERED_MS);
  }

  #answer(command: Command, result: CommandResult): void {
    if (ACTING_METHODS.has(command.method)) this.#write(command, 'done', result);
    this.#running.delete(command.id);
    this.#options.send(command.id, result);
  }

  #read(id: CommandId): CommandRecord & { result: CommandResult | null } {
    const row = this.#find.get(id);
    if (!row) return ABSENT;
    const state = recordState.parse(row['state']);
    const result =
      row['result'] === null
        ? null
        : commandResult.parse(parseColumn(row['result'], 'commands.result'));
    return { state, result };
  }

  #write(
    command: Pick<Command, 'id' | 'sessionId' | 'method'>,
    state: 'received' | 'handed' | 'done',
    result: CommandResult | null,
  ): void {
    const json = result === null ? null : JSON.stringify(result);
    this.#save.run(command.id, command.sessionId, command.method, state, json, this.#options.now());
  }
}

const ABSENT = { state: 'absent', result: null } as const;
const recordState = z.enum(['received', 'handed', 'done']);
