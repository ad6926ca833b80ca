import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_ENTRIES, type EngineEntry, ownEntryOf } from '../../../../protocol/engines.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { runOn } from '../../../support/command-line.ts';
import { FakeCloud } from '../../../support/fake-cloud.ts';
import { aPreset } from '../../../support/preset-builders.ts';

const PRESET = aPreset({ command: ['my-agent', '--quiet'], env: ['A_NAME'] });

let cloud: FakeCloud;
let directory: string;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.ledgers.set('/v1/engines/my-agent', { entry: ownEntryOf(PRESET, 3, 1), versions: [] });
  cloud.ledgers.set('/v1/engines/gone', { entry: null, versions: [] });
  directory = mkdtempSync(join(tmpdir(), 'engines-'));
});
afterEach(async () => {
  await cloud.close();
  rmSync(directory, { recursive: true });
});

const run = (...args: string[]) => runOn(cloud, 'engines', ...args);
const sent = () => cloud.requests('POST').at(-1)?.body as { preset: object; basedOn: number };

describe('pilothouse engines edit, of an engine of Pilothouse', () => {
  const [claude] = BUILT_IN_ENTRIES as [EngineEntry];
  beforeEach(() => {
    cloud.ledgers.set('/v1/engines/claude', { entry: claude, versions: [] });
    cloud.ledgers.set('engines', { items: BUILT_IN_ENTRIES });
  });

  it('saves one’s own version of it, under an id that nobody types, and says the way back', async () => {
    const { stdout } = await run('edit', 'claude', '--', 'claude', '--effort', 'high');
    expect(sent()).toMatchObject({
      basedOn: 0,
      preset: {
        id: 'my-claude',
        label: 'Claude Code, your own',
        parser: 'claude-stream-json',
        command: ['claude', '--effort', 'high'],
      },
    });
    expect(stdout).toContain('Claude Code itself (claude) stays as it is');
    expect(stdout).toContain('engines remove my-claude');
  });

  it('goes on with the version that there is', async () => {
    const own = ownEntryOf({ ...claude.preset, id: 'my-claude', label: 'Mine' }, 4, 1);
    cloud.ledgers.set('engines', { items: [...BUILT_IN_ENTRIES, own] });
    await run('edit', 'claude', '--', 'claude', '--verbose');
    expect(sent()).toMatchObject({ basedOn: 4, preset: { id: 'my-claude', label: 'Mine' } });
  });
});

describe('pilothouse engines add', () => {
  it('takes the command after the dashes as it is, and says what is next', async () => {
    const { stdout, exitCode } = await run(
      'add',
      'local',
      '--',
      'ollama',
      'run',
      'qwen3',
      '--json',
    );
    expect(exitCode).toBe(EXIT.ok);
    expect(sent()).toMatchObject({
      basedOn: 0,
      preset: {
        id: 'local',
        label: 'local',
        parser: 'text',
        command: ['ollama', 'run', 'qwen3', '--json'],
      },
    });
    expect(stdout).toContain('Saved local, version 1: ollama run qwen3 --json');
    expect(stdout).toContain('engines approve local');
  });

  it('takes everything else from another engine', async () => {
    await run('add', 'mine', '--from', 'my-agent', '--label', 'Mine');
    expect(sent()).toEqual({ basedOn: 0, preset: { ...PRESET, id: 'mine', label: 'Mine' } });
  });

  it('reads the words of a conversation, and which variables it gets', async () => {
    const resume = ['--resume-begin', '--new  {session}', '--resume-again', '--go {session}'];
    await run('add', 'mine', ...resume, '--env', 'A', 'B', '--', 'agent');
    expect(sent().preset).toMatchObject({
      resume: { begin: ['--new', '{session}'], again: ['--go', '{session}'] },
      env: ['A', 'B'],
    });
    await run('add', 'mine', '--all-env', '--', 'agent');
    expect(sent().preset).toMatchObject({ env: null });
  });

  it.each([
    [['add', 'local'], 'command'],
    [['add', 'No Such', '--', 'x'], 'id'],
    [['add', 'local', '--parser', 'none', '--', 'x'], 'choices'],
    [['add', 'local', '--min-version', 'new', '--', 'x'], 'minVersion'],
  ])('refuses %j with the field, and saves nothing', async (args, words) => {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('pilothouse engines edit', () => {
  it('changes what is named, on top of the version that stands', async () => {
    const { stdout } = await run('edit', 'my-agent', '--input', 'argument');
    expect(sent()).toEqual({ basedOn: 3, preset: { ...PRESET, input: 'argument' } });
    expect(stdout).toContain('Saved my-agent, version 4');
  });

  it('keeps the other half of a conversation’s words', async () => {
    const resume = { begin: ['--new', '{session}'], again: ['--go', '{session}'] };
    const entry = ownEntryOf({ ...PRESET, resume }, 1, 1);
    cloud.ledgers.set('/v1/engines/my-agent', { entry, versions: [] });
    await run('edit', 'my-agent', '--resume-again', '--continue {session}');
    expect(sent().preset).toMatchObject({
      resume: { begin: resume.begin, again: ['--continue', '{session}'] },
    });
  });

  it('says of a removed engine how it comes back', async () => {
    const { exitCode, stderr } = await run('edit', 'gone', '--label', 'x');
    expect([exitCode, stderr]).toEqual([
      EXIT.refused,
      expect.stringContaining('engines restore gone'),
    ]);
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('an engine as a file', () => {
  const file = () => join(directory, 'engine.json');
  /** What is listed, and what a version that is saved then comes to. */
  const listed = (...items: object[]) =>
    cloud.garble(/\/engines$/, JSON.stringify({ items, ...ownEntryOf(PRESET, 4, 1) }));

  it('is written once, and never over another', async () => {
    expect((await run('export', 'my-agent', '--output', file())).stdout).toContain(file());
    writeFileSync(file(), 'mine');
    const again = await run('export', 'my-agent', '--output', file());
    expect([again.exitCode, again.stderr]).toEqual([
      EXIT.failed,
      expect.stringContaining('Name another file.'),
    ]);
    expect(readFileSync(file(), 'utf8')).toBe('mine');
  });

  it('comes back as it was, as the next version of its engine', async () => {
    writeFileSync(file(), (await run('export', 'my-agent')).stdout);
    listed(ownEntryOf(PRESET, 3, 1));
    expect((await run('import', file())).exitCode).toBe(EXIT.ok);
    expect(sent()).toEqual({ preset: PRESET, basedOn: 3 });
    await run('import', file(), '--id', 'other');
    expect(sent()).toEqual({ preset: { ...PRESET, id: 'other' }, basedOn: 0 });
  });

  it('never takes the place of an engine that comes with the product', async () => {
    writeFileSync(file(), (await run('export', 'my-agent')).stdout);
    listed({ ...ownEntryOf(PRESET, 1, 1), origin: 'builtIn', version: null });
    expect((await run('import', file())).exitCode).not.toBe(EXIT.ok);
    expect(cloud.requests('POST')).toEqual([]);
  });

  it.each([
    ['is not there', null, 'could not be read'],
    ['is no engine', '{"name":"x"}', 'is no file of an engine'],
    ['is no JSON', 'engine:', 'is no file of an engine'],
  ])('that %s is refused as wrong usage', async (_, text, words) => {
    if (text !== null) writeFileSync(file(), text);
    const { exitCode, stderr } = await run('import', file());
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
    expect(existsSync(file())).toBe(text !== null);
    expect(cloud.requests('POST')).toEqual([]);
  });
});
