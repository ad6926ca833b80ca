import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import type { Look } from '../../../runner/acts/sight.ts';
import { holding, lookAt } from './files.ts';

const PUSH = 'git push origin main';
const STILL = () => 0;
const read = (files: Readonly<Record<string, string>>, line: string, look: Look = lookAt(files)) =>
  classifyCommand(line, look, STILL);
const told = (files: Readonly<Record<string, string>>, line: string): string[] =>
  read(files, line).map(({ command }) => command);
/** As many lines of a shell as come to far more than is read at once. */
const LINES = "say 'it'\n".repeat(20_000);
const REMARKS = `# it's a remark\n`.repeat(6_000);
const CODE = `function say(it) { return re.exec(it) + "it's"; }\n`.repeat(4_000);
const PYTHON = `def say(it):\n    return it + "it's"\n`.repeat(4_000);
const REST = 'which is too long to be read whole';

describe('a long file that a line runs', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['a script', 'sh s', { s: `${LINES.slice(0, 90_000)}${PUSH}\n` }],
    ['a script that begins with remarks', './s', { s: `#!/bin/sh\n${REMARKS}${PUSH}\n` }],
    ['a script that says so in the middle', 'sh s', { s: `${PUSH}\n${LINES.slice(0, 90_000)}` }],
    [
      'a script that sets what it says far before',
      'sh s',
      { s: `B=main\n${LINES.slice(0, 90_000)}git push origin $B\n` },
    ],
    [
      'a text over the place where it is cut',
      'sh s',
      { s: `${'true; \n'.repeat(9_300)}echo '${'\n'.repeat(1_000)}'\n${PUSH}\n` },
    ],
    [
      'a here-document over the place where it is cut',
      'sh s',
      { s: `${'true; \n'.repeat(9_300)}cat <<E; true\n${"don't\n".repeat(300)}E\n${PUSH}\n` },
    ],
    ['what it sources', '. lib; go', { lib: `${LINES.slice(0, 90_000)}go() { ${PUSH}; }\n` }],
    ['a Makefile', 'make go', { Makefile: `${'# it\n'.repeat(20_000)}go:\n\t${PUSH}\n` }],
    [
      'a package.json',
      'npm run go',
      { 'package.json': JSON.stringify({ a: 'a'.repeat(90_000), scripts: { go: PUSH } }) },
    ],
  ])('is read to its end: %s', (_, line, files) => {
    const [act, ...more] = read(files, line);
    expect(more).toEqual([]);
    expect(act?.command).toMatch(/^git push origin (main|\$B)$/);
    expect(act?.unread).toBeUndefined();
  });

  it.each([
    ['node s', `${CODE}require('child_process').execSync('${PUSH}')\n${CODE}`],
    ['node s', `${CODE}require('child_process')\n  .exec('${PUSH}')`],
    ['node s', `import cp from 'child_process';\n${CODE}cp\n  .exec('${PUSH}')`],
    ['node s', `${CODE}(await import('node:child_process')).exec('${PUSH}')`],
    ['node s', `import { execSync as x, exec } from 'node:child_process';\n${CODE}exec('${PUSH}')`],
    [
      'node s',
      `const cp = require('child_process')\n${CODE}cp.spawn('git', ['push', 'origin', 'main'])`,
    ],
    ['node s', `const how = '${PUSH}';\n${CODE}require('child_process').execSync(how)\n`],
    [
      'node s',
      `const how = ['push', 'origin', 'main'];\n${CODE}child_process.spawnSync('git', how)`,
    ],
    ['python3 s', `import os\n${PYTHON}os.system("${PUSH}")\n`],
    ['python3 s', `from subprocess import run\n${PYTHON}run(["git", "push", "origin", "main"])\n`],
    ['python3 s', `import subprocess\nhow = "${PUSH}"\n${PYTHON}subprocess.run(how, shell=True)\n`],
    ['./s', `#!/usr/bin/env node\n${CODE}require('child_process').execSync('${PUSH}')`],
  ])('is looked through for the commands that it starts: %s, %#', (line, s) => {
    const acts = read({ s }, line);
    expect(acts).toMatchObject([{ command: PUSH, uncertain: true, provesDone: false, file: 's' }]);
  });

  it('starts nothing where nothing in it does, however long that is', () => {
    expect(told({ s: CODE }, 'node s')).toEqual([]);
    expect(told({ s: `require('child_process')\n${CODE}` }, 'node s')).toEqual([]);
    expect(told({ s: `import os\n${PYTHON}` }, 'python3 s')).toEqual([]);
    expect(told({ s: LINES.slice(0, 90_000) }, 'sh s')).toEqual([]);
    expect(told({ s: `\x7fELF\0${'\0'.repeat(90_000)}` }, './s')).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['more of a script than is read', `${'x\n'.repeat(600_000)}${PUSH}\n`, 'sh s'],
    ['one statement that is longer', `f() {\n${'say it\n'.repeat(20_000)}${PUSH}\n}\nf\n`, 'sh s'],
    ['more commands than are visited', `${'a;b;c\n'.repeat(12_000)}${PUSH}\n`, 'sh s'],
    [
      'a call that does not end',
      `${CODE}child_process.execSync(\`${'a'.repeat(5_000)}\`)`,
      'node s',
    ],
    [
      'more calls than are read',
      `${CODE}${`child_process.spawn('a', ${'b,'.repeat(40)})\n`.repeat(900)}`,
      'node s',
    ],
  ])('is said to be uncertain where it is not read whole: %s', (_, s, line) => {
    const acts = read({ s }, `${line}; npm publish`);
    expect(acts.at(-2)).toMatchObject({ kind: 'push', command: line, uncertain: true });
    expect(acts.at(-1)).toMatchObject({ kind: 'publish', command: 'npm publish' });
    expect(acts.map(({ unread }) => unread)).toEqual(acts.map(() => undefined));
  });

  it.each(['sh s', '. s', 'node s', './s', 'make -f s go', 'python3 s'])(
    'says what of it nobody read, and reads on: %s',
    (line) => {
      const text = `#!/bin/sh\ngo:\n\ttrue\n${'#\n'.repeat(40_000)}`;
      const acts = read({}, `${line}; npm publish`, () => ({ text, whole: false }));
      expect(acts).toMatchObject([
        { kind: 'push', command: line, target: `the rest of s, ${REST}`, uncertain: true },
        { kind: 'publish' },
      ]);
    },
  );

  it('is read for no longer than a line may take, of whatever a Makefile has a million', () => {
    let ms = 0;
    const Makefile = `go:\n\t${PUSH}\n${'a:\n'.repeat(1_000_000)}`;
    const look = lookAt({ Makefile });
    expect(classifyCommand('make go', look, () => (ms += 10))).toMatchObject([
      { command: 'make go', target: `the rest of Makefile, ${REST}`, uncertain: true },
    ]);
  });

  it('is said where another one takes it in', () => {
    const look: Look = (path) =>
      path.endsWith('akefile')
        ? holding('include rest.mk\n')
        : { text: 'go:\n\ttrue\n', whole: false };
    expect(read({}, 'make go', look)).toMatchObject([
      { command: 'make go', target: `the rest of rest.mk, ${REST}`, uncertain: true },
    ]);
  });

  it('is read as often as a line may have it read, and then said', () => {
    const long = 'x'.repeat(3 * 1024 ** 2);
    const acts = read({}, 'node a; node b; node c', () => holding(long));
    expect(acts).toMatchObject([{ command: 'node c', target: `the rest of c, ${REST}` }]);
  });

  it('costs the line that runs it nothing of its own', () => {
    const s = 'x\n'.repeat(600_000);
    expect(told({ s }, `sh s; ${'true; '.repeat(15_000)}${PUSH}`)).toEqual(['sh s', PUSH]);
  });
});
