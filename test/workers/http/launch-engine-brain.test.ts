import { beforeEach, describe, expect, it } from 'vitest';
import { ask, codeOf } from '../support/http.ts';
import { MACHINE } from '../support/peers.ts';
import { type Installation, relayStub, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

let home: Installation;
beforeEach(async () => {
  home = await startOnline();
});

const REHEARSAL = {
  engineId: 'rehearsal',
  label: 'Rehearsal',
  ready: true,
  version: '1.0.0',
  payer: 'unknown' as const,
  credential: null,
  approvals: ['ask' as const],
  problem: null,
  remedy: null,
};

/** The machine says what its engine can, as it does when it looks at its engines. */
async function tells(structuredAnswer: boolean | undefined) {
  const engines = [{ ...REHEARSAL, ...(structuredAnswer !== undefined && { structuredAnswer }) }];
  home.peer.send({ type: 'machine', machine: { ...MACHINE, engines } });
  await until(
    async () => (await relayStub(home.runner).readStatus()).machine?.engines.length === 1,
    'the engines of the machine',
  );
}

const launch = () =>
  ask('POST', '/v1/sessions', {
    bearer: home.cli,
    body: {
      runnerId: home.runner.runnerId,
      engineId: 'rehearsal',
      directory: null,
      objective: 'Fix it',
      pilot: {
        mode: 'pilot',
        brain: { kind: 'engine', steps: [{ title: 'Tests', check: 'npm test' }] },
      },
    },
  });

describe('a launch whose engine is to decide', () => {
  it('is taken where the machine says that its engine can be asked', async () => {
    await tells(true);
    expect((await launch()).status).toBe(201);
  });

  it.each([
    ['that it cannot', false],
    ['nothing of it, as an older runner does', undefined],
  ])('is refused where the machine says %s, with the brains there are', async (_, able) => {
    await tells(able);
    const answer = await launch();
    expect(codeOf(answer)).toBe('brain_engine_unable');
    expect(JSON.stringify(answer.body)).toContain('Choose another brain');
  });
});
