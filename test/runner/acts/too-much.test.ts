import { describe, expect, it, vi } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { findStarted, loadNative } from '../../../runner/acts/program-text.ts';
import { Reading, TooMuch } from '../../../runner/acts/reading.ts';
import { answerCall } from '../../../runner/engines/call-policy.ts';
import { lookAt } from './files.ts';

const PUSH = 'git push origin main';
const STILL = () => 0;
const readIn = (files: Readonly<Record<string, string>>, line: string) =>
  classifyCommand(line, lookAt(files), STILL);
const told = (files: Readonly<Record<string, string>>, line: string): string[] =>
  readIn(files, line).map((act) => `${act.unread === undefined ? '' : 'unread '}${act.command}`);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('a line that comes to more than is read', () => {
  const doubling = `x=aaaaaaaa; ${'x+=$x; '.repeat(27)}${PUSH}`;
  const recipes = { Makefile: `go:\n${'\ttrue\n'.repeat(10_000)}\t${PUSH}\n` };
  const copies = `${numbers(4_000)
    .map((index) => `v${index}=1`)
    .join('\n')}\n${'$(a)\n'.repeat(500)}${PUSH}`;
  const again = `${'true; '.repeat(20_000)}${PUSH}`;
  const words = `x='${'a '.repeat(20_000)}'; echo ${'$x '.repeat(4_000)}; ${PUSH}`;
  const scripts = `x='${': '.repeat(20_000)}'; ${'eval "$x"; '.repeat(100)}${PUSH}`;

  it('is read to its end where it is only its values that grow', () => {
    expect(told({}, doubling)).toEqual([PUSH]);
  });

  it.each([
    ['a recipe of ten thousand lines', recipes, 'make go'],
    ['a copy of four thousand variables for each of many subshells', { s: copies }, 'sh s'],
    ['more commands than are visited', {}, again],
    ['a value that is split into words again and again', {}, words],
    ['a text that is run again and again', {}, scripts],
  ])('ends in one act that nobody can be sure of: %s', (_, files, line) => {
    const acts = readIn(files, line);
    expect(acts).toMatchObject([{ kind: 'push', uncertain: true, provesDone: false }]);
    expect(acts[0]?.unread).toBe(new TooMuch().message);
  });

  it('keeps the acts that were seen before', () => {
    expect(told({}, `npm publish; ${again}`)).toEqual([
      'npm publish',
      `unread npm publish; ${again}`.slice(0, 2_007),
    ]);
  });

  it('tells no more acts than anybody reads', () => {
    const acts = readIn({ s: `${PUSH}\n`.repeat(2_000) }, 'sh s');
    expect(acts).toHaveLength(1_001);
    expect(acts.at(-1)).toMatchObject({ command: 'sh s', unread: new TooMuch().message });
  });

  it('is not read where it is longer than any program is given', () => {
    expect(told({}, `${' '.repeat(128 * 1024)}${PUSH}`)).toEqual([`unread ${PUSH}`]);
  });

  it('is refused before it runs', () => {
    const rules = {
      tools: [],
      acts: { policy: {}, gated: false } as unknown as NonNullable<
        Parameters<typeof answerCall>[0]['acts']
      >,
    };
    const use = { tool: 'Bash', input: { command: again } } as unknown as Parameters<
      typeof answerCall
    >[1];
    expect(answerCall(rules, use)).toMatchObject({ effect: 'deny' });
  });

  it('is told whatever breaks', () => {
    const broken = classifyCommand('sh s', () => {
      throw new Error('no such luck');
    });
    expect(broken).toMatchObject([{ command: 'sh s', uncertain: true, unread: 'no such luck' }]);
  });

  it('is left when its time is over', () => {
    let at = 0;
    const line = `npm publish; ${'true; '.repeat(2_000)}${PUSH}`;
    const late = classifyCommand(line, undefined, () => (at += 200));
    expect(late.map(({ unread }) => unread)).toContain(new TooMuch().message);
    expect(late).toHaveLength(2);
    expect(late[0]?.unread).toBeUndefined();
  });
});

describe('every bound of reading', () => {
  const sums = (count: number) =>
    numbers(count)
      .map(() => "'a'")
      .join(' + ');
  const program = (text: string) => ({ s: `import os, subprocess\n${text}` });
  /** `PUSH` behind so many layers of what makes a line of a line. */
  const behind = (layers: number, wrap: (line: string, layer: number) => string): string =>
    numbers(layers).reduce(wrap, PUSH);
  const chain = (count: number) =>
    Object.fromEntries([
      ...numbers(count).map((index) => [`s${index}`, `sh s${index + 1}\n`]),
      [`s${count}`, `${PUSH}\n`],
    ]) as Record<string, string>;
  const pads = Object.fromEntries(numbers(5).map((index) => [`p${index}`, '#'.repeat(60_000)]));

  const idle = ': '.repeat(40_000);
  const remarks = '#\n'.repeat(40_000);
  const grown = (line: string) => `x='${': '.repeat(20_000)}'; ${line}`;

  it.each<[string, Readonly<Record<string, string>>, string, unread: boolean]>([
    ['characters of a script in a word', {}, `sh -c '${idle};${PUSH}'`, true],
    ['characters of eval', {}, `eval '${idle};${PUSH}'`, true],
    ['characters of a here-string', {}, `bash <<< '${idle};${PUSH}'`, true],
    ['characters of a here-document', {}, `sh <<'E'\n${':\n'.repeat(40_000)}${PUSH}\nE`, true],
    ['characters that are piped', {}, `echo '${idle};${PUSH}' | sh`, true],
    ['characters that the line wrote', {}, `echo '${idle};${PUSH}' > f; sh f`, true],
    ['characters of variables in a word', {}, grown(`sh -c "$x$x; ${PUSH}"`), true],
    ['characters of a variable', {}, grown(`y="$x$x; ${PUSH}"; eval "$y"`), true],
    ['characters of an alias', {}, `alias g='${'git -c a=b '.repeat(7_000)}push'; g`, true],
    ['characters of env -S', {}, `env -S '${'A=b '.repeat(17_000)}${PUSH}'`, true],
    ['characters of a program in a word', {}, `python3 -c '${remarks}'`, false],
    ['characters of a program that is fed', {}, `python3 <<'E'\n${remarks}E`, false],
    ['characters of a program that the line wrote', {}, `echo '${remarks}' > s; node s`, false],
    [
      'characters of a value of make',
      { Makefile: `X = ${'a'.repeat(16_001)}\ngo:\n\t$(X)\n` },
      'make go',
      true,
    ],
    [
      'characters of a line of make',
      { Makefile: `go:\n\t${':;'.repeat(16_001)}\n` },
      'make go',
      true,
    ],
    [
      'work of the values of make',
      { Makefile: `a = ${'a'.repeat(15_000)}\n${'b = $(a)\n'.repeat(1_000)}go:\n\ttrue\n` },
      'make go',
      true,
    ],
    ['characters of a line', {}, `${PUSH} ${' '.repeat(128 * 1024)}`, true],
    ['commands of a line', {}, 'true; '.repeat(20_000) + PUSH, true],
    ['layers of subshells', {}, behind(13, (line) => `( ${line} )`), true],
    ['layers of eval', {}, behind(13, (line) => `eval ${JSON.stringify(line)}`), true],
    ['scripts in scripts', chain(13), 'sh s0', true],
    ['functions in functions', {}, behind(13, (line, at) => `f${at}() { ${line}; }; f${at}`), true],
    ['files of a line', {}, `${'./absent; '.repeat(65)}${PUSH}`, true],
    [
      'characters of files',
      pads,
      `${Object.keys(pads)
        .map((pad) => `sh ${pad}; `)
        .join('')}${PUSH}`,
      true,
    ],
    [
      'files in files of make',
      Object.fromEntries(
        ['Makefile', ...numbers(10)].map((name, at) => [
          String(name),
          at === 10 ? `go:\n\t${PUSH}\n` : `include ${at}\n`,
        ]),
      ),
      'make go',
      true,
    ],
    ['lines of recipes', { Makefile: `go:\n${'\ttrue\n'.repeat(10_000)}` }, 'make go', true],
    ['parts of a sum', program(`os.system(${sums(40)})`), 'python3 s', false],
    ['nodes of literals', program(`os.system(f"${'{x}'.repeat(4_100)}")`), 'python3 s', false],
    [
      'characters of literals',
      program(`x = '${'a'.repeat(30_000)}'\nos.system(f"{x}{x}{x}")`),
      'python3 s',
      false,
    ],
    ['words of a list', program(`subprocess.run([${'"a",'.repeat(201)}])`), 'python3 s', false],
    ['calls of a program', program('os.system("true")\n'.repeat(201)), 'python3 s', false],
  ])('ends in an act that nobody can be sure of: %s', (_, files, line, unread) => {
    const last = readIn(files, line).at(-1);
    expect(last).toMatchObject({ kind: 'push', uncertain: true });
    expect(last?.unread !== undefined).toBe(unread);
  });

  it('is not reached by what is nested as deeply as people write', () => {
    expect(told(chain(11), 'sh s0')).toEqual([PUSH]);
    expect(
      told(
        {},
        behind(5, (line) => `( ${line} )`),
      ),
    ).toEqual([PUSH]);
    expect(told(program(`os.system("git push " + ${sums(20)})`), 'python3 s')).toHaveLength(1);
  });

  it('is not reached by a script that runs itself, which shows nothing new', () => {
    const files = { s: `sh s\n${PUSH}\n`, 'package.json': '{"scripts":{"go":"npm run go"}}' };
    expect(told(files, 'sh s')).toEqual([PUSH]);
    expect(told(files, `npm run go; ${PUSH}`)).toEqual([PUSH]);
  });
});

describe('a Makefile', () => {
  it('has rules that no long line stalls', () => {
    const long = `a${' '.repeat(900)}:${' '.repeat(900)}#\n`.repeat(50);
    const odd = `a=${' '.repeat(1_900)}\u2028\ngo:\t\t; true # ${PUSH}\n`;
    expect(told({ Makefile: `${long}${odd}\t${PUSH}\n` }, 'make go')).toEqual([PUSH]);
  });

  it('is read where a comment ends the prerequisites, and a target is named twice', () => {
    const text = `all all: go go # more\ngo: on\n\ngo::\n\t${PUSH}\non: ; npm publish\n`;
    expect(told({ Makefile: text }, 'make')).toEqual(['npm publish', PUSH]);
  });

  it('puts no more into a line than is read of one', () => {
    const grown = `a := ${'x'.repeat(1_900)}\nb := $(a)$(a)\ngo:\n\techo $(b)\n\t${PUSH}\n`;
    expect(told({ Makefile: grown }, 'make go')).toEqual([PUSH]);
    const long = `a := ${'x'.repeat(1_900)}\ngo:\n\t${PUSH}\n\techo ${'$(a)'.repeat(1_000)}\n`;
    expect(told({ Makefile: long }, 'make go')).toEqual(['unread make go']);
  });

  it('is read where its lines are as long as lists of files are', () => {
    const text = `FILES = ${'a.c '.repeat(2_000)}\ngo: ${'a.o '.repeat(2_000)}\n\tcc $(FILES)\n\t${PUSH}\n`;
    expect(told({ Makefile: text }, 'make go')).toEqual([PUSH]);
  });

  it('has one recipe for all targets of a line, however many they are', () => {
    const targets = numbers(180).map((index) => `t${index}`);
    const text = `go: ${targets.join(' ')}\n${targets.join(' ')}:\n${'\techo a\n'.repeat(1_000)}`;
    expect(told({ Makefile: text }, 'make go')).toEqual(['unread make go']);
  });
});

describe('a program', () => {
  const doubled = (first: string, next: (before: string) => string, count: number): string =>
    numbers(count).reduce(
      (text, index) => `${text}\n${next(`n${index}`).replace('=', `n${index + 1} =`)}`,
      first,
    );

  it.each([
    [
      'python3 s',
      doubled("import os\nn0 = 'aaaa'", (n) => `= f"${`{${n}}`.repeat(40)}"`, 6) +
        '\nos.system(n6)',
    ],
    [
      'node s',
      doubled("const n0 = 'aaaa'", (n) => `= \`${`\${${n}}`.repeat(40)}\``, 6)
        .replaceAll('\nn', '\nconst n')
        .concat("\nrequire('child_process').execSync(n6)"),
    ],
  ])('of names of names starts something unknown, and what follows is read: %s', (line, text) => {
    expect(told({ s: text }, `${line}; ${PUSH}`)).toEqual([line, PUSH]);
  });

  it('is read no further than the words of a command go', () => {
    const long = `import subprocess\nx = '${'a'.repeat(20_000)}'\nsubprocess.run([${'x,'.repeat(18_000)}])`;
    expect(told({ s: long }, `python3 s; ${PUSH}`)).toEqual(['python3 s', PUSH]);
  });

  it.each([
    [
      'node s',
      `const cp = require('child_process');\n(${'cp || '.repeat(80)}cp).execSync('${PUSH}')`,
    ],
    ['python3 s', `import os\n(${'os or '.repeat(80)}os).system('${PUSH}')`],
  ])('is known by the last name of what it calls, however long that is: %s', (line, text) => {
    expect(told({ s: text }, line)).toEqual([PUSH]);
  });

  it('of names of names reads each of them once', () => {
    const takeNode = vi.spyOn(Reading.prototype, 'takeNode');
    const text = doubled("import os\nn0 = 'a'", (n) => `= ${n} + ${n} + ${n}`, 6);
    findStarted('python', `${text}\nos.system(n6)`, new Reading(STILL));
    expect(takeNode.mock.calls.length).toBeLessThan(60);
    takeNode.mockRestore();
  });

  it('starts something unknown where no parser is there for it', () => {
    const text = `import os\nos.system("${PUSH}")`;
    expect(findStarted('python', text, new Reading(STILL), () => null)).toBeNull();
    const missing = () => {
      throw new Error('Cannot find native binding');
    };
    expect(loadNative(missing)).toBeNull();
    const rest = vi.spyOn(Reading.prototype, 'rest').mockReturnValue(null);
    const acts = readIn({ s: text }, 'python3 s; npm publish');
    rest.mockRestore();
    expect(acts).toMatchObject([
      { kind: 'push', command: 'python3 s', uncertain: true },
      { kind: 'publish', uncertain: false },
    ]);
  });
});
