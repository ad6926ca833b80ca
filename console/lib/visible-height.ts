/** Below this share of the window's height something covers the rest: a keyboard. */
const COVERED = 0.85;

type Seen = Pick<VisualViewport, 'height' | 'scale'>;

/**
 * The height that a keyboard leaves, in CSS pixels; null where none is shown. A page that is zoomed
 * in shows less as well, and is left as it is. Pure.
 */
export function decideVisibleHeight({ height, scale }: Seen, windowHeight: number): number | null {
  return scale > 1.01 || height >= windowHeight * COVERED ? null : Math.floor(height);
}

/**
 * Keeps the page within what is seen while a keyboard covers a part of it. Browsers that make the
 * window smaller (`interactive-widget`) need nothing; Safari covers it, and scrolls it out of sight.
 */
export function followKeyboard(viewport: VisualViewport, root: HTMLElement): () => void {
  const follow = () => {
    const height = decideVisibleHeight(viewport, window.innerHeight);
    if (height === null) root.style.removeProperty('--seen-height');
    else root.style.setProperty('--seen-height', `${height}px`);
    root.toggleAttribute('data-keyboard', height !== null);
    if (height !== null) window.scrollTo(0, 0);
  };
  follow();
  viewport.addEventListener('resize', follow);
  return () => viewport.removeEventListener('resize', follow);
}
