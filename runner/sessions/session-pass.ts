import type { CommandResult } from '../../protocol/command.ts';
import type { EngineEvent, TextDelta } from '../../protocol/engine-event.ts';
import { messageOf } from '../failure.ts';
import type { Redactor } from '../guard/redact.ts';
import type { Engine, EngineItem, EngineStep } from '../engines/engine.ts';
import { withPolicy } from '../engines/told-policy.ts';
import { BLIND, type Look } from '../acts/sight.ts';
import { isGated } from '../guard/checkout.ts';
import { lookIn } from '../guard/look-in.ts';
import { refusedResult } from '../link/commands.ts';
import { fillImages } from './fill-images.ts';
import { decideSession } from './decide-session.ts';
import type { SessionEffect, SessionInput } from './session-io.ts';
import type { QueuedTurn, SessionConfig, SessionState } from './session-state.ts';
import type { SessionRow } from './session-store.ts';

/** The effects that are done after the transaction, by the shell. */
export type LaterEffect = Exclude<
  SessionEffect,
  { kind: 'emit' | 'refuse' | 'hand' | 'steer' | 'answer' | 'type' | 'interrupt' }
>;

/**
 * One pass over a session: inputs go in, the parser and the rules answer each other until both
 * are quiet, and what comes out is everything that one transaction stores and what to do after
 * it. Changes nothing outside itself, so that a transaction that fails leaves no trace; it reads
 * files of the checkout that a command is about to run.
 */
export class SessionPass {
  state: SessionState;
  engineState: unknown;
  /** What the last process of the conversation left of the parser's state. */
  carried: unknown;
  readonly events: EngineEvent[] = [];
  readonly deltas: Omit<TextDelta, 'sessionId'>[] = [];
  readonly writes: string[] = [];
  readonly signals: 'SIGINT'[] = [];
  readonly outputs: { toolId: string; text: string }[] = [];
  readonly later: LaterEffect[] = [];
  /** Spools that may go once everything up to this pass is acked. */
  readonly spent: string[] = [];
  refusal: Extract<SessionEffect, { kind: 'refuse' }> | null = null;
  readonly #engine: Engine;
  readonly #config: SessionConfig;
  readonly #redactor: Redactor;
  readonly #nowMs: number;
  readonly #gated: boolean;
  readonly #look: Look;
  #redacted: EngineEvent | null = null;

  constructor(
    from: Pick<SessionRow, 'state' | 'engineState'> & Partial<SessionRow>,
    tools: { engine: Engine; config: SessionConfig; redactor: Redactor },
    nowMs: number,
  ) {
    this.state = from.state;
    this.engineState = from.engineState;
    this.carried = from.carried ?? null;
    this.#gated = isGated(from.checkout ?? null);
    this.#look = from.checkout ? lookIn(from.checkout.directory) : BLIND;
    this.#engine = tools.engine;
    this.#config = tools.config;
    this.#redactor = tools.redactor;
    this.#nowMs = nowMs;
  }

  /** What the command that led here is answered. */
  get result(): CommandResult {
    if (!this.refusal) return { ok: true, value: {} };
    return refusedResult(this.refusal.code, this.refusal.detail);
  }

  input(input: SessionInput): void {
    const decision = decideSession(this.state, input, this.#nowMs, this.#config, this.#look);
    this.state = decision.state;
    this.effects(decision.effects);
  }

  effects(effects: readonly SessionEffect[]): void {
    for (const effect of effects) this.#effect(effect);
  }

  /** Lines of the engine, whole and in order. A line that breaks the parser is told and skipped. */
  lines(lines: readonly string[], skipped: number): void {
    for (const line of lines) {
      try {
        this.step(this.#engine.parse(this.engineState, line, this.#nowMs, this.#look));
      } catch (error) {
        this.#notice(
          'parser_failed',
          `A line of the engine could not be understood and was skipped: ${messageOf(error)}`,
        );
      }
    }
    if (skipped > 0)
      this.#notice(
        'line_too_long',
        `${skipped} lines of the engine were longer than is read, and were skipped.`,
      );
    if (lines.length > 0) this.input({ kind: 'spoke' });
  }

  step(step: EngineStep<unknown>): void {
    this.engineState = step.state;
    for (const item of step.items) this.#item(item);
  }

  #item(item: EngineItem): void {
    switch (item.kind) {
      case 'event':
        this.#redacted = this.#redactor.event(item.event);
        return this.input({ kind: 'event', event: this.#redacted });
      case 'delta':
        return void this.deltas.push(item.delta);
      case 'write':
        return void this.writes.push(fillImages(item.line, item.images));
      case 'signal':
        return void this.signals.push(item.signal);
      case 'output':
        return void this.outputs.push({
          toolId: item.toolId,
          text: this.#redactor.text(item.text),
        });
      case 'estimate':
      case 'capped':
      case 'unsteered':
      case 'forgets':
        return this.input(item);
      case 'fatal':
        return this.input({
          kind: 'fatal',
          error: { ...item.error, message: this.#redactor.text(item.error.message) },
        });
      default:
        return item satisfies never;
    }
  }

  #effect(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'emit':
        return void this.events.push(
          effect.event === this.#redacted ? effect.event : this.#redactor.event(effect.event),
        );
      case 'refuse':
        this.refusal = effect;
        return;
      case 'hand':
        return this.step(
          this.#engine.encodeInstruction(this.engineState, this.#told(effect.turn), this.#nowMs),
        );
      case 'steer': {
        const { encodeSteer } = this.#engine;
        // The rules ask for this only where the capabilities have it.
        return encodeSteer && this.step(encodeSteer(this.engineState, effect.turn, this.#nowMs));
      }
      case 'answer':
        return this.step(
          this.#engine.encodeAnswer(this.engineState, effect.request, effect.answer, this.#nowMs),
        );
      case 'type':
        return void this.writes.push(effect.line);
      case 'interrupt':
        return this.step(this.#engine.encodeInterrupt(this.engineState, this.#nowMs));
      case 'settleStart':
      case 'prepare':
      case 'spawn':
      case 'terminate':
      case 'openTerminal':
      case 'closeTerminal':
      case 'bringBack':
      case 'grantModel':
      case 'settlePush':
      case 'keepPushes':
        return void this.later.push(effect);
      default:
        return effect satisfies never;
    }
  }

  /** A conversation that begins is told of its policy with its first instruction. */
  #told(turn: QueuedTurn): QueuedTurn {
    const { launch, conversationBegun } = this.state;
    return conversationBegun
      ? turn
      : withPolicy(turn, { launch, gated: this.#gated }, this.#engine);
  }

  #notice(code: string, message: string): void {
    this.events.push(
      this.#redactor.event({ type: 'notice/raised', level: 'error', code, message }),
    );
  }
}
