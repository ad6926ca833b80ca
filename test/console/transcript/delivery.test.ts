// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { delivery } from '../../../protocol/engine-event.ts';
import { describeDelivery } from '../../../console/transcript/delivery.ts';
import { shortenPaths } from '../../../console/transcript/shorten.ts';

describe('how far an instruction got', () => {
  it('has words of its own for every step', () => {
    const words = [null, ...delivery.options].map((step) =>
      describeDelivery({ delivery: step, deliveryReason: null }, 'online'),
    );
    expect(new Set(words).size).toBe(delivery.options.length + 1);
  });

  it('says when the machine is away that it is delivered later', () => {
    expect(describeDelivery({ delivery: null, deliveryReason: null }, 'offline')).toContain(
      'when it comes back',
    );
  });

  it('gives the reason, and warns before a second try where it may have run', () => {
    expect(describeDelivery({ delivery: 'undelivered', deliveryReason: 'Full.' }, 'online')).toBe(
      'Not delivered. Full.',
    );
    expect(describeDelivery({ delivery: 'unknown', deliveryReason: null }, 'online')).toContain(
      'it may have run',
    );
  });
});

describe('paths in the session’s own directory', () => {
  it('are relative to it wherever they stand', () => {
    expect(shortenPaths('cat /w/s/a.ts /w/s/b.ts /w/other', '/w/s')).toBe('cat a.ts b.ts /w/other');
  });

  it('stay whole without a directory, or when it is the root', () => {
    expect(shortenPaths('/w/a', null)).toBe('/w/a');
    expect(shortenPaths('/w/a', '/')).toBe('/w/a');
  });
});
