import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { sealProblem, type SealedRoom } from '../../support/sealed.ts';
import { aRoomAt, PullForge } from './forge.ts';

const GRADES = sealProblem === null ? (['sealed', 'fenced'] as const) : (['fenced'] as const);
/** Real git and several processes each, on a machine that is busy with other things. */
const LONG_MS = 60_000;

let forge: PullForge;
beforeEach(async () => {
  forge = await PullForge.open();
});
afterEach(() => forge.close());

const aRoom = (grade?: 'sealed' | 'fenced') => aRoomAt(forge, grade);
const COMMIT = 'git commit -q --allow-empty -m "Say goodbye" -m "Politely."';
const asks = (room: SealedRoom) => room.pushes.flatMap(({ pullRequest }) => pullRequest ?? []);

describe.each(GRADES)('a pull request of a %s session', { timeout: LONG_MS }, (grade) => {
  it('is opened by gh pr create, for the branch that it pushed by whatever name', async () => {
    const room = await aRoom(grade);
    const said = await room.say(
      `${COMMIT}; git push -q origin HEAD:goodbye; gh pr create --fill; echo "ended $?"; env`,
    );
    expect(said).toContain(`${forge.urlOf(1)}\nended 0`);
    expect(said).not.toContain(forge.token);
    expect(forge.opened).toMatchObject([{ title: 'Say goodbye', head: 'goodbye', base: 'main' }]);
    expect(forge.opened[0]?.body).toMatch(/session of a coding agent[^]+```text\nPolitely\.\n```/);
    expect(asks(room)).toMatchObject([{ outcome: 'done', by: 'forge', url: forge.urlOf(1) }]);
  });

  it('is opened by the options of a push, which git shows the answer to', async () => {
    const room = await aRoom(grade);
    const options =
      '-o pr.title="Say goodbye" -o pr.body=One -o pr.body=Two -o merge_request.create';
    const said = await room.say(
      `${COMMIT}; git push ${options} origin HEAD:goodbye; echo "ended $?"; gh pr comment --body Hi; echo "comment $?"`,
    );
    expect(said).toContain('ended 0');
    // It is the session's own from then on, although its branch was new to the gate.
    expect(said).toContain('comment 0');
    expect(forge.comments).toMatchObject([{ number: 1 }]);
    expect(said).toContain(`remote: The pull request is open: ${forge.urlOf(1)}`);
    expect(said).toContain('the gate takes pr.title, pr.body, pr.base and pr.draft alone');
    expect(forge.opened[0]?.body).toContain('One\nTwo');
    expect(room.pushes.map(({ outcomes }) => outcomes.length)).toEqual([1, 0, 0]);
  });
});

describe('a pull request at the gate', { timeout: LONG_MS }, () => {
  it('is opened once for a branch, and the second ask is told where it is', async () => {
    const room = await aRoom();
    const create = 'gh pr create -t Goodbye -b Text -H goodbye; echo "ended $?"';
    const said = await room.say(`${COMMIT}; git push -q origin HEAD:goodbye; ${create}; ${create}`);
    expect(said.match(/ended 0/g)).toHaveLength(2);
    expect(said).toContain(`it is open already: ${forge.urlOf(1)}`);
    expect(forge.opened).toHaveLength(1);
    expect(asks(room).map(({ outcome }) => outcome)).toEqual(['done', 'not_done']);
  });

  it('is of a branch that the session pushed itself, and of no other', async () => {
    const room = await aRoom();
    const said = await room.say(
      `${COMMIT}; gh pr create -t x -b y; echo "ended $?"; gh pr create -t x -b y -H main; echo "ended $?"`,
    );
    expect(said.match(/ended 1/g)).toHaveLength(2);
    expect(said).toMatch(/is on no branch that this session pushed .*git push origin HEAD:NAME/);
    expect(said).toContain('did not push main through the gate');
    expect(forge.seen).toEqual([]);
  });

  it('is refused by the policy, and the branch goes through all the same', async () => {
    const room = await aRoom();
    room.policy = { ...DEFAULT_POLICY, mode: 'none' };
    const said = await room.say(
      `${COMMIT}; git push -o pr.title=x origin HEAD:goodbye; echo "ended $?"`,
    );
    expect(said).toContain('ended 0');
    expect(said).toContain('No pull request was opened: the policy lets this session open no pull');
    expect(forge.seen).toEqual([]);
    expect(room.pushes[0]?.outcomes).toMatchObject([{ outcome: 'done' }]);
  });

  it('is not opened for a push that was refused, of several branches, or without a title', async () => {
    const room = await aRoom();
    const said = await room.say(
      [
        COMMIT,
        'git push -o pr.title=x origin HEAD:main',
        'git push -o pr.title=x origin HEAD:one HEAD:two',
        'git push -o pr.body=x origin HEAD:three',
      ].join('; '),
    );
    expect(said).toContain('the push brought no branch to the remote');
    expect(said).toContain('push the one branch that it is for');
    expect(said).toContain('No pull request was opened: pr.title');
    expect(forge.seen).toEqual([]);
  });

  it('is read, commented on and changed by the session that opened it, and no other is', async () => {
    const room = await aRoom(GRADES[0]);
    room.secrets = [{ name: 'KEY', value: 'sentinel-of-a-secret' }];
    forge.opened.push({ title: 'Theirs', body: '', head: 'x', base: 'main', draft: false });
    forge.runs = [{ name: 'build', status: 'in_progress' }];
    const said = await room.say(
      [
        `${COMMIT}; git push -q origin HEAD:goodbye; gh pr create --fill`,
        'gh pr checks; echo "checks $?"',
        'gh pr comment --body "/merge sentinel-of-a-secret"; echo "comment $?"',
        'gh pr edit --title "Say it"; echo "edit $?"',
        'gh pr comment 1 --body x; echo "theirs $?"',
        'gh pr view 1 --json title,author',
        'gh pr close 2; echo "close $?"; gh pr merge 2; echo "merge $?"',
      ].join('; '),
    );
    for (const end of ['checks 8', 'comment 0', 'edit 0', 'theirs 1', 'close 1', 'merge 1'])
      expect(said).toContain(end);
    expect(said).toContain('build\tpending');
    expect(said).toContain('this session did not open #1');
    expect(said).toContain('{"title":"Theirs","author":{"login":"ada"}}');
    expect(said).toContain('git push origin HEAD:BRANCH');
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain('```text\n/merge [redacted:KEY]\n```');
    expect(forge.opened[1]).toMatchObject({ title: 'Say it' });
    expect(asks(room).map(({ change, outcome, by }) => [change?.kind, outcome, by])).toEqual([
      [undefined, 'done', 'forge'],
      ['comment', 'done', 'forge'],
      ['edit', 'done', 'forge'],
      ['comment', 'not_done', 'policy'],
    ]);
  });

  it('merges, closes and labels nothing', async () => {
    const room = await aRoom();
    const others = ['pr merge 1', 'pr close 1', 'pr edit 1 --add-label x', 'api repos/o/r/merges'];
    const said = await room.say(
      [
        COMMIT,
        'git push -q origin HEAD:goodbye',
        ...others.map((each) => `gh ${each}; echo "ended $?"`),
        'gh pr create -t x -b y --label automerge; echo "ended $?"',
      ].join('; '),
    );
    expect(said.match(/ended 1/g)).toHaveLength(5);
    expect(said).toContain('leave out the rest');
    expect(forge.seen).toEqual([]);
  });
});
