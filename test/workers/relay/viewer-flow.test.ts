import { describe, expect, it } from 'vitest';
import { OUTPUT_WINDOW_BYTES } from '../../../protocol/terminal-frames.ts';
import { ViewerFlow } from '../../../workers/relay/viewer-flow.ts';

const live = () => {
  const flow = new ViewerFlow();
  flow.wantsScreen();
  flow.shown();
  return flow;
};

describe('a window on a terminal', () => {
  it('is sent nothing before it has the screen', () => {
    const flow = new ViewerFlow();
    expect(flow.takes(1)).toBe(false);
    expect(flow.wantsScreen()).toBe(true);
    expect(flow.wantsScreen()).toBe(false);
    expect(flow.takes(1)).toBe(false);
    flow.shown();
    expect(flow.takes(1)).toBe(true);
  });

  it('that shows nothing is sent no more than the window', () => {
    const flow = live();
    expect(flow.takes(OUTPUT_WINDOW_BYTES)).toBe(true);
    expect(flow.takes(1)).toBe(false);
  });

  it('that fell behind gets the screen when it has caught up, and not before', () => {
    const flow = live();
    flow.takes(OUTPUT_WINDOW_BYTES);
    flow.takes(1);
    flow.acked(1_000);
    expect(flow.wantsScreen()).toBe(false);
    flow.acked(OUTPUT_WINDOW_BYTES);
    expect(flow.wantsScreen()).toBe(true);
  });

  it('begins anew with another terminal', () => {
    const flow = live();
    flow.reset();
    expect(flow.takes(1)).toBe(false);
    expect(flow.wantsScreen()).toBe(true);
  });

  it('cannot gain a larger window by acknowledging what it was never sent', () => {
    const flow = live();
    flow.acked(OUTPUT_WINDOW_BYTES * 4);
    expect(flow.takes(OUTPUT_WINDOW_BYTES + 1)).toBe(false);
  });
});
