// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Pair = { light: string; dark: string };

/** Every colour of the themes, as the style sheets write them. */
function readColours(file: string): Map<string, Pair> {
  const css = readFileSync(new URL(`../../console/${file}`, import.meta.url), 'utf8');
  const pairs = css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g);
  return new Map([...pairs].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const THEMES = ['light', 'dark'] as const;
const colours = readColours('styles.css');
const terminal = readColours('transcript.css');

function colour(name: string, theme: keyof Pair): string {
  const pair = colours.get(name) ?? terminal.get(name);
  if (!pair) throw new Error(`there is no colour ${name}`);
  return pair[theme];
}

const TEXT = ['ink', 'ink-soft', 'ink-faint', 'accent', 'amber', 'red', 'green'];
const PAPER = ['paper', 'raised', 'sunken'];

const pairs = [
  ...TEXT.flatMap((text) => PAPER.map((paper) => [text, paper] as const)),
  ['accent', 'accent-wash'],
  ['ink', 'accent-wash'],
  ['ink-soft', 'accent-wash'],
  ['amber', 'amber-wash'],
  ['ink-soft', 'amber-wash'],
  ['red', 'red-wash'],
  ['ink', 'red-wash'],
  ['ink-soft', 'red-wash'],
  ['ink', 'green-wash'],
  ...[...terminal.keys()].flatMap((name) => PAPER.map((paper) => [name, paper] as const)),
] as const;

describe('contrast', () => {
  it('has colours to look at', () => {
    console.log(`contrast: examined ${pairs.length} pairs in ${THEMES.length} themes`);
    expect(colours.size).toBeGreaterThan(15);
    expect(terminal.size).toBe(8);
  });

  it.each(THEMES)('of text is AA in the %s theme', (theme) => {
    const short = pairs
      .map(([text, paper]) => ({
        pair: `${text} on ${paper}`,
        ratio: contrast(colour(text, theme), colour(paper, theme)),
      }))
      .filter(({ ratio }) => ratio < 4.5);
    expect(short).toEqual([]);
  });

  it.each(THEMES)('of what is filled and of control borders is enough in the %s theme', (theme) => {
    for (const fill of ['accent-fill', 'red-fill']) {
      expect(contrast('#ffffff', colour(fill, theme))).toBeGreaterThanOrEqual(4.5);
    }
    for (const paper of PAPER) {
      expect(contrast(colour('line-strong', theme), colour(paper, theme))).toBeGreaterThanOrEqual(
        3,
      );
    }
  });
});
