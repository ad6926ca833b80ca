import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTPUT_FRAME_BYTES, OUTPUT_WINDOW_BYTES } from '../../../protocol/terminal-frames.ts';
import { ViewerFlow } from '../../../workers/relay/viewer-flow.ts';

const QUARTER = OUTPUT_WINDOW_BYTES / 4;
function live(): ViewerFlow {
  const flow = new ViewerFlow();
  flow.wantsScreen();
  flow.shown();
  return flow;
}

describe('a window on a terminal', () => {
  it('gets no output before its screen, which is asked for once', () => {
    const flow = new ViewerFlow();
    flow.shown();
    expect(flow.takes(1)).toBe(false);
    expect([flow.wantsScreen(), flow.wantsScreen()]).toEqual([true, false]);
    expect(flow.takes(1)).toBe(false);
    flow.shown();
    expect(flow.takes(1)).toBe(true);
  });

  it('gets a whole window unseen and not a byte more', () => {
    const flow = live();
    expect(flow.takes(OUTPUT_WINDOW_BYTES)).toBe(true);
    expect(flow.takes(1)).toBe(false);
  });

  it('that fell behind gets nothing, not even what would fit, until it asks for its screen', () => {
    const flow = live();
    flow.takes(3 * QUARTER);
    expect(flow.takes(2 * QUARTER)).toBe(false);
    expect(flow.takes(1)).toBe(false);
    flow.acked(2 * QUARTER - 1);
    expect(flow.wantsScreen()).toBe(false);
    flow.acked(1);
    expect(flow.wantsScreen()).toBe(true);
    flow.shown();
    expect(flow.takes(1)).toBe(true);
  });

  it('that says to have seen more than it got has no more room than others', () => {
    const flow = live();
    flow.takes(10);
    flow.acked(OUTPUT_WINDOW_BYTES);
    expect(flow.takes(OUTPUT_WINDOW_BYTES)).toBe(true);
    expect(flow.takes(1)).toBe(false);
  });

  it('asks for the screen of a terminal that is another one', () => {
    const flow = live();
    flow.reset();
    expect(flow.takes(1)).toBe(false);
    expect(flow.wantsScreen()).toBe(true);
  });
});

describe('however a window keeps up', () => {
  const steps = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('output'),
          bytes: fc.integer({ min: 1, max: OUTPUT_FRAME_BYTES }),
        }),
      },
      fc.record({
        do: fc.constant('ack'),
        bytes: fc.integer({ min: 1, max: OUTPUT_WINDOW_BYTES }),
      }),
      fc.constantFrom({ do: 'screen', bytes: 0 }, { do: 'reset', bytes: 0 }),
    ),
    { maxLength: 80 },
  );

  it('no more than a window is on its way, and after a gap comes a screen first', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const flow = new ViewerFlow();
        let unseen = 0;
        let gap = true;
        for (const step of [{ do: 'screen', bytes: 0 }, ...taken]) {
          if (step.do === 'output') {
            const sent = flow.takes(step.bytes);
            expect(sent && gap).toBe(false);
            if (sent) unseen += step.bytes;
            else gap = true;
          } else if (step.do === 'ack') {
            const bytes = Math.min(unseen, step.bytes);
            unseen -= bytes;
            flow.acked(step.bytes);
          } else if (step.do === 'screen') {
            if (!flow.wantsScreen()) continue;
            flow.shown();
            gap = false;
          } else {
            flow.reset();
            gap = true;
          }
          expect(unseen).toBeLessThanOrEqual(OUTPUT_WINDOW_BYTES);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('one that acknowledges everything is shown the screen again in the end', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const flow = live();
        for (const { do: step, bytes } of taken) {
          if (step === 'output') flow.takes(bytes);
          else if (step === 'ack') flow.acked(bytes);
          else if (step === 'reset') flow.reset();
          else if (flow.wantsScreen()) flow.shown();
        }
        flow.acked(OUTPUT_WINDOW_BYTES);
        if (flow.wantsScreen()) flow.shown();
        expect(flow.takes(1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
