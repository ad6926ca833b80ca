import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../protocol/errors.ts';
import { takenOver } from '../../protocol/takeover.ts';
import { TerminalClient } from '../support/terminal-client.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const turn = (words: string) => [
  { do: 'text' as const, text: words },
  { do: 'usage' as const, inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 },
];
let world: RehearsalWorld;

beforeAll(async () => {
  world = await RehearsalWorld.start({ turns: [turn('First.'), turn('Second.'), turn('Third.')] });
});
afterAll(() => world?.stop());

const takeOver = async (sessionId: string, body: object = {}) => {
  const response = await world.call(`/v1/sessions/${sessionId}/takeover`, body);
  if (!response.ok) throw new Error(await response.text());
  return takenOver.parse(await response.json());
};
const refusalOf = async (path: string, body: object) => {
  const response = await world.call(path, body);
  return errorBody.parse(await response.json()).error.code;
};
const watch = (sessionId: string, key: string | null) =>
  TerminalClient.open(world.installation.url, world.cliToken, sessionId, key);
const launched = async () => {
  const sessionId = await world.launch('Rehearse');
  await world.untilTurns(sessionId, 1);
  return sessionId;
};

describe('a session taken over with keys', () => {
  it('goes on in the engine’s own terminal, and without it after it is handed back', async () => {
    const sessionId = await launched();
    const { key } = await takeOver(sessionId);
    const driver = await watch(sessionId, key);
    await driver.see('1 turns so far');
    await world.untilState(sessionId, 'taken_over');
    driver.type('hello\r');
    await driver.see('Second.');
    await driver.see('Turn 2 is over.');
    expect(await refusalOf(`/v1/sessions/${sessionId}/instructions`, { text: 'go on' })).toBe(
      'taken_over',
    );
    const released = await world.call(`/v1/sessions/${sessionId}/release`, { key });
    expect(released.status).toBe(202);
    await world.untilState(sessionId, 'parked');
    await driver.untilFrame('machine', (frame) => !frame.connected);
    await world.cli('sessions', 'say', sessionId, '--wait', 'go on');
    const { view } = await world.untilTurns(sessionId, 3);
    const texts = await world.events(sessionId, 'text/completed');
    expect(texts.map(({ text }) => text.text)).toEqual(['First.', 'Third.']);
    expect(view.turns.map(({ origin }) => origin)).toEqual([
      'instruction',
      'terminal',
      'instruction',
    ]);
    driver.close();
  });
});
