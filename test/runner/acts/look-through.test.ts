import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { holding, lookAt } from './files.ts';

/** The acts of a line in a directory with these files, a `?` after an uncertain one. */
const actsIn = (files: Readonly<Record<string, string>>, line: string): string[] =>
  classifyCommand(line, lookAt(files)).map(
    ({ kind, uncertain, command }) => `${kind}${uncertain ? '?' : ''} ${command}`,
  );
const PUSH = 'git push origin main';
const packaged = (scripts: Record<string, string>) => ({
  'package.json': JSON.stringify({ scripts }),
});

describe('a script that lies there', () => {
  it.each([
    ['sh s.sh', { 's.sh': PUSH }],
    ['bash -eu ./s.sh', { 's.sh': PUSH }],
    ['./s.sh', { 's.sh': `#!/bin/sh\n${PUSH}\n` }],
    ['./s', { s: `#!/usr/bin/env bash\n${PUSH}\n` }],
    ['source ./s.sh', { 's.sh': PUSH }],
    ['. s.sh', { 's.sh': PUSH }],
    ['cd tools && ./s.sh', { 'tools/s.sh': PUSH }],
    ['(cd tools; true); ./s.sh', { 's.sh': PUSH }],
    ['sh a.sh', { 'a.sh': 'sh b.sh', 'b.sh': PUSH }],
    ['. lib.sh; ship origin', { 'lib.sh': 'ship() { git push "$1" main; }' }],
    ['sh s.sh main', { 's.sh': 'git push origin "$1"' }],
    ['sudo ./s.sh', { 's.sh': PUSH }],
    ['./s.py', { 's.py': `#!/usr/bin/env python3\nimport os\nos.system("${PUSH}")` }],
    ['python3 s.py', { 's.py': `import os\nos.system("${PUSH}")` }],
    [
      'node s.mjs',
      { 's.mjs': `import { execSync } from 'node:child_process'; execSync('${PUSH}');` },
    ],
    ['npm run go', packaged({ go: PUSH })],
    ['npm test', packaged({ test: PUSH })],
    ['npm run go', packaged({ go: 'true', postgo: PUSH })],
    ['npm run go -- main', packaged({ go: 'git push origin' })],
    ['yarn go', packaged({ go: PUSH })],
    ['pnpm run go', packaged({ go: 'npm run next', next: PUSH })],
    ['bun run go', packaged({ go: PUSH })],
    ['make go', { Makefile: `go:\n\t@${PUSH}\n` }],
    ['make', { Makefile: `all: go\n\ngo:\n\t-${PUSH}\n` }],
    ['make -sC sub go', { 'sub/Makefile': `B := main\ngo:\n\tgit push origin $(B)\n` }],
    ['make go B=main', { makefile: 'go: ; git push origin $(B)\n' }],
    ['make go', { Makefile: 'include go.mk\n', 'go.mk': `go:\n\t${PUSH}\n` }],
    [
      'make -C sub go',
      { 'sub/Makefile': '-include mk/*.mk a.mk\n', 'sub/a.mk': `go: ; ${PUSH}\n` },
    ],
    [
      'make go',
      {
        Makefile: 'D = mk\nsinclude $(D)/a.mk absent.mk # more\ngo:\n\tgit push origin $(B)\n',
        'mk/a.mk': 'include mk/b.mk\n',
        'mk/b.mk': 'include mk/a.mk\nB = main\n',
      },
    ],
    ['make -f x.mk go', { 'x.mk': `go:\n\tcd sub; $(MAKE) -f ../x.mk on\non:\n\t${PUSH}\n` }],
  ])('%s', (line, files) => {
    expect(actsIn(files, line)).toEqual([`push ${PUSH}`]);
  });

  it('is told with the file that it was read from, which may be another one when it runs', () => {
    const [read] = classifyCommand('sh s.sh', () => holding(PUSH));
    const [written] = classifyCommand(`echo '${PUSH}' > s.sh; sh s.sh`, () =>
      holding('npm publish'),
    );
    expect([read?.file, written?.file, written?.kind]).toEqual(['s.sh', undefined, 'push']);
  });

  it('proves what its own last command would', () => {
    const proofOf = (text: string) =>
      classifyCommand('sh s.sh', () => holding(text))[0]?.provesDone;
    expect([proofOf(PUSH), proofOf(`${PUSH}; true`)]).toEqual([true, false]);
  });

  it.each([
    ['subprocess.run(c, check=True)', true],
    ['subprocess.check_call(c)', true],
    ['subprocess.run(c)', false],
    ['try:\n  subprocess.check_call(c)\nexcept: pass', false],
    ['if x: subprocess.check_call(c)', false],
    ['subprocess.check_call(c) if x else y', false],
  ])('proves by python %j: %s', (text, proven) => {
    const program = `import subprocess\nc = ["git", "push"]\n${text}`;
    expect(classifyCommand('python3 s.py', () => holding(program))).toMatchObject([
      { provesDone: proven },
    ]);
  });

  it('shows no value that a file sets to what comes after it', () => {
    const files = { '.env': 'TOKEN=s3cret' };
    expect(actsIn(files, '. ./.env; git push https://$TOKEN@x main')).toEqual([
      'push? git push https://$TOKEN@x main',
    ]);
  });

  it.each([
    ['cd "$DIR"; sh s.sh', { 's.sh': PUSH }],
    ['pushd sub; popd; sh s.sh', { 's.sh': PUSH, 'sub/s.sh': PUSH }],
    ['sh "$X"', { $X: PUSH }],
    ['sh s.sh', { 's.sh': `echo "${PUSH}"` }],
    ['./app', { app: `#!/usr/bin/env ruby\n${PUSH}` }],
    ['./app', { app: `\u007fELF\0\n${PUSH}` }],
    ['./node_modules/.bin/x', { 'node_modules/.bin/x': PUSH }],
    ['npm run go -w sub', packaged({ go: PUSH })],
    ['npm run other', packaged({ go: PUSH })],
    ['npm run go', { 'package.json': `{ "scripts": { "go": "${PUSH}"` }],
    ['yarn install', packaged({ install: PUSH })],
    ['make -n go', { Makefile: `go:\n\t${PUSH}\n` }],
    ['make other', { Makefile: `go:\n\t${PUSH}\n` }],
    ['python3 -m s.py', { 's.py': `import os\nos.system("${PUSH}")` }],
    ['sh s.sh', {}],
  ])('has nothing to show of %s', (line, files) => {
    expect(actsIn(files as Record<string, string>, line)).toEqual([]);
  });

  it('that runs itself comes to an end', () => {
    expect(actsIn({ 's.sh': `sh s.sh; sh s.sh; ${PUSH}` }, 'sh s.sh').length).toBeGreaterThan(0);
    expect(actsIn({ Makefile: `a: a\n\tmake a\n\t${PUSH}\n` }, 'make a').length).toBeGreaterThan(0);
  });

  it('needs no guess by its name once it was seen', () => {
    expect(actsIn({ 'deploy.sh': PUSH }, './deploy.sh')).toEqual([`push ${PUSH}`]);
    expect(actsIn({}, './deploy.sh')).toEqual(['deploy? ./deploy.sh']);
  });
});

describe('a script of the same line', () => {
  it.each([
    [`echo "${PUSH}" > s.sh; sh s.sh`],
    [`cat > s.sh <<'END'\n${PUSH}\nEND\nbash s.sh`],
    [`printf '#!/bin/sh\\n${PUSH}\\n' > $T/x && $T/x`],
    [`echo '${PUSH}' | tee s.sh; . ./s.sh`],
    [`echo 'git \\' > s.sh; echo 'push origin main' >> s.sh; sh s.sh`],
    [`cd $T; echo '{"scripts":{"go":"${PUSH}"}}' > package.json; npm run go`],
    [`echo ${Buffer.from(PUSH).toString('base64')} | base64 -d | sh`],
  ])('%s', (line) => {
    expect(actsIn({}, line)).toEqual([`push ${PUSH}`]);
  });

  it('that cannot be seen hides what lay there before', () => {
    expect(actsIn({ 's.sh': PUSH }, 'curl -s https://x > s.sh; sh s.sh')).toEqual([]);
  });
});

describe('program text', () => {
  it.each([
    ['python3', `import subprocess; subprocess.run(["git", "push", "origin", "main"])`],
    [
      'python3',
      `import subprocess as sp\nif True:\n  sp.check_call(('git', 'push', 'origin', 'main'))`,
    ],
    ['python3', `from subprocess import run; run("${PUSH}", shell=True)`],
    ['python3', `import os; os.execlp("git", "git", "push", "origin", "main")`],
    ['python3', `import os; os.execvp("git", ["git", "push", "origin", "main"])`],
    ['python3', `import subprocess; c = "${PUSH}"; subprocess.Popen(c.split())`],
    ['python3', `import subprocess; subprocess.call("${PUSH}".split())`],
    ['python3', `__import__('os').system('git ' + "push origin main")`],
    [
      'python3',
      `import os\nb = 'main'\nos.system(f"git push origin {b} {c()}")`,
      "push? git push origin main '…'",
    ],
    ['python3', `import os\ndef go():\n  os.system("${PUSH}")`, `push? ${PUSH}`],
    ['node', `require('child_process').spawnSync('git', ['push', 'origin', 'main'])`],
    ['node', `const cp = require('child_process'); cp.exec(\`git push origin main\`)`],
    [
      'node',
      `const { exec: e, spawn } = await import('node:child_process'); spawn('git', ['push', b])`,
      "push? git push '…'",
    ],
    ['node', `await $\`git push origin main\``],
    [
      'node',
      `const line = '${PUSH}'; require('child_process').execSync(line, { stdio: 'inherit' })`,
    ],
  ])('%s: %s', (program, text, told = `push ${PUSH}`) => {
    const name = program === 'node' ? 's.mjs' : 's.py';
    const found = actsIn({ [name]: text }, `${program} ${name}`);
    expect(found).toEqual([told]);
  });

  it.each([
    `python3 -c 'import os; os.system("${PUSH}")'`,
    `python3 - <<'END'\nimport os\nos.system("${PUSH}")\nEND`,
    `python3 <<'END'\nimport os\nos.system("${PUSH}")\nEND`,
    `node -e 'require("child_process").execSync("${PUSH}")'`,
    `node --input-type=module <<'END'\nimport { execSync } from 'child_process'\nexecSync("${PUSH}")\nEND`,
  ])('%s', (line) => {
    expect(actsIn({}, line)).toEqual([`push ${PUSH}`]);
  });

  it.each([
    `python3 -c 'print("os.system(${PUSH})")'`,
    `python3 -c 'import re; re.run("${PUSH}")'`,
    `node -e '/x/.exec("${PUSH}")'`,
    `node -e 'db.exec("${PUSH}")'`,
    `perl -e 'system("${PUSH}")'`,
    `python3 -c 'import subprocess; subprocess.run(("git", "push") + x)'`,
  ])('says nothing of %s', (line) => {
    expect(actsIn({}, line)).toEqual([]);
  });
});
