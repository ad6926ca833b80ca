import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { findFaults } from '../faults/record.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { runs, says, type ModelRequest, type Script } from '../support/model-api/script.ts';
import { RECORDS } from './conformance/records.ts';

const SCRIPT: Script = {
  // First: a brief has the words of the others in it.
  'paint it red': [runs('echo red >>wall.txt'), says('Red it is.')],
  'build it with bricks': [runs('echo brick >wall.txt'), says('Bricks it is.')],
  'paint it blue': [runs('echo blue >>wall.txt'), says('Blue it is.')],
  'and a door': [says('A door it is.')],
};

let world: ClaudeWorld | CodexWorld;
afterEach(() => world.stop());

async function fork(origin: string, objective: string, ...words: string[]) {
  const { sessionId } = await world.json(
    z.object({ sessionId: z.string() }),
    'sessions',
    'fork',
    origin,
    objective,
    ...words,
  );
  await world.approveUntilEnd(sessionId);
  return { id: sessionId, ...(await world.untilTurns(sessionId, 1)) };
}

async function work(launched: string): Promise<string> {
  await world.approveUntilEnd(launched);
  await world.untilTurns(launched, 1);
  await world.cli('sessions', 'say', launched, 'paint it blue');
  await world.approveUntilEnd(launched);
  await world.untilTurns(launched, 2);
  return launched;
}

const wallOf = (directory: string | undefined) => {
  const path = join(directory ?? '', 'wall.txt');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};
const saidBefore = ({ messages }: ModelRequest) =>
  messages.filter(({ role }) => role === 'assistant').map(({ content }) => JSON.stringify(content));

describe('a fork of the real claude, sealed', () => {
  it('remembers the conversation up to its turn and no more, and pays for itself alone', async () => {
    const claude = await ClaudeWorld.start(SCRIPT, CANARY_KEY);
    world = claude;
    const terms = RECORDS['claude']?.kind === 'proven' ? RECORDS['claude'].unasked : [];
    const origin = await work(await world.launch('build it with bricks', ...terms));
    const paid = claude.api.served.length;
    const red = await fork(origin, 'paint it red', '--turn', '1');
    expect(red.view.checkout?.grade?.grade).toBe('sealed');
    expect(red.view.turns[0]).toMatchObject({ outcome: 'ok', briefed: null, usage: 'recorded' });
    expect(wallOf(red.view.checkout?.directory)).toEqual(['brick', 'red']);
    const asked = claude.api.seen.flatMap(({ request }) => request ?? []);
    const told = asked.findLast(({ messages }) =>
      JSON.stringify(messages).includes('paint it red'),
    );
    expect(told && saidBefore(told).join()).toContain('Bricks it is.');
    expect(JSON.stringify(told?.messages)).not.toMatch(/paint it blue|Blue it is|\[record ses_/);
    expect(red.view.spend.reported?.microUsd).toBe(billOf(claude.api.served.slice(paid)));
    // The session that it is of goes on in its own conversation, and never heard of red.
    await world.cli('sessions', 'say', origin, 'and a door');
    const { view } = await world.untilTurns(origin, 3);
    expect(wallOf(view.checkout?.directory)).toEqual(['brick', 'blue']);
    const last = claude.api.seen.findLast(({ request }) => request !== null)?.request;
    expect(JSON.stringify(last?.messages)).toMatch(/Blue it is/);
    expect(JSON.stringify(last?.messages)).not.toMatch(/paint it red|Red it is/);
    // Its fork goes on in its own, also in another process.
    await world.cli('sessions', 'restart', red.id);
    await world.cli('sessions', 'say', red.id, 'and a door');
    await world.untilTurns(red.id, 2);
    const again = claude.api.seen.findLast(({ request }) => request !== null)?.request;
    expect(JSON.stringify(again?.messages)).toMatch(/Red it is/);
    expect(findFaults(await world.entries(red.id))).toEqual([]);
    const now = await fork(origin, 'and a door');
    expect(now.view.turns[0]?.briefed).toBeNull();
    expect(wallOf(now.view.checkout?.directory)).toEqual(['brick', 'blue']);
  });
});

describe('a fork of the real codex', () => {
  it('has the files, and is told the record', async () => {
    world = await CodexWorld.start(SCRIPT, 'sk-canary-8c2d51f07be94a63');
    const record = RECORDS['codex'];
    const terms = record?.kind === 'proven' ? record.unasked : [];
    const origin = await work(await world.launch('build it with bricks', ...terms));
    const red = await fork(origin, 'paint it red', '--turn', '1');
    expect(red.view.turns[0]).toMatchObject({ outcome: 'ok', briefed: { turns: 1 } });
    expect(wallOf(red.view.checkout?.directory)).toEqual(['brick', 'red']);
  });
});
