import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWithin } from '../../../runner/process/read-part.ts';
import { decideCarriedOn, type Reach } from '../../../runner/sessions/forks.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { codex } from '../../../runner/engines/codex/preset.ts';

describe('a fork of a conversation', () => {
  const sealed: Reach = {
    engineId: 'claude',
    grade: 'sealed',
    network: 'model-only',
    approvals: 'ask',
  };
  const open: Reach = { ...sealed, grade: 'open' };

  it('is gone on with by the same engine, with no more power than it had', () => {
    expect(decideCarriedOn(claude, sealed, sealed)).toBeNull();
    expect(decideCarriedOn(claude, sealed, open)).toBeNull();
    expect(decideCarriedOn(claude, open, sealed)).toMatch(/sealed.*open, which may do more/);
  });

  it('is not gone on with where it may reach more, or is asked less', () => {
    const reaching: Reach = { ...sealed, network: 'open' };
    expect(decideCarriedOn(claude, reaching, sealed)).toMatch(/reaches more/);
    expect(decideCarriedOn(claude, sealed, reaching)).toBeNull();
    const modes = ['plan', 'ask', 'accept_edits', 'bypass'] as const;
    for (const [least, mode] of modes.entries())
      for (const [most, other] of modes.entries()) {
        const why = decideCarriedOn(
          claude,
          { ...sealed, approvals: mode },
          { ...sealed, approvals: other },
        );
        expect(why === null).toBe(least <= most);
      }
  });

  it('is told where its engine has no way to go on, or is another one', () => {
    expect(decideCarriedOn(codex, sealed, { ...sealed, engineId: 'codex' })).toMatch(/another/);
    expect(
      decideCarriedOn(codex, { ...sealed, engineId: 'codex' }, { ...sealed, engineId: 'codex' }),
    ).toMatch(/cannot go on in a copy/);
  });
});

describe('a file that a session wrote', () => {
  let top: string;
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'pilothouse-within-'));
    mkdirSync(join(top, 'own', 'projects'), { recursive: true });
    mkdirSync(join(top, 'theirs'));
    writeFileSync(join(top, 'theirs', 'id.jsonl'), 'LETTER');
    writeFileSync(join(top, 'own', 'projects', 'id.jsonl'), 'mine');
  });
  afterEach(() => rmSync(top, { recursive: true }));
  const own = () => join(top, 'own');

  it('is read as it is, up to a bound', async () => {
    const path = join(own(), 'projects', 'id.jsonl');
    expect(await readWithin(path, own(), 4)).toBe('mine');
    expect(await readWithin(path, own(), 3)).toBeNull();
    expect(await readWithin(join(own(), 'projects'), own(), 9)).toBeNull();
  });

  it('is not read where a link leads out of what is the session’s', async () => {
    symlinkSync(join(top, 'theirs'), join(own(), 'linked'));
    symlinkSync(join(top, 'theirs', 'id.jsonl'), join(own(), 'id.jsonl'));
    expect(await readWithin(join(own(), 'linked', 'id.jsonl'), own(), 9)).toBeNull();
    expect(await readWithin(join(own(), 'id.jsonl'), own(), 9)).toBeNull();
  });
});
