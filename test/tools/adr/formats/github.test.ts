import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatGithub } from '../../../../tools/adr/formats/github.ts';
import { aFinding, aRecord, aReport, aViolatedRule } from '../../../support/adr-reports.ts';
import { HOSTILE, SAMPLES } from '../../../support/adr-report-samples.ts';

type Command = { command: string; properties: Record<string, string>; message: string };

const unescape = (text: string) =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
const unescapeProperty = (text: string) =>
  unescape(text.replaceAll('%3A', ':').replaceAll('%2C', ','));

/** A line as GitHub's runner reads it: `::name key=value,key=value::message`. */
function readCommand(line: string): Command | null {
  const match = /^::([a-z-]+)(?: ([^]*?))?::([^]*)$/.exec(line);
  if (!match) return null;
  const properties = (match[2] ?? '').split(',').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), unescapeProperty(pair.slice(at + 1))];
  });
  return {
    command: match[1] ?? '',
    properties: Object.fromEntries(properties),
    message: unescape(match[3] ?? ''),
  };
}

const commandsOf = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map(readCommand)
    .filter((command) => command !== null);

const withFinding = (path: string, message: string, excerpt: string | null = null) =>
  aReport({
    records: [
      aRecord({
        rules: [
          aViolatedRule({
            findings: [aFinding({ place: { path, line: 3, column: 7 }, message, excerpt })],
          }),
        ],
      }),
    ],
  });

describe('an annotation', () => {
  it('stands at file, line and column, and says which rule and why', () => {
    const [command] = commandsOf(formatGithub(withFinding('src/cart.ts', 'Ask src/db.')));
    expect(command).toEqual({
      command: 'error',
      properties: {
        file: 'src/cart.ts',
        line: '3',
        col: '7',
        title: 'ADR-0001/pool-importers (enforced)',
      },
      message:
        'Ask src/db.\nWhy: Connections are counted in one place. (docs/adr/0001-one-pool-of-connections.md)',
    });
  });
  it('is an error where the build fails, a warning for advice, a notice for a waiver', () => {
    expect(commandsOf(formatGithub(SAMPLES.violated)).map((each) => each.command)).toEqual([
      'error',
      'error',
      'error',
      'warning',
      'notice',
    ]);
  });
  it('comes first when it fails the build, for GitHub shows only ten of a kind', () => {
    const [first] = commandsOf(formatGithub(SAMPLES.unchecked));
    expect(first?.properties['title']).toBe('Decision records could not be checked');
  });
});

describe('a text from the checked tree', () => {
  it('cannot begin a command of its own, and a path comes through whole', () => {
    const commands = commandsOf(
      formatGithub(withFinding(HOSTILE.path, HOSTILE.text, HOSTILE.text)),
    );
    expect(commands.map((each) => each.command)).toEqual(['error']);
    expect(commands[0]?.properties['file']).toBe(HOSTILE.path);
  });
  it('yields exactly one command, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary' }),
        (path, text) => {
          const commands = commandsOf(formatGithub(withFinding(path, text, text)));
          expect(commands).toHaveLength(1);
          expect(commands[0]?.properties['file']).toBe(path);
          expect(Object.keys(commands[0]?.properties ?? {})).toEqual([
            'file',
            'line',
            'col',
            'title',
          ]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
