import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvalAnswer } from '../../../protocol/approval.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import { approveEngine, findApprovalsPath } from '../../../runner/limits/approved-engines.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { aCommand, anInstruction, aSessionId, aStart } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

const AGENT = new URL('../../support/acp-agent.ts', import.meta.url).pathname;

aMachineForEachTest();

/** Launches an agent that nobody knows, by a preset of a person's that was approved. */
function launch(text: string, ...options: string[]): SessionId {
  const preset = aPreset({ parser: 'acp', command: [process.execPath, AGENT, ...options] });
  approveEngine(findApprovalsPath(machine.env['PILOTHOUSE_LIMITS'] ?? ''), preset, 0);
  const session = aSessionId();
  relay.command(aStart(session, text, { engineId: preset.id, preset, directory: machine.work }));
  return session;
}
const shown = (session: SessionId): string[] =>
  relay.ofType(session, 'text/completed').map(({ text }) => text.text);
const provenances = (session: SessionId) =>
  relay
    .ofType(session, 'usage/recorded')
    .map(({ entries }) => entries.map(({ provenance, microUsd }) => [provenance, microUsd]));
const turns = (session: SessionId, ended: number) =>
  until(`${ended} turns`, () => relay.ofType(session, 'turn/ended').length === ended);
const answer = (session: SessionId, asked: number, decision: 'allow' | 'deny') => {
  const { requestId } = relay.ofType(session, 'approval/requested')[asked]?.request ?? {};
  if (!requestId) throw new Error('nothing was asked');
  const given = approvalAnswer.parse({ decision });
  relay.command(aCommand('session/answer', session, { requestId, answer: given }));
};

describe('an agent of the protocol that nobody knows', () => {
  test('works its turns in one process, and without a word on its cost they are unmetered', async () => {
    machine.startDaemon(relay);
    const session = launch('hello there');
    expect(await relay.event(session, 'turn/ended')).toMatchObject({
      outcome: 'ok',
      usage: 'unobservable',
    });
    relay.command(anInstruction(session, 'once more'));
    await turns(session, 2);
    expect(shown(session)).toEqual(['You said: hello there', 'You said: once more']);
    expect(provenances(session)).toEqual([[['unmetered', null]], [['unmetered', null]]]);
    expect(relay.ofType(session, 'engine/ready')).toMatchObject([{ engineVersion: '0.7.1' }]);
    expect(relay.ofType(session, 'session/halted')).toEqual([]);
  });

  test('that tells its cost has it on record, each turn its own, and is not taken at its word', async () => {
    machine.startDaemon(relay);
    const session = launch('one', '--cost', '0.25');
    await turns(session, 1);
    relay.command(anInstruction(session, 'two'));
    await turns(session, 2);
    const each = [
      ['reported', 250_000],
      ['unmetered', null],
    ];
    expect(provenances(session)).toEqual([each, each]);
  });

  test('does what a person allowed, not what they denied, and nothing that the policy forbids', async () => {
    machine.startDaemon(relay);
    const session = launch('run: touch allowed');
    await relay.event(session, 'approval/requested');
    answer(session, 0, 'allow');
    await turns(session, 1);
    relay.command(anInstruction(session, 'run: touch denied'));
    await until('the second', () => relay.ofType(session, 'approval/requested').length === 2);
    answer(session, 1, 'deny');
    await turns(session, 2);
    relay.command(anInstruction(session, 'run: touch pushed && git push origin main'));
    await turns(session, 3);
    const there = ['allowed', 'denied', 'pushed'].filter((name) =>
      existsSync(join(machine.work, name)),
    );
    expect(there).toEqual(['allowed']);
    expect(relay.ofType(session, 'approval/requested')[2]?.request.acts).toEqual(['push']);
    expect(relay.ofType(session, 'act/seen')).toMatchObject([{ act: { kind: 'push' } }]);
    expect(relay.ofType(session, 'tool/ended').map(({ outcome }) => outcome)).toEqual([
      'ok',
      'denied',
      'denied',
    ]);
  });

  test('is interrupted in its own way', async () => {
    machine.startDaemon(relay);
    const session = launch('wait');
    await relay.event(session, 'turn/started');
    relay.command(aCommand('session/interrupt', session, {}));
    expect(await relay.event(session, 'turn/ended')).toMatchObject({ outcome: 'interrupted' });
    expect(relay.ofType(session, 'engine/exited')).toEqual([]);
  });

  test('outlives its runner: the next one reads on in the same process', async () => {
    const first = machine.startRunner(relay);
    const session = launch('wait');
    await relay.event(session, 'turn/started');
    await first.crash();
    writeFileSync(join(machine.root, 'go-on'), '');
    machine.startRunner(relay);
    await turns(session, 1);
    relay.command(anInstruction(session, 'still there?'));
    await turns(session, 2);
    expect(shown(session)).toEqual(['You said: wait', 'You said: still there?']);
    expect(relay.ofType(session, 'engine/exited')).toEqual([]);
  });

  test.each([
    ['is taken up by its id after its process ended', ['--load'], []],
    ['that cannot be taken up begins anew, and is told the record', [], [1]],
  ])('%s', async (_what, options, briefs) => {
    machine.startDaemon(relay);
    const session = launch('the mast', ...options);
    await turns(session, 1);
    relay.command(anInstruction(session, 'the hull'));
    await turns(session, 2);
    // A process remembers what it was told while it lives.
    expect(relay.ofType(session, 'turn/briefed')).toEqual([]);
    const [pid] = relay
      .ofType(session, 'launch/staged')
      .flatMap(({ process: started }) => started?.pid ?? []);
    if (pid === undefined) throw new Error('no process was told of');
    process.kill(pid, 'SIGKILL');
    await relay.event(session, 'engine/exited');
    relay.command(anInstruction(session, 'the sail'));
    await turns(session, 3);
    const told = relay.ofType(session, 'turn/briefed');
    expect(told.map((brief) => brief.turns)).toEqual(briefs.map(() => 2));
    expect(shown(session).at(-1)).toBe('You said: the sail');
    const ids = relay.ofType(session, 'engine/ready').map((ready) => ready.engineSessionId);
    expect(new Set(ids).size).toBe(1 + briefs.length);
  });
});
