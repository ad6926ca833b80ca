// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { credentialOf, isUnmeteredHere } from '../../../console/launch/engine-choice.tsx';
import type { OwnAsking } from '../../../console/launch/draft.ts';
import { costOf, summariseLaunch } from '../../../console/launch/words.ts';
import type { LaunchRequest } from '../../../protocol/http.ts';
import { brainKeyId, runnerId } from '../../../protocol/ids.ts';
import { PARSERS } from '../../../protocol/parsers.ts';
import { engineReadiness, type EngineReadiness } from '../../../protocol/machine.ts';

const engine = (over: Partial<EngineReadiness> = {}): EngineReadiness =>
  engineReadiness.parse({
    engineId: 'schooner',
    label: 'Schooner',
    ready: true,
    version: '1',
    payer: 'api-key',
    credential: 'SCHOONER_API_KEY',
    approvals: ['ask'],
    problem: null,
    remedy: null,
    ...over,
  });
const unmetered = (resume: boolean): EngineReadiness['capabilities'] => ({
  ...PARSERS.text.capabilities,
  resume,
});

describe('how an engine would log in', () => {
  it.each([
    [engine(), 'SCHOONER_API_KEY, charged to an API key'],
    [engine({ payer: 'subscription' }), 'SCHOONER_API_KEY, paid by a subscription'],
    [engine({ credential: null, payer: 'unknown' }), 'payer not known'],
    [
      engine({ engineId: 'rehearsal', payer: 'api-key' }),
      'asks no model, costs nothing; asks you once, before it pushes',
    ],
    [
      engine({ capabilities: unmetered(true) }),
      'its cost is not known, its acts are witnessed only; it opens pull requests at most',
    ],
    [
      engine({ capabilities: unmetered(false) }),
      'its cost is not known, its acts are witnessed only; each turn is a new conversation; it opens pull requests at most',
    ],
    [
      engine({ capabilities: PARSERS.acp.capabilities }),
      'its cost is not known, its acts are those it tells of; it opens pull requests at most',
    ],
  ])('is said in one line (%#)', (readiness, line) => {
    expect(credentialOf(readiness)).toBe(line);
  });

  it('takes an engine for metered unless the machine says that it is not', () => {
    expect(isUnmeteredHere(engine())).toBe(false);
    expect(isUnmeteredHere(engine({ capabilities: unmetered(true) }))).toBe(true);
  });
});

describe('what a mode does to the cost', () => {
  it('is nothing where the engine tells it', () => {
    expect(costOf(engine({ unmetered: ['plan'] }), 'ask')).toBe('');
    expect(costOf(engine(), 'ask')).toBe('');
  });

  it('is that nobody tells it, unless the gate counts', () => {
    expect(costOf(engine({ unmetered: ['ask'] }), 'ask')).toMatch(
      /^ It does not tell what it costs in this mode\./,
    );
    expect(costOf(engine({ unmetered: ['ask'], gated: true }), 'ask')).toMatch(
      /in this mode; the model gate counts its calls\./,
    );
  });
});

const REQUEST: LaunchRequest = {
  runnerId: runnerId.parse('run_a'),
  engineId: 'schooner',
  directory: '/code/shop',
  objective: 'Fix it',
};
const summarise = (over: Partial<LaunchRequest>, ownAsking: OwnAsking | null = null) =>
  summariseLaunch(
    { ...REQUEST, ...over },
    { engine: 'Schooner', machine: 'desk', asks: ['ask'], ownAsking },
  );
const steps = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    title: `step ${nth}`,
    check: 'npm test',
    timeoutMs: 600_000,
  }));

describe('the sentence before a launch', () => {
  it.each<[Partial<LaunchRequest>, string]>([
    [{}, 'in a checkout of its own of /code/shop;'],
    [{ directory: null }, 'in a scratch repository;'],
    [{ checkout: 'inPlace' }, 'in /code/shop itself;'],
    [{ baseRef: 'spring' }, 'of /code/shop, from spring;'],
    [{ fromUncommitted: true }, 'of /code/shop, with your uncommitted changes;'],
    [{ model: 'sloop-2' }, 'Schooner with sloop-2 on desk,'],
    [{ grade: 'sealed' }, 'of /code/shop, sealed;'],
    [{ approvals: 'bypass' }, '; does everything unasked;'],
    [{ approvals: 'accept_edits' }, '; edits files and cannot ask for more;'],
  ])('of %j says %j', (over, words) => {
    expect(summarise(over)).toContain(words);
  });

  it('of an engine that asks nobody says on whose word it works', () => {
    expect(summarise({ approvals: 'ask' }, 'never')).toContain(
      '; asks nobody, as it was approved there;',
    );
    expect(summarise({ approvals: 'ask' }, 'itself')).toContain(
      '; asks by rules of its own, as it was approved there;',
    );
  });

  it.each<[LaunchRequest['pilot'], string]>([
    [null, 'no spending limit.'],
    [
      { mode: 'pilot', brain: { kind: 'checklist', steps: steps(1) } },
      ' A Pilot goes on by itself until 1 check passes.',
    ],
    [
      { mode: 'co_pilot', brain: { kind: 'checklist', steps: steps(2) } },
      ' A co-pilot proposes each next step until 2 checks pass.',
    ],
    [
      { mode: 'pilot', brain: { kind: 'engine', model: null, steps: steps(1) } },
      ' A Pilot goes on by itself, as its engine decides, until 1 check passes.',
    ],
    [
      {
        mode: 'pilot',
        brain: { kind: 'api', keyId: brainKeyId.parse('bky_1'), model: 'small', steps: steps(3) },
      },
      ' A Pilot goes on by itself, as small decides, until 3 checks pass.',
    ],
  ])('ends with who goes on and until when (%#)', (pilot, end) => {
    expect(summarise({ pilot }).endsWith(end)).toBe(true);
  });
});
