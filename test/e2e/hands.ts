import { readFileSync } from 'node:fs';
import { takenOver } from '../../protocol/takeover.ts';
import type { ShownScreen } from '../support/shown-screen.ts';
import { TerminalClient } from '../support/terminal-client.ts';
import { until } from '../support/until.ts';
import type { World } from './world.ts';

/** A person at a terminal: what is seen, and what is typed. */
export type Hands = { screen: ShownScreen; type(keys: string): void };

/** Takes a session over and opens a window on its terminal, which drives. */
export async function takeOverByHand(world: World, sessionId: string) {
  const response = await world.call(`/v1/sessions/${sessionId}/takeover`, {});
  if (!response.ok) throw new Error(await response.text());
  const { key } = takenOver.parse(await response.json());
  const { url } = world.installation;
  const client = await TerminalClient.open(url, world.cliToken, sessionId, key);
  const hands: Hands = { screen: client.screen, type: (keys) => client.type(keys) };
  return { key, client, hands };
}

/** Presses keys until the screen shows it: a program that is still drawing may read none. */
export async function press({ screen, type }: Hands, keys: string, shows: RegExp): Promise<void> {
  let pressedAt = 0;
  await until(
    `${JSON.stringify(keys)} to lead to ${shows.source}`,
    () => {
      if (shows.test(screen.read())) return true;
      if (Date.now() - pressedAt < 2_000) return false;
      pressedAt = Date.now();
      type(keys);
      return false;
    },
    { withinMs: 60_000, tell: () => screen.read() },
  );
}

/** Types an instruction at the engine's prompt, and waits for the answer. */
export async function say(hands: Hands, words: string, answer: RegExp): Promise<void> {
  await press(hands, words, new RegExp(`[❯›>*┃]\\s+${words}`));
  await press(hands, '\r', answer);
}

/** Names and values of what the program of the terminal that opened last was given. */
export async function terminalEnvironment(world: World, sessionId: string): Promise<string> {
  const opened = (await world.events(sessionId, 'terminal/opened')).at(-1);
  if (!opened) throw new Error('no terminal was opened');
  return readFileSync(`/proc/${opened.process.pid}/environ`, 'utf8');
}
