import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { openBrowser } from '../support/browser.ts';
import { aHarbour } from '../support/stand/harbour.ts';
import { listPages } from '../support/stand/pages.ts';
import { startStand } from '../support/stand/stand.ts';
import { enterStand, showTheme, type Size, SIZES, THEMES, visit } from '../support/stand/visit.ts';

// `npm run screenshots`: every page in both themes and sizes, over a stand-in that never changes.
const target = process.argv[2] ?? join(PRODUCT_ROOT, 'docs', 'screenshots');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const world = aHarbour();
const stand = await startStand(world);
const browser = await openBrowser();
let bytes = 0;
try {
  for (const size of Object.keys(SIZES) as Size[]) {
    const { page } = await enterStand(browser, stand.url, size);
    for (const each of listPages(world)) {
      await visit(page, each);
      for (const theme of THEMES) {
        await showTheme(page, theme);
        const picture = await takePicture(page);
        writeFileSync(join(target, `${each.name}-${theme}-${size}.webp`), picture);
        bytes += picture.length;
      }
    }
  }
} finally {
  await browser.close();
  await stand.close();
}
process.stdout.write(`${target}: ${Math.round(bytes / 1_024)} KB\n`);

/** What is in sight, as WebP: a third of the same PNG, which the browser's own command alone makes. */
async function takePicture(page: Page): Promise<Buffer> {
  const browserOf = await page.context().newCDPSession(page);
  const { data } = await browserOf.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  await browserOf.detach();
  return Buffer.from(data, 'base64');
}
