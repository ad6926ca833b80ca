import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

export type SourceFile = { path: string; text: string };

const CODE = /\.(ts|tsx|mjs|css|sql|sh)$/;
/** Made by a tool or recorded from one: read by nobody, so held to nobody's length. */
const GENERATED = /(^|\/)(fixtures|golden|generated|meta)\//;

/** Every file that git tracks or would track, as paths from the repository's top. */
export function listFiles(): string[] {
  const out = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(out.split('\0').filter(Boolean))];
}

export function readSources(paths: readonly string[]): SourceFile[] {
  return paths.flatMap((path) => {
    try {
      return [{ path, text: readFileSync(path, 'utf8') }];
    } catch (error) {
      // A file that git still tracks and the work tree no longer has is on its way out.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Code that people write and read. */
export function listCode(): SourceFile[] {
  return readSources(listFiles().filter((path) => CODE.test(path) && !GENERATED.test(path)));
}

export const isTest = (path: string): boolean => path.startsWith('test/');

export type Import = { from: string; specifier: string; kind: 'static' | 'dynamic' | 're-export' };

/**
 * Every module that a file names, by a real parser: imports, re-exports, type-only ones and
 * dynamic imports of a literal. A file that does not parse throws, because an unread file would
 * pass every guard.
 */
export function readImports(file: SourceFile): Import[] {
  const parsed = parseSync(file.path, file.text);
  if (parsed.errors.length > 0) {
    throw new Error(`${file.path} does not parse: ${parsed.errors[0]?.message}`);
  }
  const found: Import[] = [];
  for (const item of parsed.module.staticImports) {
    found.push({ from: file.path, specifier: item.moduleRequest.value, kind: 'static' });
  }
  for (const item of parsed.module.staticExports) {
    for (const entry of item.entries) {
      if (!entry.moduleRequest) continue;
      found.push({ from: file.path, specifier: entry.moduleRequest.value, kind: 're-export' });
    }
  }
  for (const item of parsed.module.dynamicImports) {
    const literal = file.text.slice(item.moduleRequest.start, item.moduleRequest.end);
    const specifier = /^(['"`])(.*)\1$/.exec(literal)?.[2];
    found.push({ from: file.path, specifier: specifier ?? literal, kind: 'dynamic' });
  }
  return found;
}
