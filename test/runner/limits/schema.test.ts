import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLimitsFile } from '../../../runner/limits/schema.ts';
import { forgeLimitsOf } from '../../../runner/limits/forges.ts';
import { terminalLimitsOf } from '../../../runner/limits/terminal.ts';

function faultOf(text: string): { line: number | null; reason: string } {
  const parsed = parseLimitsFile(text);
  if (parsed.kind === 'valid') throw new Error('expected a fault');
  return parsed.fault;
}

describe('parseLimitsFile', () => {
  test('parses the example of the documentation, and the example uses every key', () => {
    const example = /```toml\n([^]*?)```/.exec(readFileSync('docs/limits.md', 'utf8'))?.[1] ?? '';
    expect(parseLimitsFile(example)).toEqual({
      kind: 'valid',
      file: {
        directories: ['~/code', '/srv/projects'],
        engines: ['claude', 'rehearsal'],
        bypass: false,
        discard: false,
        takeover: true,
        preview: true,
        model_gate: true,
        no_output_minutes: 60,
        start_minutes: 5,
        answer_hours: 72,
        minimum_grade: 'fenced',
        default_grade: 'sealed',
        minimum_network: 'open',
        default_network: 'model-only',
        commands: ['claude --model opus'],
        secret_variables: ['CUSTOMER_NUMBER', 'LICENSE'],
        secret_patterns: [
          { name: 'FORGE_KEY', pattern: 'fk_(?:live|test)_[A-Za-z0-9]{24,80}' },
          { name: 'CODENAME', literal: 'Project Nightjar' },
        ],
        repositories: [
          {
            directory: '~/code/shop',
            include: ['.env', 'config/local.json'],
            setup: 'npm ci',
            setup_seconds: 900,
            show: ['~/.cache/ms-playwright'],
            protected: ['release/*'],
            push_tags: false,
            merge: 'pr',
            variables: ['TEST_DATABASE_PASSWORD'],
            hosts: ['registry.npmjs.org', 'mirror.example.com:8443'],
          },
        ],
        keep: { checkout_days: 14, output_days: 90, image_days: 7 },
        forges: [
          {
            host: 'github.example.com',
            api: 'https://github.example.com/api/v3',
            token: 'FORGE_TOKEN',
          },
        ],
        terminal: {
          backends: ['tmux'],
          default_server: true,
          watch: true,
          drive: true,
          prefixes: ['agent-'],
          variables: ['TEST_API_KEY'],
          kitty_socket: '~/.cache/kitty.sock',
          keep_minutes: 30,
        },
      },
    });
  });

  test('gives an empty file the safe values', () => {
    expect(parseLimitsFile('')).toEqual({
      kind: 'valid',
      file: {
        bypass: false,
        discard: true,
        takeover: true,
        preview: true,
        model_gate: true,
        minimum_grade: 'open',
        minimum_network: 'open',
        default_network: 'open',
        commands: [],
        secret_variables: [],
        secret_patterns: [],
        repositories: [],
      },
    });
  });

  test.each(['https://registry.npmjs.org', '*.example.com', 'a b', 'host:port', ''])(
    'refuses %j, which is the name of no host',
    (host) => {
      const text = `[[repositories]]\ndirectory = "/srv"\nhosts = ["${host}"]\n`;
      expect(faultOf(text)).toMatchObject({
        line: 3,
        reason: expect.stringContaining('must be the name of a host'),
      });
    },
  );

  test('takes names of variables for secrets, and nothing that could be none', () => {
    expect(parseLimitsFile('secret_variables = ["CUSTOMER_NUMBER"]')).toMatchObject({
      kind: 'valid',
      file: { secret_variables: ['CUSTOMER_NUMBER'] },
    });
    expect(faultOf('secret_variables = ["A", "B*"]')).toEqual({
      line: 1,
      reason: 'secret_variables [2]: must be the name of a variable',
    });
  });

  test('takes literals and bounded patterns, and names the line of one that cannot be looked for', () => {
    const entry = (...lines: string[]) => ['[[secret_patterns]]', 'name = "K"', ...lines, ''];
    const good = [...entry("pattern = 'ghp_[A-Za-z0-9]{36}'"), ...entry('literal = "Nightjar 7"')];
    expect(parseLimitsFile(good.join('\n'))).toMatchObject({
      kind: 'valid',
      file: {
        secret_patterns: [
          { name: 'K', pattern: 'ghp_[A-Za-z0-9]{36}' },
          { name: 'K', literal: 'Nightjar 7' },
        ],
      },
    });
    expect(faultOf([...good, ...entry("pattern = 'ghp_[a-z]+'")].join('\n'))).toEqual({
      line: 11,
      reason:
        'secret_patterns [3] pattern: has no upper limit of 512 or less in "[a-z]+": say how long it can get, such as {20,200}',
    });
    expect(faultOf(entry('literal = "short"').join('\n'))).toMatchObject({
      line: 3,
      reason: expect.stringContaining('at least 8 characters'),
    });
    for (const lines of [[], ['literal = "Nightjar 7"', "pattern = 'ghp_[a-z]{36}'"]])
      expect(faultOf(entry(...lines).join('\n'))).toEqual({
        line: 1,
        reason: 'secret_patterns [1]: must have either `pattern` or `literal`',
      });
  });

  test('names an unknown key and its line', () => {
    expect(faultOf('# mine\nengines = ["claude"]\nbypas = true\n')).toEqual({
      line: 3,
      reason: 'unknown key "bypas"',
    });
  });

  test('says what is wrong with a protected branch that would protect nothing', () => {
    const said = (glob: string) =>
      faultOf(`[[repositories]]\ndirectory = "/a"\nprotected = ["main", "${glob}"]\n`).reason;
    expect(said('refs/heads/main')).toMatch(/write the branch without refs\/heads\//);
    expect(said('release/')).toMatch(/say what is inside it: release\/\*\*/);
    expect(said('v[1')).toMatch(/a bracket or a brace is open/);
    expect(said('!main')).toMatch(/must be a plain glob/);
  });

  test('names an unknown key of the second repository, not of the first', () => {
    const text =
      '[[repositories]]\ndirectory = "/a"\n\n[[repositories]]\ndirectory = "/b"\nsetpu = "make"\n';
    expect(faultOf(text)).toEqual({ line: 6, reason: 'unknown key "setpu"' });
  });

  test('reads where pull requests are opened, each forge with its own API and login', () => {
    const forges = (text: string) => {
      const parsed = parseLimitsFile(text);
      return parsed.kind === 'valid' ? forgeLimitsOf(parsed.file.forges) : parsed.fault;
    };
    expect(forges('')).toEqual([]);
    expect(
      forges(
        '[[forges]]\nhost = "Git.Example.com"\n[[forges]]\nhost = "github.com"\ntoken = "T"\n[[forges]]\nhost = "local"\napi = "http://127.0.0.1:9/api/"\n',
      ),
    ).toEqual([
      { host: 'git.example.com', apiUrl: 'https://git.example.com/api/v3', tokenVariable: null },
      { host: 'github.com', apiUrl: 'https://api.github.com', tokenVariable: 'T' },
      { host: 'local', apiUrl: 'http://127.0.0.1:9/api', tokenVariable: null },
    ]);
    expect(forges('[[forges]]\nhost = "x"\napi = "http://example.com"\n')).toMatchObject({
      line: 3,
      reason: expect.stringContaining('https://'),
    });
    expect(forges('[[forges]]\nhost = "x"\ntoken = "ghp-secret"\n')).toMatchObject({
      line: 3,
      reason: expect.stringContaining('name of a variable'),
    });
    expect(forges('[[forges]]\nhost = "https://x"\n')).toMatchObject({ line: 2 });
  });

  test('reads what is open of terminals, which is nothing unless it is named', () => {
    const terminal = (text: string) => {
      const parsed = parseLimitsFile(text);
      return parsed.kind === 'valid'
        ? terminalLimitsOf(parsed.file.terminal, (path) => path)
        : null;
    };
    expect(terminal('')).toMatchObject({
      backends: [],
      defaultServer: false,
      watch: true,
      drive: true,
    });
    expect(terminal('[terminal]\n')).toEqual(terminal(''));
    const text =
      '[terminal]\nbackends = ["tmux", "kitty"]\ndefault_server = true\nprefixes = ["agent-"]\nvariables = ["API_KEY"]\nkitty_socket = "/run/kitty"\nkeep_minutes = 0.5\nwatch = false\ndrive = false\n';
    expect(terminal(text)).toEqual({
      backends: ['tmux', 'kitty'],
      defaultServer: true,
      prefixes: ['agent-'],
      variables: ['API_KEY'],
      kittySocket: '/run/kitty',
      watch: false,
      drive: false,
      keepMs: 30_000,
    });
  });

  test('names the line of a fault in a table of its own', () => {
    expect(faultOf('bypass = false\n\n[terminal]\nbackends = ["tmux"]\nprefix = "a"\n')).toEqual({
      line: 5,
      reason: 'unknown key "prefix"',
    });
    expect(faultOf('[terminal]\nbackends = ["screen"]\n')?.line).toBe(2);
  });

  test('names an unknown table', () => {
    expect(faultOf('bypass = false\n\n[network]\nopen = true\n')).toEqual({
      line: 3,
      reason: 'unknown key "network"',
    });
  });

  test('names the repository that lacks its directory', () => {
    const text = '[[repositories]]\ndirectory = "/a"\n[[repositories]]\nsetup = "make"\n';
    expect(faultOf(text)).toMatchObject({
      line: 3,
      reason: expect.stringContaining('repositories [2] directory'),
    });
  });

  test('names the line of a value of the wrong kind', () => {
    expect(faultOf('directories = ["/a"]\nbypass = "no"\n')).toMatchObject({
      line: 2,
      reason: expect.stringContaining('bypass'),
    });
    expect(faultOf('\ndirectories = ["code"]\n')).toEqual({
      line: 2,
      reason: 'directories [1]: must begin with / or ~/',
    });
  });

  test('names the line where the file stops being TOML', () => {
    expect(faultOf('bypass = false\nengines = [\n"claude"\nx\n').line).toBe(4);
  });

  test.each(['../outside', '/etc/passwd', 'a/../../b', '.git/config', '.', ''])(
    'refuses to include %j',
    (path) => {
      const text = `[[repositories]]\ndirectory = "/a"\ninclude = [${JSON.stringify(path)}]\n`;
      expect(faultOf(text).line).toBe(3);
    },
  );

  test('refuses an empty command line, which would approve nothing or everything', () => {
    expect(faultOf('commands = ["  "]').line).toBe(1);
    expect(faultOf('[[repositories]]\ndirectory = "/a"\nsetup = ""').line).toBe(3);
  });

  test('never throws, whatever the file holds', () => {
    const piece = fc.constantFrom(
      '[[repositories]]',
      '[x',
      'a = ',
      '"',
      '\n',
      'bypass = true',
      "'''",
      '1979-05-27',
      'é',
      '=',
      '#',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join('')),
        ),
        (text) => {
          expect(['valid', 'invalid']).toContain(parseLimitsFile(text).kind);
        },
      ),
    );
  });
});
