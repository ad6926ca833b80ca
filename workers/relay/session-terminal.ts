import type { Env } from '../env.ts';
import type { TerminalCalls } from '../lib/calls.ts';
import { feedOf } from '../lib/stubs.ts';
import { HubObject } from './hub-object.ts';
import { parseFeedName } from './identity.ts';
import { TerminalHub } from './terminal-hub.ts';

/** A session's terminal while a person drives: who does is the feed's word. */
export class SessionTerminal extends HubObject implements TerminalCalls {
  protected override readonly hub: TerminalHub;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { account, id } = parseFeedName(ctx.id.name);
    this.hub = new TerminalHub(ctx, env, {
      facts: { sessionId: id },
      epochOf: async (keyHash) => {
        const driver = await feedOf(env, account, id).readDriver(keyHash);
        return driver.ok ? driver.value.epoch : null;
      },
    });
  }

  /** From here on the lease is of this epoch, or nobody's: whoever drove before only watches. */
  async leaseChanged(epoch: number | null): Promise<void> {
    this.hub.leaseChanged(epoch);
  }
}
