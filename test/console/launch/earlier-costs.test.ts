// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { sayEarlierCosts } from '../../../console/launch/earlier-costs.ts';
import type { SessionSummary } from '../../../protocol/http.ts';
import { addUsage, type SpendTotals, type UsageEntry } from '../../../protocol/usage.ts';
import { aUsage } from '../../support/protocol-builders.ts';

const HERE = { runnerId: 'run_a', engineId: 'claude', directory: '/srv' };
const cost = (...entries: Partial<UsageEntry>[]): SpendTotals =>
  entries.map(aUsage).reduce<SpendTotals>(addUsage, {});
const paid = (microUsd: number) => cost({ payer: 'api-key', provenance: 'reported', microUsd });
const notional = (microUsd: number) =>
  cost({ payer: 'subscription', provenance: 'reported', microUsd });
const session = (spend: SpendTotals, over: object = {}) =>
  ({ ...HERE, state: 'idle', spend, ...over }) as SessionSummary;
const say = (...sessions: SessionSummary[]) => sayEarlierCosts(sessions, HERE);

describe('what earlier sessions came to', () => {
  it('is their median and the most, of this engine in this directory', () => {
    expect(
      say(
        session(paid(1_000_000)),
        session(paid(9_000_000), { directory: '/other' }),
        session(paid(9_000_000), { engineId: 'codex' }),
        session(paid(9_000_000), { runnerId: 'run_b' }),
        session(paid(9_000_000), { state: 'working' }),
        session(paid(3_000_000)),
        session(paid(2_000_000)),
      ),
    ).toBe(
      'Here the last 3 sessions of this engine came to $2.00 at the median and $3.00 at most.',
    );
  });

  it('is not said of fewer than three, and of twenty at most', () => {
    expect(say(session(paid(1)), session(paid(1)))).toBeNull();
    const many = Array.from({ length: 30 }, (_, index) => session(paid((index + 1) * 1_000_000)));
    expect(say(...many)).toContain('last 20 sessions of this engine came to $10.00 at the median');
  });

  it('never holds dollars of two kinds, and says which they are', () => {
    const mixed = [1, 2, 3].flatMap((dollars) => [
      session(notional(dollars * 1_000_000)),
      session(paid(50_000_000)),
    ]);
    expect(say(...mixed)).toMatch(/\$2\.00 at the median and \$3\.00 at most, in notional dollars/);
  });

  it.each([
    ['a part without a price', cost({ payer: 'api-key', microUsd: null })],
    ['what cannot be known', cost({ provenance: 'unmetered', microUsd: null })],
    ['a rehearsal', cost({ provenance: 'rehearsal', microUsd: 5 })],
    ['nothing at all', {}],
  ])('leaves out a session with %s', (_, spend) => {
    expect(say(...[1, 2].map(() => session(paid(1_000_000))), session(spend))).toBeNull();
  });
});
