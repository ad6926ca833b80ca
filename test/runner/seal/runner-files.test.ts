import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { gateConfigOf } from '../../../runner/seal/gate-address.ts';
import { sealPlaces } from '../../../runner/seal/places.ts';
import { makeInput } from '../../../runner/process/engine-input.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { aRepository, gitIn } from '../guard/repositories.ts';

/** In no file of this repository, of which a seal may show parts. */
const SECRET = `PRIVATE-${randomUUID()}`;

describe.skipIf(sealProblem !== null)('the runner’s own files, from within a seal', () => {
  let room: SealedRoom;
  let data: string;

  beforeEach(async () => {
    const source = aRepository();
    gitIn(source, 'remote', 'add', 'origin', join(source, '.git'));
    room = await SealedRoom.make(source);
    data = dirname(room.root);
    for (const name of [
      'identity.json',
      'instance.json',
      'worker/d1.sqlite',
      'runner/runner.db',
      'runner/spools/ses_one.out',
      'runner/witness/ses_one.json',
      'runner/checkouts/ses_two/readme.md',
      'runner/seals/ses_two/home/.note',
    ]) {
      mkdirSync(dirname(join(data, name)), { recursive: true });
      writeFileSync(join(data, name), SECRET);
    }
  });

  const inside = (...names: string[]) => join(data, ...names);

  it('are not there: not the data directory, the spools, the database or another session', async () => {
    const said = await room.say(
      `find ${data} -type f 2>/dev/null | grep -v '/checkouts/ses_one/' | grep -v '/gate/'; grep -rs ${SECRET} ${data} ~ /tmp /proc/*/environ; cat ${inside('identity.json')} ${inside('runner', 'gate.key')}; echo end`,
    );
    expect(existsSync(inside('runner', 'gate.key'))).toBe(true);
    expect(said).not.toContain(SECRET);
    const found = said.split('\n').filter((line) => line.startsWith(data));
    // Its own command lines of forges, which it runs and cannot write.
    const programs = ['gh', 'glab', 'hub'].map((name) =>
      inside('runner', 'seals', 'ses_one', 'programs', name),
    );
    expect(found.toSorted()).toEqual(programs);
    expect(said).toContain('end');
  });

  it('have no pipe through which it could speak to itself as a person', async () => {
    const pipe = inside('runner', 'spools', 'ses_one.in');
    await makeInput(pipe);
    expect(statSync(pipe).isFIFO()).toBe(true);
    const said = await room.say(
      `ls -l ${pipe}; timeout 2 sh -c 'echo planted > ${pipe}'; mkfifo ${pipe}; find / -xdev -type p 2>/dev/null; ls -l /proc/self/fd | grep -c ${inside()}; echo end`,
    );
    expect(said).toMatch(/No such file|cannot create|Directory nonexistent/);
    expect(said).not.toContain('planted');
    expect(said.split('\n').filter((line) => line === pipe)).toEqual([]);
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(said).toContain('end');
  });

  it('are not opened again through the files that its processes inherit', async () => {
    const said = await room.say(
      'for fd in /proc/self/fd/* /proc/1/fd/*; do readlink $fd; done; for fd in /proc/1/fd/*; do (echo planted >> $fd) 2>/dev/null; ls ${fd}/.. 2>/dev/null; done; cat /proc/self/cwd/../../runner.db; echo end',
    );
    expect(said).not.toContain(SECRET);
    expect(readFileSync(inside('runner', 'runner.db'), 'utf8')).toBe(SECRET);
    expect(said).toContain('end');
  });

  it('say where the gate is, and it can change nothing of that', async () => {
    const config = gateConfigOf(sealPlaces(room.root, room.checkout.sessionId));
    const gate = dirname(config);
    const before = readFileSync(config, 'utf8');
    const listed = () => execFileSync('ls', ['-lA', gate], { encoding: 'utf8' });
    const names = listed();
    const said = await room.say(
      [
        `cat ${config}`,
        `echo evil >> ${config}`,
        `echo evil > ${gate}/connect`,
        `echo evil > ${gate}/connect.mjs`,
        `rm -f ${config}`,
        `mv ${gate} ${gate}.old`,
        `mv ${config} ${config}.old`,
        `ln -sf /tmp/x ${config}`,
        `touch ${gate}/made`,
        `chmod 777 ${gate} ${config}`,
        `mount -o remount,rw ${gate}`,
        `umount ${gate}`,
        `git config --file ${config} remote.origin.url /tmp/evil`,
        'echo end',
      ].join('; '),
    );
    expect(said).toContain('git://127.0.0.1:');
    expect(said.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(6);
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(listed()).toBe(names);
  });

  it('stay hidden where the machine’s limits show a place around them', async () => {
    room.shown = [room.home];
    writeFileSync(join(room.home, 'shown.txt'), 'SHOWN-BY-THE-LIMITS');
    const said = await room.say(
      `cat ${room.home}/shown.txt; grep -rs ${SECRET} ${room.home}; cat ${inside('runner', 'gate.key')}; git log -1 --format=%s; git remote get-url origin; touch ${inside('made')}; echo end`,
    );
    expect(said).toContain('SHOWN-BY-THE-LIMITS');
    expect(said).not.toContain(SECRET);
    expect(said).toContain('Change readme.md');
    expect(said).toContain('git://127.0.0.1:');
    expect(existsSync(inside('made'))).toBe(false);
  });

  it('stay hidden where the machine’s limits show one of them', async () => {
    room.shown = [inside('runner', 'checkouts', 'ses_two'), inside('worker')];
    const said = await room.say(
      `cat ${inside('runner/checkouts/ses_two/readme.md')} ${inside('worker/d1.sqlite')}; git log -1 --format=%s; echo end`,
    );
    expect(said).not.toContain(SECRET);
    expect(said).toContain('Change readme.md');
  });
});
