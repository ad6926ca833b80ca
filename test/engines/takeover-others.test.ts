import { afterEach, expect, it } from 'vitest';
import { modelDifference } from '../../protocol/model-calls.ts';
import { GEMINI_CANARY, GeminiWorld } from '../e2e/gemini-world.ts';
import { say, takeOverByHand, terminalEnvironment } from '../e2e/hands.ts';
import { OpencodeWorld } from '../e2e/opencode-world.ts';
import { QWEN_CANARY, QwenWorld } from '../e2e/qwen-world.ts';
import { chatTokensOf } from '../support/model-api/chat-api.ts';
import { billOf } from '../support/model-api/bill.ts';
import { says, type Script } from '../support/model-api/script.ts';

/** Real engines in their own terminals, on conversations that the product began and goes on with. */
type AnyWorld = GeminiWorld | OpencodeWorld | QwenWorld;
let world: AnyWorld | undefined;
afterEach(() => world?.stop());

// The newest first: what was said before is in every request.
const SCRIPT: Script = {
  'third the sun': [says('Three suns.')],
  'second the wind': [says('Two winds.')],
  'first the sea': [says('One sea.')],
};

/** A headless turn, one by hand and one more; answers the record after each of the last two. */
async function throughTheTerminal(
  world: AnyWorld,
  answered: RegExp,
  /** How many figures of the terminal's nobody knows. */
  unpriced: 0 | 1,
  ...options: string[]
) {
  const id = await world.launch('first the sea', ...options);
  await world.untilTurns(id, 1);
  const { key, client, hands } = await takeOverByHand(world, id);
  await hands.screen.see('One sea.');
  const environment = await terminalEnvironment(world, id);
  await say(hands, 'second the wind', answered);
  await world.call(`/v1/sessions/${id}/release`, { key });
  const byHand = await world.untilState(id, 'parked');
  expect(byHand.view.turns[1]).toMatchObject({ origin: 'terminal', usage: 'unsettled' });
  expect(byHand.view.spend.unsettled).toMatchObject({ entries: 1, unpriced });
  await world.cli('sessions', 'say', id, 'third the sun');
  const after = await world.untilTurns(id, 3);
  expect(after.view.turns[2]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
  const asked = JSON.stringify(world.api.seen.findLast(({ request }) => request)?.request);
  for (const words of ['One sea.', 'second the wind', 'Two winds.']) expect(asked).toContain(words);
  client.close();
  return { id, after, environment };
}

it.each(['open', 'sealed'])(
  'gemini takes typed turns where it does not ask, and knows them in the next one: %s',
  async (grade) => {
    world = await GeminiWorld.start(SCRIPT);
    const { id, after, environment } = await throughTheTerminal(
      world,
      /Two winds/,
      1,
      '--grade',
      grade,
    );
    expect(environment).toContain('pilothouse-');
    expect(environment).not.toContain(GEMINI_CANARY);
    // Its own figures of a terminal are not known; the gate has counted every call.
    const metered = await world.events(id, 'model/metered');
    expect(metered.map(({ engineMicroUsd }) => engineMicroUsd === null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(after.view.model?.calls).toBe(world.api.served.length);
    expect(after.view.model && modelDifference(after.view.model)).toBeNull();
    expect(after.view.checkout?.grade?.grade).toBe(grade);
  },
);

it('gemini refuses keys where it asks, and can be taken over with text there', async () => {
  const machine = await GeminiWorld.start(SCRIPT);
  world = machine;
  const id = await machine.launchOn('gemini', 'first the sea', '--approvals', 'ask');
  await machine.untilTurns(id, 1);
  const refused = await machine.call(`/v1/sessions/${id}/takeover`, {});
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining('keys_unsupported'),
  ]);
  expect((await machine.call(`/v1/sessions/${id}/takeover`, { form: 'text' })).ok).toBe(true);
});

it.each(['open', 'sealed'])(
  'opencode takes typed turns, and the next figure includes them and says so: %s',
  async (grade) => {
    const machine = await OpencodeWorld.start(SCRIPT);
    world = machine;
    // How long it took is below the answer once its cost is written down: left before, it is in no total.
    const { id, after } = await throughTheTerminal(
      machine,
      /Two winds[^]*▣[^\n]*\ds/,
      1,
      '--grade',
      grade,
    );
    // Its address cannot be set from outside, so that it calls its provider itself, which is said.
    expect(after.view.model).toMatchObject({
      through: 'provider',
      reason: expect.stringContaining('cannot be set from outside'),
    });
    expect(after.view.spend.reported?.microUsd).toBe(billOf(machine.api.served));
    const notices = await machine.events(id, 'notice/raised');
    expect(notices.map(({ code }) => code)).toContain('usage_settled');
  },
);

it.each(['open', 'sealed'])(
  'qwen takes typed turns, whose answers are the least that they cost: %s',
  async (grade) => {
    const machine = await QwenWorld.start(SCRIPT);
    world = machine;
    const { after, environment } = await throughTheTerminal(
      machine,
      /Two winds/,
      0,
      '--grade',
      grade,
    );
    expect(environment).not.toContain(QWEN_CANARY);
    // One of the calls asks what could be said next, which it writes down nowhere; the gate counts it.
    const answers = chatTokensOf(machine.api.served.slice(0, 3));
    const third = answers.inputTokens / 3;
    expect(after.view.spend).toMatchObject({
      estimated: { inputTokens: 2 * third },
      unsettled: { inputTokens: third },
    });
    expect(after.view.model?.calls).toBe(machine.api.served.length);
    expect(after.view.checkout?.grade?.grade).toBe(grade);
  },
);
