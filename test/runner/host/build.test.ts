import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildParts,
  listStaleParts,
  outputOf,
  type BuildPart,
} from '../../../runner/host/build.ts';
import { temporaryDirectory } from './temporary.ts';

/** A part whose build copies its one source and counts its runs. */
const PART: BuildPart = {
  name: 'part',
  sources: ['src'],
  command: (output) => ['build.mjs', output],
};
const BUILD = `import { appendFileSync, copyFileSync } from 'node:fs';
  appendFileSync('runs', 'x');
  copyFileSync('src/a.txt', process.argv[2] + '/a.txt');`;

function aProduct(build = BUILD): string {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.txt'), 'one');
  writeFileSync(join(root, 'build.mjs'), build);
  return root;
}
const runsOf = (root: string) => readFileSync(join(root, 'runs'), 'utf8').length;

describe('building what changed', () => {
  it('builds what was never built', async () => {
    const root = aProduct();
    expect(listStaleParts(root, [PART])).toEqual([PART]);
    await buildParts(root, [PART]);
    expect(readFileSync(join(outputOf(root, PART), 'a.txt'), 'utf8')).toBe('one');
    expect(listStaleParts(root, [PART])).toEqual([]);
  });

  it('builds nothing twice from the same sources, whatever their times', async () => {
    const root = aProduct();
    await buildParts(root, [PART]);
    utimesSync(join(root, 'src', 'a.txt'), new Date(), new Date());
    await buildParts(root, [PART]);
    expect(runsOf(root)).toBe(1);
  });

  it('builds again when a source changed', async () => {
    const root = aProduct();
    await buildParts(root, [PART]);
    writeFileSync(join(root, 'src', 'a.txt'), 'two');
    await buildParts(root, [PART]);
    expect(readFileSync(join(outputOf(root, PART), 'a.txt'), 'utf8')).toBe('two');
  });

  it('builds again when a source was added or renamed', async () => {
    const root = aProduct();
    await buildParts(root, [PART]);
    writeFileSync(join(root, 'src', 'b.txt'), '');
    expect(listStaleParts(root, [PART])).toEqual([PART]);
  });

  it('builds for production, whatever the environment of the caller says', async () => {
    const root = aProduct(`import { writeFileSync } from 'node:fs';
      writeFileSync(process.argv[2] + '/a.txt', process.env.NODE_ENV);`);
    expect(process.env['NODE_ENV']).not.toBe('production');
    await buildParts(root, [PART]);
    expect(readFileSync(join(outputOf(root, PART), 'a.txt'), 'utf8')).toBe('production');
  });

  it('fails with what the tool said, and is still stale afterwards', async () => {
    const root = aProduct(`console.error('no such thing'); process.exit(3);`);
    await expect(buildParts(root, [PART])).rejects.toThrow(/could not be built.*\nno such thing/);
    expect(listStaleParts(root, [PART])).toEqual([PART]);
    expect(existsSync(outputOf(root, PART))).toBe(false);
  });

  it('keeps the earlier output when a build fails, and builds again next time', async () => {
    const root = aProduct();
    await buildParts(root, [PART]);
    writeFileSync(join(root, 'src', 'a.txt'), 'two');
    writeFileSync(join(root, 'build.mjs'), 'process.exit(1)');
    await expect(buildParts(root, [PART])).rejects.toThrow(/The part could not be built/);
    expect(readFileSync(join(outputOf(root, PART), 'a.txt'), 'utf8')).toBe('one');
    expect(listStaleParts(root, [PART])).toEqual([PART]);
  });
});
