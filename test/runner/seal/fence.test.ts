import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SealedRoom } from '../../support/sealed.ts';
import { aRepository, gitIn } from '../guard/repositories.ts';

describe('a fenced session', () => {
  let room: SealedRoom;
  let remote: string;
  beforeEach(async () => {
    const repository = aRepository();
    remote = `${repository}-remote.git`;
    gitIn(repository, 'clone', '--quiet', '--bare', repository, remote);
    gitIn(repository, 'remote', 'add', 'origin', remote);
    room = await SealedRoom.make(repository, 'fenced');
  });

  it('runs as itself, on any machine', async () => {
    const plan = await room.plan('true');
    expect(plan.argv[0]).toBe('/bin/sh');
    expect(plan.sealed).toBeUndefined();
  });

  it('is given its engine’s own credential, and neither agents nor tokens of forges', async () => {
    const said = await room.say('env', {
      ENGINE_KEY: 'engine-key-value',
      GH_TOKEN: 'forge-token-value',
      SSH_AUTH_SOCK: '/run/agent',
      XDG_RUNTIME_DIR: '/run/user/1',
    });
    expect(said).toContain('ENGINE_KEY=engine-key-value');
    expect(said).toContain('XDG_RUNTIME_DIR=/run/user/1');
    expect(said).not.toMatch(/forge-token|SSH_AUTH_SOCK/);
  });

  it('pushes its own branch through the gate, its only remote, which refuses the protected one', async () => {
    const said = await room.say(
      'git remote -v; git commit -q --allow-empty -m work; git push origin HEAD:refs/heads/feature; git push origin HEAD:main',
    );
    expect(said).not.toContain(remote);
    expect(said).toMatch(/main is protected/);
    expect(gitIn(remote, 'log', '-1', '--format=%s', 'feature')).toBe('work');
    expect(gitIn(remote, 'log', '-1', '--format=%s', 'main')).not.toBe('work');
  });

  it('has git ask no helper, no agent and nobody, and says what to do instead', async () => {
    const proof = join(room.home, 'asked');
    writeFileSync(
      join(room.home, '.gitconfig'),
      `[credential]\n\thelper = "!touch ${proof}; echo password=x #"\n`,
    );
    const said = await room.say(
      [
        'printf "protocol=https\\nhost=forge.invalid\\n\\n" | git credential fill',
        'git push git@forge.invalid:me/it.git HEAD:main',
        'git push https://forge.invalid/me/it.git HEAD:main',
        'git ls-remote ssh://forge.invalid/me/it.git',
      ].join('; '),
      { SSH_AUTH_SOCK: '/run/agent', GIT_ASKPASS: '/bin/true' },
    );
    expect(existsSync(proof)).toBe(false);
    expect(said.match(/This session is fenced: .* the gate/g)).toHaveLength(3);
    expect(said).toMatch(/terminal prompts disabled/);
  });

  it('gives the command lines of forges an empty place for their logins', async () => {
    mkdirSync(join(room.home, '.config', 'gh'), { recursive: true });
    writeFileSync(join(room.home, '.config', 'gh', 'hosts.yml'), 'PRIVATE');
    const said = await room.say('ls -A $GH_CONFIG_DIR $GLAB_CONFIG_DIR; cat $GH_CONFIG_DIR/*');
    expect(said).not.toContain('PRIVATE');
  });

  it('keeps what the person named for this repository', async () => {
    const plain = await room.plan('true', { DATABASE_PASSWORD: 'k' });
    expect(plain.env).not.toHaveProperty('DATABASE_PASSWORD');
    const approved = { ...room.engine, keptVariables: ['DATABASE_PASSWORD'] };
    const plan = await room.keeper.seal(
      { ...plain, env: { DATABASE_PASSWORD: 'k' } },
      approved,
      room.checkout,
      null,
    );
    expect(plan.env).toHaveProperty('DATABASE_PASSWORD');
  });

  it('is still a person’s own process: what it looks for in the home, it finds', async () => {
    writeFileSync(join(room.home, 'note'), 'OF-THE-PERSON');
    expect(await room.say('cat ~/note')).toContain('OF-THE-PERSON');
    expect(execFileSync('id', ['-u'], { encoding: 'utf8' })).toBe(
      `${(await room.say('id -u')).trim()}\n`,
    );
  });
});
