import { readFileSync } from 'node:fs';

export type Fence = { language: string; name: string; text: string };

/** The named examples of a page: fences whose first line has a language and a word. */
export function readFences(path: string): Fence[] {
  const fence = /^```(\w+) ([\w-]+)\n([\s\S]*?)^```$/gm;
  return [...readFileSync(path, 'utf8').matchAll(fence)].map(
    ([, language = '', name = '', text = '']) => ({ language, name, text }),
  );
}
