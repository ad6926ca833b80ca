import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedEntry, type FeedEvent } from '../../../protocol/engine-event.ts';
import { EXIT } from '../../../runner/failure.ts';
import { runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { created, SESSION } from '../../support/protocol-builders.ts';
import {
  accepted,
  delta,
  ended,
  running,
  said,
  sessionEnded,
  toolEnded,
  toolStarted,
} from '../../support/transcript-events.ts';
import { until } from '../../support/until.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const add = (...events: FeedEvent[]) =>
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created(), ...events);
const WHOLE = [
  accepted({ text: 'Fix it' }),
  ...running(),
  toolStarted(),
  toolEnded(),
  said('Done.'),
  ended(),
  sessionEnded(),
];
const SHOWN =
  '› Fix it\nEngine ready · 2.1 · opus\n▸ Bash npm test\n  └ exit 0 · 3.2 s\nDone.\n── turn 1 ok · 2.0 s · no usage recorded · 0 acts\n\nThe session ended: stopped. You stopped it.\n';

/** Positions of the whole record: its creation, and what came after. */
const ALL = [created(), ...WHOLE].map((_, index) => index + 1);

/** Positions of the entries that a program got, one per line. */
const positionsIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => feedEntry.parse(JSON.parse(line)).position);

describe('pilothouse watch', () => {
  it('shows a session that had ended whole, and ends by itself', async () => {
    add(...WHOLE);
    expect(await runOn(cloud, 'watch', SESSION)).toEqual({
      exitCode: EXIT.ok,
      stdout: SHOWN,
      stderr: '',
    });
  });

  it('shows what happens while it watches, and ends with the session', async () => {
    const session = add(...WHOLE.slice(0, 5));
    const watching = runOn(cloud, 'watch', SESSION);
    await until('a viewer', () => cloud.viewers === 1);
    for (const event of WHOLE.slice(5)) cloud.append(session, event);
    expect((await watching).stdout).toBe(SHOWN);
  });

  it('shows text once where it is not streamed: a pipe has no use for half a word', async () => {
    const session = add(...WHOLE.slice(0, 7));
    const watching = runOn(cloud, 'watch', SESSION);
    await until('a viewer', () => cloud.viewers === 1);
    cloud.show(session, { type: 'deltas', deltas: [delta('Do', 0), delta('ne', 2)] });
    for (const event of WHOLE.slice(7)) cloud.append(session, event);
    expect((await watching).stdout).toBe(SHOWN);
  });

  it('says when the machine goes away and shows nothing when it comes back', async () => {
    const session = add(...WHOLE.slice(0, 5));
    const watching = runOn(cloud, 'watch', SESSION);
    await until('a viewer', () => cloud.viewers === 1);
    cloud.show(session, { type: 'presence', presence: 'offline' });
    cloud.show(session, { type: 'presence', presence: 'online' });
    cloud.append(session, sessionEnded());
    expect((await watching).stdout).toMatch(
      /opus\nThe machine is offline; what you send waits for it\.\nThe session ended/,
    );
  });

  it('goes on over a retry: an ended session that is asked to continue has not ended', async () => {
    const { actorId } = accepted();
    const session = add(...WHOLE, { type: 'action/requested', action: 'retry', actorId });
    const watching = runOn(cloud, 'watch', SESSION);
    await until('a viewer', () => cloud.viewers === 1);
    cloud.append(session, ...running(), sessionEnded({ end: 'finished', reason: 'Done.' }));
    expect((await watching).stdout).toMatch(
      /retry was asked for\n[\s\S]*The session ended: finished\. Done\.\n$/,
    );
  });

  it('begins now with --new', async () => {
    const session = add(...WHOLE.slice(0, 5));
    const watching = runOn(cloud, 'watch', SESSION, '--new');
    await until('a viewer', () => cloud.viewers === 1);
    cloud.append(session, said('Only this.'), sessionEnded());
    expect((await watching).stdout).toMatch(/^Only this\.\nThe session ended/);
    expect(cloud.subscribed).toEqual([6]);
  });

  it('gives a program each entry as a line that the schema reads', async () => {
    add(...WHOLE);
    const { stdout } = await runOn(cloud, 'watch', SESSION, '--json');
    expect(positionsIn(stdout)).toEqual(ALL);
  });
});

describe('a connection that drops', () => {
  it('is told once on standard error, and what was printed stays whole', async () => {
    add(...WHOLE);
    cloud.cuts = [4];
    const { exitCode, stdout, stderr } = await runOn(cloud, 'watch', SESSION);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: EXIT.ok,
      stdout: SHOWN,
      stderr: 'The connection dropped; connecting again …\n',
    });
    expect(cloud.subscribed).toEqual([0, 4]);
  });

  it('loses and repeats nothing, wherever it is cut and however much is sent again', async () => {
    add(...WHOLE);
    const cuts = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.nat(4), fc.integer({ min: 1, max: 5 }), async (at, again, size) => {
        Object.assign(cloud, { overlap: again, frameEntries: size });
        cloud.cuts = [...cloud.subscribed.map(() => 0), ...at];
        const { stdout } = await runOn(cloud, 'watch', SESSION, '--json');
        expect(positionsIn(stdout)).toEqual(ALL);
      }),
      { numRuns: 12 },
    );
  });
});

describe('a watch that cannot be', () => {
  it.each([
    ['session_not_found', EXIT.refused],
    ['unauthenticated', EXIT.refused],
    ['origin_refused', EXIT.refused],
  ] as const)('ends with %s', async (code, exitCode) => {
    add(...WHOLE);
    cloud.refuse(/socket$/, code);
    const watched = await runOn(cloud, 'watch', SESSION, '--json');
    expect(watched.exitCode).toBe(exitCode);
    expect(JSON.parse(watched.stdout)).toMatchObject({ error: { code } });
  });

  it('ends at a frame that this version cannot read, and keeps what came before', async () => {
    add(...WHOLE.slice(0, 5));
    const watching = runOn(cloud, 'watch', SESSION);
    await until('a viewer', () => cloud.viewers === 1);
    cloud.showText('{"type":"entries","entries":[{"position":"six"}]}');
    const { exitCode, stdout, stderr } = await watching;
    expect(exitCode).toBe(EXIT.failed);
    expect(stdout).toMatch(/^› Fix it\n/);
    expect(stderr).toMatch(/^The feed sent something malformed \(entries\.0\.position: /);
  });

  it('passes over what only a newer cloud says', async () => {
    const session = add(...WHOLE.slice(0, 5));
    const watching = runOn(cloud, 'watch', SESSION);
    await until('a viewer', () => cloud.viewers === 1);
    cloud.showText('{"type":"weather","rain":true}');
    cloud.append(session, sessionEnded());
    expect((await watching).exitCode).toBe(EXIT.ok);
  });
});
