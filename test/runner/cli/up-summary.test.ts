import { describe, expect, it } from 'vitest';
import type { EngineReadiness } from '../../../protocol/machine.ts';
import { describeEngines, describeLinks, describeOpening } from '../../../runner/cli/up-summary.ts';
import { runCommand } from '../../support/command-line.ts';

const plain = (_style: string, text: string) => text;
const marked = (style: string, text: string) => `<${style}>${text}</${style}>`;

const engine = (over: Partial<EngineReadiness> = {}): EngineReadiness => ({
  engineId: 'claude',
  label: 'Claude Code',
  ready: true,
  version: '2.1.0',
  payer: 'unknown',
  credential: null,
  approvals: [],
  problem: null,
  remedy: null,
  ...over,
});

describe('where the console is', () => {
  it('is said with the link that works once, on a line of its own to click', () => {
    const lines = describeLinks('http://127.0.0.1:7717', '/sign-in#abc', plain).split('\n');
    expect(lines).toContain('Pilothouse runs at http://127.0.0.1:7717. Ctrl-C stops it.');
    expect(lines).toContain('  http://127.0.0.1:7717/sign-in#abc');
  });
});

describe('what opening it to others means', () => {
  const text = describeOpening(['http://192.168.1.5:7717', 'http://10.0.0.2:7717'], '/s#x', plain);

  it('is said with every address, and that the traffic is not encrypted', () => {
    expect(text).toContain(
      'It is also open at http://192.168.1.5:7717 and http://10.0.0.2:7717: everyone on that network can reach the sign-in page, and the traffic is not encrypted.',
    );
    expect(text).toContain('docs/phone.md');
  });

  it('has a code to scan and the same link in letters, for the first address', () => {
    expect(text).toMatch(/[█▀▄]{10,}/);
    expect(text).toContain('  http://192.168.1.5:7717/s#x\n');
  });

  it('has a code whose lines are all as long as the first, so that it scans', () => {
    const rows = text.split('\n').filter((line) => /[█▀▄]/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });

  it('is a warning, and looks like one', () => {
    expect(describeOpening(['http://a'], '/s', marked)).toMatch(/^<yellow> {2}It is also open/);
  });
});

describe('the engines of this machine', () => {
  it('have one line each, in a column', () => {
    const engines = [
      engine(),
      engine({ engineId: 'rehearsal', label: 'Rehearsal', version: null }),
    ];
    expect(describeEngines(engines, plain)).toBe(
      '  Engines on this machine\n  ✓ Claude Code  2.1.0\n  ✓ Rehearsal    ready\n',
    );
  });

  it('say for each that is not ready the one thing to do', () => {
    const missing = engine({
      ready: false,
      problem: 'It is not installed.',
      remedy: 'npm install --global it',
    });
    expect(describeEngines([missing], plain)).toContain(
      '  · Claude Code  It is not installed. npm install --global it\n',
    );
  });

  it('say at least that it is not ready', () => {
    expect(describeEngines([engine({ ready: false })], plain)).toContain('Claude Code  Not ready.');
  });

  it('are said to be unknown while nothing was heard, with the log that says why', () => {
    expect(describeEngines(null, plain)).toMatch(/as soon as it knows\. If none come, runner\.log/);
  });

  it('may be none at all', () => {
    expect(describeEngines([], plain)).toBe('  Engines on this machine\n');
  });
});

describe('what up refuses before anything starts', () => {
  it.each(['-1', '65536', 'http', '80.5', '1e9', '0x50', '', ' '])(
    'is the port %s',
    async (port) => {
      const { exitCode, stdout, stderr } = await runCommand(['up', `--port=${port}`], {});
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/A port is a number from 1 to 65535, or 0 for any that is free\./);
    },
  );

  it.each(['https://box', 'box/path', 'a b', '*', ''])('is the host name %j', async (name) => {
    const { exitCode, stderr } = await runCommand(['up', `--allow-host=${name}`], {});
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Give the host name alone/);
  });
});
