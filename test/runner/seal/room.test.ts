import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bringBack } from '../../../runner/guard/workspace.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { gitIn } from '../guard/repositories.ts';

const PRIVATE = [
  '.ssh/id_ed25519',
  '.netrc',
  '.git-credentials',
  '.config/gh/hosts.yml',
  '.aws/credentials',
  'other/secret.txt',
];

describe.skipIf(sealProblem !== null)('a sealed session', () => {
  let room: SealedRoom;
  beforeEach(async () => {
    room = await SealedRoom.make();
    for (const name of PRIVATE) {
      mkdirSync(join(room.home, name, '..'), { recursive: true });
      writeFileSync(join(room.home, name), 'PRIVATE-TO-THE-PERSON');
    }
    mkdirSync(join(room.root, 'spools'));
    writeFileSync(join(room.root, 'runner.db'), 'PRIVATE-TO-THE-PERSON');
  });

  it('sees nothing of the person’s, of other repositories or of the runner’s own', async () => {
    const { root, home } = room;
    const places = [
      ...PRIVATE.map((name) => join(home, name)),
      join(root, 'runner.db'),
      join(room.checkout.source.top, 'readme.md'),
      '/etc/shadow',
    ];
    const said = await room.say(
      `cat ${places.join(' ')}; grep -rs TO-THE-PERSON ~ /run /var; echo end`,
    );
    expect(said).not.toContain('PRIVATE-TO');
    expect(said).not.toContain('root:');
    expect(said.match(/No such file|Permission denied/g)?.length).toBeGreaterThanOrEqual(
      places.length - 1,
    );
    expect(said).toContain('end');
  });

  it('sees no process but its own, and is not root', async () => {
    const said = await room.say('id -u; ls -d /proc/[0-9]* | wc -l; cat /proc/1/comm');
    const [uid, count, first] = said.split('\n');
    expect(Number(uid)).toBeGreaterThan(0);
    expect(Number(count)).toBeLessThan(8);
    expect(first).toBe('bwrap');
  });

  it('is given no credential but its engine’s own, and no socket of an agent', async () => {
    const said = await room.say('env', {
      ENGINE_KEY: 'engine-key-value',
      GH_TOKEN: 'forge-token-value',
      NPM_CONFIG__AUTHTOKEN: 'registry-value',
      SSH_AUTH_SOCK: '/run/agent',
      GIT_CONFIG_COUNT: '1',
      LANG: 'C.UTF-8',
    });
    expect(said).toContain('ENGINE_KEY=engine-key-value');
    expect(said).toContain('LANG=C.UTF-8');
    expect(said).not.toMatch(/forge-token|registry-value|SSH_AUTH_SOCK|GIT_CONFIG/);
  });

  it('has no secret in the command line of the seal', async () => {
    const { argv, env } = await room.plan('true', { ENGINE_KEY: 'engine-key-value' });
    expect(env['ENGINE_KEY']).toBe('engine-key-value');
    expect(argv.join(' ')).not.toContain('engine-key-value');
    expect(argv).not.toContain('--setenv');
  });

  it('works with git in its checkout, whose commits are brought back', async () => {
    await room.say('echo more >> readme.md && git commit -qam More && git fsck');
    const { checkout } = room;
    await bringBack(checkout, null);
    expect(gitIn(checkout.source.top, 'log', '-1', '--format=%s', checkout.branch)).toBe('More');
  });

  it('can write neither to the tools, nor to what its checkout borrows, nor beside it', async () => {
    const objects = join(room.checkout.source.commonDirectory, 'objects');
    const before = gitIn(room.checkout.source.top, 'count-objects', '-v');
    const beside = join(room.root, 'checkouts', 'made');
    const said = await room.say(
      `touch /usr/bin/made ${objects}/made /made; rm -rf ${objects}/*; echo x > ${beside}; mkdir /usr/local/made; echo end`,
    );
    expect(said.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(4);
    expect(existsSync(join(objects, 'made'))).toBe(false);
    expect(existsSync(beside)).toBe(false);
    expect(gitIn(room.checkout.source.top, 'count-objects', '-v')).toBe(before);
  });

  it('keeps its own home and its downloads, and no other session of another repository has them', async () => {
    await room.say(
      'echo mine > ~/.note; mkdir -p ~/.npm/x; echo got > ~/.npm/x/y; echo t > /tmp/z',
    );
    expect(await room.say('cat ~/.note ~/.npm/x/y /tmp/z')).toContain('mine\ngot\nt');
    expect(existsSync(join(room.home, '.note'))).toBe(false);
    const other = await SealedRoom.make();
    expect(await other.say('cat ~/.note ~/.npm/x/y')).not.toMatch(/mine|got/);
  });

  it('reads the settings of its engine as they are, and can change nothing of them', async () => {
    const settings = join(room.own, 'settings.json');
    writeFileSync(settings, '{"theme":"dark"}');
    const said = await room.say(
      `cat ${settings}; echo '{"hooks":1}' > ${settings}; rm ${settings}; mv ${settings} ${settings}.x; echo made > ${room.own}/hooks.json`,
    );
    expect(said).toContain('{"theme":"dark"}');
    expect(readFileSync(settings, 'utf8')).toBe('{"theme":"dark"}');
    expect(existsSync(join(room.own, 'hooks.json'))).toBe(false);
  });

  it('reaches nothing through a link that it makes', async () => {
    symlinkSync(join(room.home, '.ssh'), join(room.checkout.top, 'link'));
    expect(await room.say('cat link/id_ed25519; cat /proc/1/root/etc/shadow')).not.toContain(
      'PRIVATE',
    );
  });
});

it('is tested only where it is possible', () => {
  if (sealProblem !== null) console.log(`No seal is tested here: ${sealProblem}`);
  expect(sealProblem === null || sealProblem.length > 10).toBe(true);
});
