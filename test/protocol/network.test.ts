import { describe, expect, it } from 'vitest';
import { forecastNetwork } from '../../protocol/grade-forecast.ts';
import { decideNetwork, type Network, type NetworkFacts } from '../../protocol/network.ts';

const ABLE = { available: true, networkProblem: null };
const FACTS: NetworkFacts = { grade: 'sealed', seal: ABLE, minimum: 'open', usual: 'open' };
const decide = (asked: Network | null, over: Partial<NetworkFacts> = {}) =>
  decideNetwork(asked, { ...FACTS, ...over });

describe('what a session reaches', () => {
  it('is everything where nobody says otherwise', () => {
    expect(decide(null)).toEqual({ ok: true, network: 'open' });
  });

  it('is what the launch asks for, or else what the machine says', () => {
    expect(decide('model-only')).toEqual({ ok: true, network: 'model-only' });
    expect(decide(null, { usual: 'model-only' })).toEqual({ ok: true, network: 'model-only' });
    expect(decide('open', { usual: 'model-only' })).toEqual({ ok: true, network: 'open' });
  });

  it('is never more than the machine’s limits allow, whoever asks', () => {
    expect(decide(null, { minimum: 'model-only' })).toEqual({ ok: true, network: 'model-only' });
    expect(decide('open', { minimum: 'model-only' })).toMatchObject({
      code: 'network_not_allowed',
    });
    expect(decide(null, { minimum: 'model-only', grade: 'open' })).toMatchObject({
      code: 'network_not_allowed',
      detail: expect.stringContaining('only a sealed session'),
    });
  });

  it('is refused, not widened, where a session cannot be kept to its model', () => {
    expect(decide('model-only', { grade: 'fenced' })).toMatchObject({
      code: 'network_unavailable',
      detail: 'It is fenced: only a sealed session has a network of its own.',
    });
    const unable = { available: true, networkProblem: 'It is forbidden here.' };
    expect(decide('model-only', { seal: unable })).toMatchObject({
      code: 'network_unavailable',
      detail: 'It is forbidden here.',
    });
    const usual = { seal: unable, usual: 'model-only' } as const;
    expect(decide(null, usual)).toMatchObject({ code: 'network_unavailable' });
    expect(decide('open', usual)).toEqual({ ok: true, network: 'open' });
    expect(decide(null, { ...usual, grade: 'fenced' })).toEqual({ ok: true, network: 'open' });
    expect(decide('model-only', { seal: { available: true } })).toMatchObject({
      detail: expect.stringContaining('Update Pilothouse'),
    });
  });

  it('is foretold from what a machine told of itself, an older one too', () => {
    const seal = { available: true, problem: null, remedy: null };
    const limits = { source: null, directories: [], engines: [], bypass: false };
    const told = { noOutputMaxMs: 1, minimumGrade: 'open' as const };
    const machine = { seal: { ...seal, networkProblem: null }, limits: { ...limits, ...told } };
    expect(forecastNetwork('model-only', 'sealed', machine)).toMatchObject({ ok: true });
    expect(forecastNetwork('model-only', 'sealed', { ...machine, seal })).toMatchObject({
      ok: false,
    });
    const closed = { ...machine.limits, defaultNetwork: 'model-only' as const };
    expect(forecastNetwork(null, 'sealed', { ...machine, limits: closed })).toEqual({
      ok: true,
      network: 'model-only',
    });
  });
});
