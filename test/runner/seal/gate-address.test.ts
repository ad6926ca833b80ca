import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { until } from '../../support/until.ts';
import { aRepository, gitIn } from '../guard/repositories.ts';

const others: Server[] = [];
afterEach(() => {
  for (const other of others.splice(0)) other.close();
});

const PUSH = 'git push origin HEAD:refs/heads/feature';
const portOf = ({ root }: SealedRoom) => Number(readFileSync(join(root, 'gate.port'), 'utf8'));

/** What happens to a machine while no runner runs on it. */
function takePort(port: number): Promise<void> {
  const other = createServer();
  others.push(other);
  return new Promise((resolve) => other.listen(port, '127.0.0.1', resolve));
}

const grades = sealProblem === null ? (['fenced', 'sealed'] as const) : (['fenced'] as const);
describe.each(grades)('a %s session', (grade) => {
  async function makeRoom(): Promise<{ room: SealedRoom; pushed(): string }> {
    const repository = aRepository();
    const remote = `${repository}-remote.git`;
    gitIn(repository, 'clone', '--quiet', '--bare', repository, remote);
    gitIn(repository, 'remote', 'add', 'origin', remote);
    const room = await SealedRoom.make(repository, grade);
    return { room, pushed: () => gitIn(remote, 'for-each-ref', 'refs/heads/feature') };
  }

  it('is told in a sentence that the gate is closed, and pushes when it is open again', async () => {
    const { room, pushed } = await makeRoom();
    await room.say('git commit -q --allow-empty -m work');
    const { run, lines, exited, stderr } = await room.start(
      `${PUSH}; echo tried; read again; ${PUSH} && echo pushed`,
    );
    await room.keeper.close();
    await until('the first attempt to end', () => lines.includes('tried'));
    expect(stderr()).toContain('The gate is closed, because the runner of this machine is not');
    expect(pushed()).toBe('');
    await room.restart();
    run.write('again');
    await exited;
    expect(lines).toContain('pushed');
    expect(pushed()).not.toBe('');
    await room.keeper.close();
  });

  it('finds the gate at another port while it runs on, where its own was taken meanwhile', async () => {
    const { room, pushed } = await makeRoom();
    const { run, lines, exited } = await room.start(
      `git commit -q --allow-empty -m work; git remote get-url origin; read again; git remote get-url origin; ${PUSH} && echo pushed`,
    );
    await until('the session to look', () => lines.length > 0);
    const before = portOf(room);
    await room.restart(() => takePort(before));
    await until('the gate to have another port', () => portOf(room) !== before);
    const config = () => readFileSync(join(room.checkout.top, '.git', 'config'), 'utf8');
    const own = config();
    run.write('again');
    await exited;
    expect(lines[0]).toContain(`:${before}/`);
    expect(lines[1]).toContain(`:${portOf(room)}/`);
    expect(lines).toContain('pushed');
    expect(pushed()).not.toBe('');
    expect(config()).toBe(own);
    expect(own).not.toContain('127.0.0.1');
    await room.keeper.close();
  });
});
