import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../runner/failure.ts';
import { runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { created, SESSION } from '../../support/protocol-builders.ts';

const LEDGERS = [
  ['usage', /^\/v1\/usage\/export/],
  ['acts', /^\/v1\/acts\/export/],
] as const;
const CSV = 'at,micro_usd\r\n2026-11-28T12:00:00.000Z,12\r\n';

let cloud: FakeCloud;
let directory: string;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-export-'));
});
afterEach(async () => {
  await cloud.close();
  rmSync(directory, { recursive: true, force: true });
});
const last = () => cloud.asked.at(-1);

describe.each(LEDGERS)('pilothouse %s export', (name, path) => {
  it('prints the file as it is, so that a pipe gets nothing else', async () => {
    cloud.garble(path, CSV);
    const { exitCode, stdout, stderr } = await runOn(cloud, name, 'export');
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: EXIT.ok, stdout: CSV, stderr: '' });
    expect(last()?.query).toEqual({ format: 'csv' });
  });

  it('writes it for its owner alone, and over no file unasked', async () => {
    cloud.garble(path, CSV);
    const file = join(directory, 'ledger.csv');
    const { stdout } = await runOn(cloud, name, 'export', '-o', file);
    expect(stdout).toBe(`Wrote ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toBe(CSV);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'mine');
    const refused = await runOn(cloud, name, 'export', '-o', file);
    expect(refused.exitCode).toBe(EXIT.refused);
    expect(refused.stderr).toContain('is there already');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await runOn(cloud, name, 'export', '-o', file, '--force')).exitCode).toBe(EXIT.ok);
    expect(readFileSync(file, 'utf8')).toBe(CSV);
  });

  it('asks for JSON, a time and a session', async () => {
    cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
    cloud.garble(path, '[]\n');
    const to = '2026-11-29T00:00:00Z';
    const options = ['--json', '--session', 'test1', '--to', to];
    const { stdout } = await runOn(cloud, name, 'export', ...options);
    expect(stdout).toBe('[]\n');
    expect(last()?.query).toEqual({
      format: 'json',
      sessionId: SESSION,
      to: String(Date.parse(to)),
    });
  });

  it('takes half a list for none', async () => {
    cloud.garble(path, '[\n{"at":1}');
    const file = join(directory, 'half.json');
    const { exitCode, stdout } = await runOn(cloud, name, 'export', '--json', '-o', file);
    expect(exitCode).toBe(EXIT.failed);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unexpected_answer' } });
    expect(() => statSync(file)).toThrow();
  });

  it('says why when it is refused', async () => {
    cloud.refuse(path, 'forbidden');
    const { exitCode, stderr } = await runOn(cloud, name, 'export');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toContain('may not do that');
  });
});
