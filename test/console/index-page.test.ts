// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('console/index.html', 'utf8');
const styles = readFileSync('console/styles.css', 'utf8');
const token = (name: string) => new RegExp(`--${name}: (light-dark\\([^)]+\\));`).exec(styles)?.[1];

describe('the page before the console’s files are here', () => {
  it.each([
    ['background', 'paper'],
    ['color', 'ink-soft'],
  ])('has the %s that the console has, so that nothing flashes', (property, name) => {
    expect(token(name)).toMatch(/^light-dark\(#/);
    expect(page).toContain(`${property}: ${token(name)};`);
  });

  it('runs nothing that its policy forbids', () => {
    expect(page.match(/<script(?![^>]* src=)/g)).toBeNull();
    expect(page).not.toMatch(/ on\w+=/);
  });
});

describe('the console as an app of a phone', () => {
  const manifest = JSON.parse(readFileSync('console/public/manifest.webmanifest', 'utf8'));

  it('is named by the page, opens at home, and stands without the bars of a browser', () => {
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
    expect(manifest).toMatchObject({ name: 'Pilothouse', start_url: '/', display: 'standalone' });
  });

  it('has icons that are there, one of which may be cut to any shape', () => {
    const icons: { src: string; type: string; purpose: string }[] = manifest.icons;
    const begins = { 'image/svg+xml': '<svg ', 'image/png': '\u0089PNG' } as Record<string, string>;
    for (const { src, type } of icons)
      expect(readFileSync(`console/public${src}`, 'latin1').slice(0, 5)).toContain(begins[type]);
    expect(new Set(icons.map(({ purpose }) => purpose))).toEqual(new Set(['any', 'maskable']));
    // What may be cut has its ground up to every edge.
    const cut = readFileSync('console/public/icon-maskable.svg', 'utf8');
    expect(cut).toContain('<rect width="32" height="32" fill=');
  });
});
