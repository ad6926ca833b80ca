import { hasKeys } from '../../protocol/machine.ts';
import type { Env } from '../env.ts';
import type { TerminalCalls } from '../lib/calls.ts';
import { feedOf, relayOf } from '../lib/stubs.ts';
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
        // Text is driven by instructions: no terminal of it is open that keys could go to.
        return driver.ok && driver.value.form === 'keys' ? driver.value.epoch : null;
      },
      whyNoKeys: async () => {
        const driver = await feedOf(env, account, id).readDriver(null);
        if (!driver.ok) return null;
        const { form, runnerId, launch } = driver.value;
        if (form === 'text') return 'keys_unsupported';
        const { machine } = await relayOf(env, account, runnerId).readStatus();
        return launch && hasKeys(machine, launch) === false ? 'keys_unsupported' : null;
      },
    });
  }

  /** From here on the lease is of this epoch, or nobody's: whoever drove before only watches. */
  async leaseChanged(epoch: number | null): Promise<void> {
    this.hub.leaseChanged(epoch);
  }
}
