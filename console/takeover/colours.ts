import type { ITheme } from '@xterm/xterm';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const BRIGHT = {
  black: 'brightBlack',
  red: 'brightRed',
  green: 'brightGreen',
  yellow: 'brightYellow',
  blue: 'brightBlue',
  magenta: 'brightMagenta',
  cyan: 'brightCyan',
  white: 'brightWhite',
} as const;

/** Reads the colours of the style sheet as they are in the theme of now. */
export function readColours(host: HTMLElement): ITheme {
  const probe = document.createElement('span');
  host.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const theme: ITheme = {
    background: read('sunken'),
    foreground: read('ink'),
    cursor: read('accent'),
    cursorAccent: read('sunken'),
    selectionBackground: read('selection'),
  };
  for (const name of NAMES) {
    theme[name] = read(`t-${name}`);
    theme[BRIGHT[name]] = theme[name];
  }
  probe.remove();
  return theme;
}
