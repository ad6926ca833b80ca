import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runnerId } from '../../../protocol/ids.ts';
import {
  readIdentity,
  readInstance,
  removeInstance,
  writeIdentity,
  writeInstance,
} from '../../../runner/host/instance.ts';
import { temporaryDirectory } from './temporary.ts';

const INSTANCE = { url: 'http://127.0.0.1:7717', pid: 42, cliToken: 'secret', runnerId: null };

describe('the running instance', () => {
  it('is read as it was written', () => {
    const path = join(temporaryDirectory(), 'instance.json');
    writeInstance(path, INSTANCE);
    expect(readInstance(path)).toEqual(INSTANCE);
  });

  it('is for its owner alone, because its token is in it', () => {
    const path = join(temporaryDirectory(), 'instance.json');
    writeInstance(path, INSTANCE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves no draft beside it', () => {
    const directory = temporaryDirectory();
    writeInstance(join(directory, 'instance.json'), INSTANCE);
    expect(readdirSync(directory)).toEqual(['instance.json']);
  });

  it('is none before the first start and after the last stop', () => {
    const path = join(temporaryDirectory(), 'instance.json');
    expect(readInstance(path)).toBeNull();
    writeInstance(path, INSTANCE);
    removeInstance(path);
    expect(readInstance(path)).toBeNull();
  });

  it.each(['', '{', '{"url":"x"}'])('is none when its file holds %j', (text) => {
    const path = join(temporaryDirectory(), 'instance.json');
    writeFileSync(path, text);
    expect(readInstance(path)).toBeNull();
  });
});

describe('the identity of a machine', () => {
  it('is nobody before it was registered', () => {
    expect(readIdentity(join(temporaryDirectory(), 'identity.json'))).toEqual({
      runnerId: null,
      cliToken: null,
    });
  });

  it('outlives a restart', () => {
    const path = join(temporaryDirectory(), 'identity.json');
    const identity = { runnerId: runnerId.parse('run_1'), cliToken: 'secret' };
    writeIdentity(path, identity);
    expect(readIdentity(path)).toEqual(identity);
  });
});
