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
