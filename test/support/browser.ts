import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** The names under which `npm test` looks for a Chromium, and installs one. */
const NAMES = ['chromium', 'google-chrome', 'chromium-browser'];

function findChromium(): string {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => places.map((place) => join(place, name))).find(existsSync);
  if (found) return found;
  throw new Error('There is no Chromium on the PATH. `npm test` says how to install one.');
}

/** Chromium without what it would ask of the network by itself. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** The browser's own words for a network that is cut, of requests, a socket's handshake and a service worker's script. */
const NETWORK_IS_GONE =
  /net::ERR_(INTERNET_DISCONNECTED|CONNECTION|EMPTY_RESPONSE|SOCKET)|Connection closed before receiving a handshake response|^An unknown error occurred when fetching the script\.$/;

export type Watched = {
  page: Page;
  /** What went wrong on the page: errors of its console, exceptions, breaches of its policy. */
  faults: string[];
};

/**
 * Opens a page whose every error is kept. A request that fails because the network is gone is
 * told by the browser itself and is no fault of the page.
 */
export async function openPage(context: BrowserContext): Promise<Watched> {
  const faults: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    if (NETWORK_IS_GONE.test(message.text())) return;
    faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, faults };
}

/** Types the name of what goes for good, as the dialog that asks for it wants. Answers the name. */
export async function typeName(page: Page): Promise<string> {
  const label = (await page.getByText(/^Type .+ to confirm$/).textContent()) ?? '';
  const name = /^Type (.+) to confirm$/.exec(label)?.[1] ?? '';
  await page.getByLabel(label).fill(name);
  return name;
}
