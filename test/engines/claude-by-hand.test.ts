import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { sessionPage } from '../../protocol/http.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY, claudeEnv, startRawClaude } from '../support/model-api/raw-claude.ts';
import { says } from '../support/model-api/script.ts';

/** A conversation that a person began with the real claude, outside the product. */
let world: ClaudeWorld;
afterEach(() => world.stop());

it('is not touched while it is held, then carried on, and costs what came after', async () => {
  world = await ClaudeWorld.start(
    { 'the first word is kiwi': [says('Noted.')], 'what was it': [says('Kiwi.')] },
    CANARY_KEY,
  );
  const conversation = randomUUID();
  const env = claudeEnv(world.home, world.api.url);
  const byHand = startRawClaude(installEngine('claude'), ['--session-id', conversation], {
    cwd: world.repository,
    env,
  });
  byHand.say('the first word is kiwi');
  await byHand.waitFor(({ type }) => type === 'result');
  const servedByHand = world.api.served.length;

  const options = ['--engine', 'claude', '--conversation', conversation];
  const refused = await world.cli('launch', ...options, 'what was it');
  expect(refused.exitCode).toBe(4);
  expect(refused.stderr).toContain(`pid ${byHand.pid}`);
  expect(world.api.served).toHaveLength(servedByHand);

  await byHand.end();
  const [failed] = (await world.get(sessionPage, '/v1/sessions')).items;
  const id = failed?.sessionId ?? '';
  await world.cli('sessions', 'retry', id);
  const { view } = await world.untilTurns(id, 1);
  expect(view.engine?.engineSessionId).toBe(conversation);
  expect(view.checkout?.directory).toBe(world.repository);
  expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served.slice(servedByHand)));
  const asked = JSON.stringify(world.api.seen.findLast(({ request }) => request)?.request);
  expect(asked).toContain('the first word is kiwi');
});
