import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artifactPack } from '../../../../protocol/artifact-pack.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

let cloud: FakeCloud;
let directory: string;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-pack-'));
});
afterEach(async () => {
  await cloud.close();
  rmSync(directory, { recursive: true });
});

describe('pilothouse sessions pack', () => {
  const file = () => join(directory, 'evidence.json');
  const pack = (...options: string[]) => runOn(cloud, 'sessions', 'pack', SESSION, ...options);

  it('writes the evidence to a file that only its owner reads', async () => {
    const { exitCode, stdout } = await pack('-o', file());
    expect({ exitCode, stdout }).toEqual({ exitCode: EXIT.ok, stdout: `Wrote ${file()}.\n` });
    expect(artifactPack.parse(JSON.parse(readFileSync(file(), 'utf8'))).entries).toBe(1);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('writes over nothing unless told to', async () => {
    writeFileSync(file(), 'mine');
    const { exitCode, stderr } = await pack('-o', file());
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toContain('--force');
    expect(readFileSync(file(), 'utf8')).toBe('mine');
    expect((await pack('-o', file(), '--force')).exitCode).toBe(EXIT.ok);
  });

  it('says why a file cannot be written', async () => {
    const { exitCode, stderr } = await pack('-o', join(directory, 'none', 'x.json'));
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toMatch(/could not be written: ENOENT.*--output/);
  });

  it('is printed with --json', async () => {
    const pack = artifactPack.parse(await jsonOf(cloud, 'sessions', 'pack', SESSION));
    expect(pack.session.sessionId).toBe(SESSION);
  });
});
