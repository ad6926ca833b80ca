import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  approveEngine,
  decidePresetAllowed,
  findApprovalsPath,
  hashOf,
  readApprovedEngines,
  withdrawApproval,
} from '../../../runner/limits/approved-engines.ts';
import { aPreset } from '../../support/preset-builders.ts';

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-approved-'));
  path = findApprovalsPath(join(root, 'pilothouse', 'limits.toml'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const decide = (
  preset = aPreset(),
  launch: { engineId?: string; model?: string } = {},
  commands: string[] = [],
) =>
  decidePresetAllowed(
    { engineId: preset.id, model: null, ...launch, preset },
    { approved: readApprovedEngines(path), commands, ownEngines: ['claude'] },
  );

describe('an engine from outside', () => {
  test('runs nowhere before it was approved, and exactly what was approved afterwards', () => {
    expect(decide()).toEqual({ allowed: false, code: 'engine_not_approved', detail: 'cat' });
    approveEngine(path, aPreset(), 0);
    expect(decide()).toEqual({ allowed: true });
    for (const lie of [
      aPreset({ command: ['cat', '/etc/passwd'] }),
      aPreset({ command: ['sh'] }),
      aPreset({ input: 'argument' }),
      aPreset({ env: [] }),
      aPreset({ parser: 'claude-stream-json' }),
      aPreset({ resume: { begin: ['{session}'], again: ['{session}'] } }),
    ])
      expect(decide(lie)).toMatchObject({ code: 'engine_not_approved' });
  });

  test('may be called otherwise later: what runs is the same', () => {
    approveEngine(path, aPreset(), 0);
    expect(decide(aPreset({ id: 'renamed', label: 'Renamed' }))).toEqual({ allowed: true });
  });

  test('passes for an engine that the runner knows by itself where it was approved as that alone', () => {
    const preset = aPreset({ id: 'claude' });
    expect(decide(preset)).toMatchObject({ code: 'engine_id_taken' });
    approveEngine(path, aPreset({ id: 'renamed' }), 0);
    expect(decide(preset)).toMatchObject({ code: 'engine_id_taken' });
    withdrawApproval(path, 'renamed');
    approveEngine(path, preset, 0);
    expect(decide(preset)).toEqual({ allowed: true });
    expect(decide({ ...preset, command: ['tac'] })).toMatchObject({ code: 'engine_id_taken' });
    expect(decide({ ...preset, command: ['tac'] }, {}, ['tac'])).toMatchObject({
      code: 'engine_id_taken',
    });
    expect(decide(aPreset(), { engineId: 'other' })).toMatchObject({ code: 'bad_request' });
  });

  test('is approved too by its command line in limits.toml, with the whole environment', () => {
    expect(decide(aPreset(), {}, ['cat'])).toEqual({ allowed: true });
    expect(decide(aPreset(), {}, ['cat '])).toMatchObject({ code: 'engine_not_approved' });
    expect(decide(aPreset({ env: ['A'] }), {}, ['cat'])).toMatchObject({ allowed: false });
  });

  test('that is a plain command takes no model', () => {
    approveEngine(path, aPreset(), 0);
    expect(decide(aPreset(), { model: 'opus' })).toMatchObject({ code: 'unsupported' });
  });
});

describe('the file of approvals', () => {
  test('is the person’s alone, is read again each time and keeps one entry for one thing', () => {
    approveEngine(path, aPreset(), 0);
    approveEngine(path, aPreset({ label: 'Again' }), 1);
    approveEngine(path, aPreset({ command: ['tac'] }), 2);
    expect(readApprovedEngines(path)).toMatchObject([
      { id: 'my-agent', commandLine: 'cat', sha256: hashOf(aPreset()) },
      { id: 'my-agent', commandLine: 'tac', approvedAt: '1970-01-01T00:00:00.002Z' },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('gives up what is taken back, by name or by hash', () => {
    approveEngine(path, aPreset(), 0);
    approveEngine(path, aPreset({ id: 'other', command: ['tac'] }), 0);
    expect(withdrawApproval(path, 'nothing')).toEqual([]);
    expect(withdrawApproval(path, hashOf(aPreset()))).toMatchObject([{ id: 'my-agent' }]);
    expect(withdrawApproval(path, 'other')).toMatchObject([{ id: 'other' }]);
    expect(readApprovedEngines(path)).toEqual([]);
  });

  test('approves nothing while it cannot be read or others could have written it', () => {
    mkdirSync(join(root, 'pilothouse'));
    writeFileSync(path, '{"approved": [{}]}');
    expect(() => readApprovedEngines(path)).toThrow(/approved-engines\.json: .*correct it/);
    expect(() => approveEngine(path, aPreset(), 0)).toThrow(/limits_unreadable|cannot be read/);
    expect(readFileSync(path, 'utf8')).toBe('{"approved": [{}]}');
    rmSync(path);
    approveEngine(path, aPreset(), 0);
    chmodSync(path, 0o666);
    expect(() => readApprovedEngines(path)).toThrow(/chmod o-w/);
  });
});
