import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { aRepository, gitIn } from '../guard/repositories.ts';

async function aRoom(grade: 'sealed' | 'fenced'): Promise<SealedRoom> {
  const repository = aRepository();
  const remote = `${repository}-remote.git`;
  gitIn(repository, 'clone', '--quiet', '--bare', repository, remote);
  gitIn(repository, 'remote', 'add', 'origin', remote);
  return SealedRoom.make(repository, grade);
}
const GRADES = sealProblem === null ? (['sealed', 'fenced'] as const) : (['fenced'] as const);

describe.each(GRADES)('the command line of a forge in a %s session', (grade) => {
  it('says what to do instead of failing at a login, whatever it is asked', async () => {
    const room = await aRoom(grade);
    const said = await room.say(
      'gh issue list; echo gh $?; glab mr merge 1; echo glab $?; hub push; echo hub $?',
    );
    for (const name of ['gh', 'glab', 'hub']) {
      expect(said).toContain(`${name}: this session has no login for a forge. Push a branch`);
      expect(said).toContain(`${name} 1`);
    }
    expect(said).toContain('on GitHub and GitHub Enterprise alone');
  });

  it('answers harmless questions, by the real program where there is one', async () => {
    const room = await aRoom(grade);
    const bin = join(room.checkout.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'gh'), '#!/bin/sh\necho "real gh was asked: $*"\n', { mode: 0o755 });
    const path = 'PATH=$PATH:$PWD/bin';
    const said = await room.say(
      `${path}; gh --version; gh pr create --help; gh pr merge 1; glab --version; echo glab $?`,
    );
    expect(said).toContain('real gh was asked: --version');
    expect(said).toContain('real gh was asked: pr create --help');
    expect(said).not.toContain('asked: pr merge');
    expect(said).toContain('glab is not on this machine.\nglab 0');
  });
});

describe.skipIf(sealProblem !== null)('in a seal', () => {
  it('cannot be changed by the session, and not for the next one', async () => {
    const room = await aRoom('sealed');
    const said = await room.say(
      'f=$(command -v gh); echo x > "$f"; rm -f "$f"; mv "$f" /tmp; touch "${f%/*}/new"; gh issue list',
    );
    expect(said.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(3);
    expect(said).toContain('gh: this session has no login');
  });
});
