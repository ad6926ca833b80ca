import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetHistory, budgetList } from '../../protocol/shared-budget.ts';
import { EXIT } from '../../runner/failure.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
beforeAll(async () => {
  const usage = { do: 'usage' as const, inputTokens: 9, outputTokens: 9, costUsd: 0 };
  const edit = { do: 'edit' as const, path: 'a.txt', ask: false };
  world = await RehearsalWorld.start({
    turns: [
      [{ ...edit, find: 'hello', replace: 'goodbye' }, { do: 'text', text: 'Done.' }, usage],
      [{ ...edit, find: 'goodbye', replace: 'hello' }, { do: 'text', text: 'Undone.' }, usage],
    ],
  });
});
afterAll(() => world?.stop());

const standings = async () => (await world.json(budgetList, 'budget', 'show')).items;
const here = () => ['--dir', world.repository, '--approvals', 'accept_edits'];

describe('a day’s budget of two sessions', () => {
  const ids: string[] = [];

  it('is set and shown on the command line', async () => {
    expect((await world.cli('budget', 'show')).stdout).toContain('There is no budget');
    const set = await world.cli('budget', 'set', '--daily', '--turns', '2');
    expect(set.stdout).toContain('Saved version 1: the daily budget of the account (2 turns)');
    expect(await standings()).toMatchObject([{ limit: 2, used: 0, reserved: 0, renews: 'daily' }]);
  });

  it('takes a turn of each, and settles them when they end', async () => {
    ids.push(await world.launch('one', ...here()), await world.launch('other', ...here()));
    for (const id of ids) await world.untilTurns(id, 1);
    await until('both turns to be settled', async () => (await standings())[0]?.reserved === 0);
    expect(await standings()).toMatchObject([{ limit: 2, used: 2, reserved: 0 }]);
  });

  it('refuses the third turn in whichever session, with its name and when it renews', async () => {
    const [, other = ''] = ids;
    const refused = await world.cli('sessions', 'say', other, 'And then?');
    const said = refused.stdout + refused.stderr;
    expect(refused.exitCode).toBe(EXIT.refused);
    expect(said).toContain('The daily budget of the account (2 turns) has come to 2 turns.');
    expect(said).toMatch(/It renews at \d{4}-\d\d-\d\d 00:00 UTC/);
    const launch = await world.cli('launch', '--engine', 'rehearsal', ...here(), 'a third');
    expect(launch.exitCode).toBe(EXIT.refused);
    expect(launch.stdout + launch.stderr).toContain('pilothouse budget set');
  });

  it('told the session that passed a mark, once for each', async () => {
    const notices = await Promise.all(ids.map((id) => world.events(id, 'notice/raised')));
    const warnings = notices.flat().filter(({ code }) => code === 'shared_budget_warning');
    const marks = warnings.map(({ message }) => message.slice(0, 4));
    expect(marks).toContain('95 %');
    expect(new Set(marks).size).toBe(marks.length);
  });

  it('lets both go on once it is raised, after the installation was killed', async () => {
    await world.installation.end('SIGKILL');
    await world.up();
    expect(await standings()).toMatchObject([{ limit: 2, used: 2 }]);
    await world.cli('budget', 'set', '--daily', '--turns', '3');
    const [one = ''] = ids;
    expect((await world.cli('sessions', 'say', one, 'And then?')).exitCode).toBe(EXIT.ok);
    await world.untilTurns(one, 2);
    await until('the third turn to be settled', async () => (await standings())[0]?.used === 3);
    const words = ['budget', 'history', '--daily', '--unit', 'turns'];
    expect((await world.json(budgetHistory, ...words)).items).toMatchObject([
      { version: 2, limit: 3, savedBy: 'cli' },
      { version: 1, limit: 2 },
    ]);
  });
});
