import { endsOpenText } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { createDeltaRedactor, type DeltaRedactor } from '../guard/redact-deltas.ts';
import { createRedactor, type Redactor } from '../guard/redact.ts';
import type { Secret } from '../guard/secrets.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionPass } from './session-pass.ts';

/** What a session says to the outside, with every secret that is known taken out of it. */
export class SessionVoice {
  readonly #deps: Pick<SessionDeps, 'link' | 'outputs'>;
  #secrets = new Map<string, Secret>();
  #redactor: Redactor = createRedactor([]);
  #deltas: DeltaRedactor = createDeltaRedactor(this.#redactor);

  constructor(deps: Pick<SessionDeps, 'link' | 'outputs'>) {
    this.#deps = deps;
  }

  get redactor(): Redactor {
    return this.#redactor;
  }

  /** From here on these are the secrets, and those of before are no longer. */
  learn(secrets: readonly Secret[]): void {
    const known = new Map(secrets.map((secret) => [secret.value, secret]));
    this.#redactor = createRedactor([...known.values()]);
    this.#deltas = createDeltaRedactor(this.#redactor);
    this.#secrets = known;
  }

  /** These are secrets too, beside those that the engine may remember. */
  learnMore(secrets: readonly Secret[]): void {
    const news = secrets.filter(({ value }) => !this.#secrets.has(value));
    if (news.length === 0) return;
    this.learn([...this.#secrets.values(), ...news]);
  }

  /** Shows what a stored pass made; `lastSeq` is the last of its events, 0 when it made none. */
  publish(sessionId: SessionId, pass: SessionPass, lastSeq: number): void {
    const { link, outputs } = this.#deps;
    for (const { toolId, text } of pass.outputs) outputs.save(sessionId, toolId, text);
    for (const delta of pass.deltas) {
      const shown = this.#deltas.push(delta);
      if (shown) link.pushDelta({ ...shown, sessionId });
    }
    for (const event of pass.events) {
      if (event.type === 'text/completed') this.#deltas.flush(event.blockId);
      else if (endsOpenText(event)) this.#deltas.end();
      link.settleDeltas(sessionId, event);
    }
    if (lastSeq > 0) link.notify(sessionId, lastSeq);
  }
}
