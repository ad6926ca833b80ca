import { renderUnicodeCompact } from 'uqr';
import type { EngineReadiness } from '../../protocol/machine.ts';
import type { Paint } from './output.ts';

/** Where the console is, and the way in. */
export function describeLinks(url: string, linkPath: string, paint: Paint): string {
  return [
    '',
    `${paint('bold', 'Pilothouse')} runs at ${url}. Ctrl-C stops it.`,
    '',
    '  Sign in with this link; it works once:',
    `  ${paint('cyan', url + linkPath)}`,
    '',
  ].join('\n');
}

/** What opening it to others means, and a sign-in link to scan. */
export function describeOpening(urls: readonly string[], linkPath: string, paint: Paint): string {
  const first = urls[0] ?? '';
  return [
    paint(
      'yellow',
      `  It is also open at ${urls.join(' and ')}: everyone on that network can reach the sign-in page, and the traffic is not encrypted. docs/phone.md has a way with HTTPS.`,
    ),
    '',
    '  Scan to sign in on a phone; it works once:',
    renderUnicodeCompact(first + linkPath, { border: 2 })
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n'),
    `  ${paint('cyan', first + linkPath)}`,
    '',
  ].join('\n');
}

/** The engines, and for each that is not ready the one thing to do. Null: nothing heard yet. */
export function describeEngines(engines: readonly EngineReadiness[] | null, paint: Paint): string {
  if (!engines) {
    return paint(
      'yellow',
      '  The runner still looks which engines there are; the console shows them as soon as it knows. If none come, runner.log in the data directory says why.\n',
    );
  }
  const width = Math.max(0, ...engines.map((engine) => engine.label.length));
  const lines = engines.map((engine) => {
    const label = engine.label.padEnd(width);
    if (engine.ready) return `  ${paint('green', '✓')} ${label}  ${engine.version ?? 'ready'}`;
    const remedy = engine.remedy ? ` ${paint('bold', engine.remedy)}` : '';
    return `  ${paint('dim', '·')} ${label}  ${engine.problem ?? 'Not ready.'}${remedy}`;
  });
  return ['  Engines on this machine', ...lines, ''].join('\n');
}
