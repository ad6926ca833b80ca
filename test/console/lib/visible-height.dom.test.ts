import { afterEach, describe, expect, it, vi } from 'vitest';
import { decideVisibleHeight, followKeyboard } from '../../../console/lib/visible-height.ts';

afterEach(() => vi.unstubAllGlobals());

describe('the height that a keyboard leaves', () => {
  it.each([
    [{ height: 480.6, scale: 1 }, 480],
    [{ height: 844, scale: 1 }, null],
    [{ height: 790, scale: 1 }, null],
    [{ height: 422, scale: 2 }, null],
  ])('of a window of 844 that shows %j is %s', (seen, height) => {
    expect(decideVisibleHeight(seen, 844)).toBe(height);
  });

  it('is what the page takes while it is there', () => {
    vi.stubGlobal('innerHeight', 844);
    const scrollTo = vi.fn();
    vi.stubGlobal('scrollTo', scrollTo);
    const viewport = Object.assign(new EventTarget(), { height: 844, scale: 1 });
    const root = document.createElement('html');
    const stop = followKeyboard(viewport as unknown as VisualViewport, root);
    const show = (height: number) => {
      viewport.height = height;
      viewport.dispatchEvent(new Event('resize'));
      return [root.style.getPropertyValue('--seen-height'), root.hasAttribute('data-keyboard')];
    };
    expect(show(480)).toEqual(['480px', true]);
    expect(scrollTo).toHaveBeenLastCalledWith(0, 0);
    expect(show(844)).toEqual(['', false]);
    stop();
    expect(show(480)).toEqual(['', false]);
  });
});
