import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listFiles } from '../repo/source-files.ts';

export type Ran = { exitCode: number; output: string };

/** A copy of this repository to change and to run things in, with the same packages. */
export class ScratchTree {
  readonly root = mkdtempSync(join(tmpdir(), 'pilothouse-tree-'));

  constructor() {
    for (const path of listFiles()) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      cpSync(path, join(this.root, path), { force: true });
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(this.root, 'node_modules'));
    execFileSync('git', ['init', '--quiet'], { cwd: this.root });
    this.write('.git/info/exclude', 'node_modules\n.engines\n');
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Lays files or a folder of this repository over the copy. */
  add(from: string, to: string): void {
    cpSync(from, join(this.root, to), { recursive: true });
  }

  /** Puts `text` behind the only place where `behind` stands. */
  insert(path: string, behind: string, text: string): void {
    const parts = this.read(path).split(behind);
    const [before = '', after = ''] = parts;
    if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} of: ${behind}`);
    this.write(path, `${before}${behind}${text}${after}`);
  }

  /** Runs a program of the tree's packages, as nobody's child: not as a part of this test run. */
  run(program: string, ...args: string[]): Promise<Ran> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$)/.test(name)),
    );
    const options = { cwd: this.root, env: { ...env, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 };
    return new Promise((resolve) => {
      execFile(join('node_modules', '.bin', program), args, options, (error, stdout, stderr) => {
        const exitCode = error ? Number(error.code ?? 1) : 0;
        resolve({ exitCode, output: `${stdout}${stderr}` });
      });
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
