import { execFileSync } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../runner/engines/registry.ts';
import { probeSeal } from '../../runner/seal/probe.ts';
import { findFaults } from '../faults/record.ts';
import { says, type Script } from '../support/model-api/script.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);
const { problem, networkProblem } = probeSeal(process.env);

it('can be tried on this machine', () => {
  expect(problem ?? networkProblem).toBeNull();
});

const scriptOf = ({ runs }: EngineRecord, port: number): Script => ({
  'look around': [
    runs(
      `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port}/; curl -sS -m 5 https://example.com/; git commit -q --allow-empty -m work && git push -q origin HEAD:refs/heads/feature`,
    ),
    says('Done.'),
  ],
});

describe.skipIf(problem !== null || networkProblem !== null).each(PROVEN)(
  'the real %s, kept to its model',
  (key, record) => {
    const metered = ENGINES.find((each) => keyOf(each) === key)?.capabilities.usage !== 'none';
    let world: EngineWorld;
    let other: Server;
    beforeAll(async () => {
      other = createServer((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nANOTHER-SERVICE'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      world = await record.start(scriptOf(record, (other.address() as AddressInfo).port));
    });
    afterAll(async () => {
      await world?.stop();
      other?.close();
    });

    it('works, reports its turn and pushes through the gate, and reaches nobody else', async () => {
      const id = await world.launch('look around', '--network', 'model-only', ...record.unasked);
      await world.approveUntilEnd(id);
      const { view } = await world.untilTurns(id, 1);
      expect(view.checkout?.grade).toMatchObject({ grade: 'sealed', network: 'model-only' });
      expect(view.turns[0]).toMatchObject({
        outcome: 'ok',
        usage: metered ? 'recorded' : 'unobservable',
      });
      const outputs = (await world.events(id, 'tool/ended')).map(({ output }) => output.text);
      const said = outputs.join('\n');
      expect(said).not.toContain('ANOTHER-SERVICE');
      const pushed = execFileSync('git', ['log', '-1', '--format=%s', 'feature'], {
        cwd: world.remote,
      });
      expect(String(pushed)).toBe('work\n');
      // Not every form tells what a command printed; what was not reached is told by the session.
      const notices = await world.events(id, 'notice/raised');
      const unreached = notices.filter(({ code }) => code === 'host_not_reached');
      expect(unreached.map(({ message }) => message).join('\n')).toContain('example.com');
      expect(findFaults(await world.entries(id))).toEqual([]);
    });
  },
);
