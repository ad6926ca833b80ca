import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { openBrowser } from '../support/browser.ts';

// `npm run icons`: the PNGs that home screens take, drawn from the SVGs by the browser.
const ICONS = [
  ['icon.svg', 192, 'icon-192.png'],
  ['icon.svg', 512, 'icon-512.png'],
  ['icon-maskable.svg', 512, 'icon-maskable-512.png'],
] as const;
const files = join(PRODUCT_ROOT, 'console', 'public');
const browser = await openBrowser();
try {
  for (const [from, size, to] of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const drawn = readFileSync(join(files, from), 'utf8');
    await page.setContent(
      `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawn}`,
    );
    writeFileSync(join(files, to), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
