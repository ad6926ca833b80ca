import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { terminalPane } from '../../protocol/terminal.ts';
import { RealKitty } from '../support/kitty.ts';
import { runs, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { AskingOperator } from './asking-operator.ts';

/** The real claude in a window of a real kitty that an operator opened there. */
const kitty = new RealKitty();
let operator: AskingOperator;

beforeAll(async () => {
  await kitty.start('never-shown');
  const script = Object.fromEntries(
    ['allowed', 'denied'].map((name) => [
      `make ${name}`,
      [runs(`touch ${name}`), says(`Over with ${name}.`)],
    ]),
  );
  operator = await AskingOperator.start(script, {
    limits: `backends = ["kitty"]\nkitty_socket = "${kitty.socket}"`,
    tools: ['list', 'capture', 'run_command', 'send_text'].map((tool) => `terminal_${tool}`),
    surfaceOptions: { terminal: { backends: ['kitty'], targets: 'any', prefix: null } },
  });
});
afterAll(async () => {
  // What runs in its windows writes into the home that goes with the other.
  kitty.close();
  await operator?.stop();
});

const windows = async () => {
  const { text } = await operator.call('terminal_list', { backend: 'kitty' });
  return z.object({ panes: z.array(terminalPane) }).parse(JSON.parse(text)).panes;
};
/** Starts the real claude in a window of its own beside the first. */
async function start(name: string): Promise<void> {
  const [first] = await windows();
  // What stands before the program is a directory and variables.
  const words = operator.claude().slice(3);
  const command = `cd ${operator.work} && ${words.join(' ')} 'make ${name}'`;
  const input = { target: first?.target, command, timeoutMs: 1_000 };
  const { text } = await operator.call('terminal_run_command', input);
  expect(JSON.parse(text)).toMatchObject({ status: 'running' });
}
const made = (name: string) => existsSync(join(operator.work, name));

it('asks a person elsewhere through its hook, and goes on with their yes', async () => {
  await start('allowed');
  const { callId, params, target } = await operator.asked('allowed');
  expect(params).toMatchObject({ engine: 'claude', asks: 'Bash', directory: operator.work });
  const pane = (await windows()).find((each) => each.target === target);
  expect(pane).toMatchObject({ backend: 'kitty', agent: { engine: 'claude' } });
  const sent = await operator.call('terminal_send_text', { target, text: '1', enter: true });
  expect(sent.failed).toBe(true);
  expect(sent.text).toContain('terminal_asking');
  expect(made('allowed')).toBe(false);
  expect((await operator.answer(callId, 'once')).status).toBe(200);
  expect(await operator.closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
  await until('the file', () => made('allowed'), operator.long);
});

it('is told a no, and runs nothing', async () => {
  await start('denied');
  const { callId } = await operator.asked('denied');
  await operator.answer(callId, 'deny');
  await operator.closedAs(callId, /^closed: a person said no/);
  expect(made('denied')).toBe(false);
});
