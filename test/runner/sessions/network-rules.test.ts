import { describe, expect, it } from 'vitest';
import { countUnreached } from '../../../runner/sessions/network-rules.ts';
import { SessionSimulator } from '../../support/session-simulator.ts';
import { anIdleSession } from '../../support/session-steps.ts';
import type { Checkout } from '../../../runner/guard/checkout.ts';
import type { SessionPass } from '../../../runner/sessions/session-pass.ts';
import { aRepository, ownCheckout } from '../guard/repositories.ts';

const noticesOf = (simulator: SessionSimulator): string[] =>
  simulator.events.flatMap((event) =>
    event.type === 'notice/raised' && event.code === 'host_not_reached' ? [event.message] : [],
  );

/** What a pass over the session looks at and tells. */
function look(simulator: SessionSimulator, checkout: Checkout | null, hosts: readonly string[]) {
  let looked = 0;
  const readRefused = () => {
    looked += 1;
    return hosts;
  };
  const pass: Pick<SessionPass, 'state' | 'input'> = {
    state: simulator.state,
    input: (input) => simulator.input(input),
  };
  countUnreached({ ports: { readRefused } }, pass, checkout);
  return looked;
}

describe('hosts that a session did not reach', () => {
  it('are told with what lets them through, each once', async () => {
    const simulator = anIdleSession(new SessionSimulator());
    const grade = { grade: 'sealed', reason: 'It was chosen.', network: 'model-only' } as const;
    const closed = await ownCheckout(aRepository(), { grade });
    look(simulator, closed, ['example.com:443']);
    look(simulator, closed, ['example.com:443']);
    look(simulator, closed, ['example.com:443', 'mirror.example.com:8443', 'example.org:443']);
    const notices = noticesOf(simulator);
    expect(notices).toHaveLength(2);
    expect(notices[0]).toContain('It did not reach example.com:');
    expect(notices[0]).toContain('`hosts` of this repository in limits.toml');
    expect(notices[1]).toContain('It did not reach mirror.example.com:8443, example.org:');
  });

  it('are not looked for where a session reaches everything', async () => {
    const simulator = anIdleSession(new SessionSimulator());
    const grade = { grade: 'sealed', reason: 'It was chosen.' } as const;
    expect(look(simulator, await ownCheckout(aRepository(), { grade }), ['a:443'])).toBe(0);
    expect(look(simulator, null, ['a:443'])).toBe(0);
    expect(noticesOf(simulator)).toEqual([]);
  });
});
