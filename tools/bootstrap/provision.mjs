import { spawnSync } from 'node:child_process';

/** What the tests run beside npm packages, as the command that shows it is there. */
const NEEDED = [
  { command: 'git', packages: { debian: 'git', mac: 'git' } },
  {
    command: 'chromium',
    others: ['google-chrome', 'chromium-browser'],
    packages: { debian: 'chromium', mac: '--cask chromium' },
  },
  { command: 'ps', packages: { debian: 'procps', mac: '' } },
  { command: 'setsid', packages: { debian: 'util-linux', mac: 'util-linux' } },
  { command: 'tmux', packages: { debian: 'tmux', mac: 'tmux' } },
  { command: 'zsh', packages: { debian: 'zsh', mac: 'zsh' } },
  { command: 'fish', packages: { debian: 'fish', mac: 'fish' } },
  { command: 'dash', packages: { debian: 'dash', mac: 'dash' } },
  // The seal is of Linux; so is a screen that nobody sees, on which kitty is tested.
  ...(process.platform === 'linux'
    ? [
        { command: 'bwrap', packages: { debian: 'bubblewrap', mac: '' } },
        { command: 'kitty', packages: { debian: 'kitty libgl1-mesa-dri', mac: '' } },
        { command: 'Xvfb', packages: { debian: 'xvfb', mac: '' } },
      ]
    : []),
];

/** @param {string} command */
const has = (command) =>
  spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command], { stdio: 'ignore' }).status === 0;

/** The needed tools that this machine does not have. */
export function missingTools() {
  return NEEDED.filter((tool) => ![tool.command, ...(tool.others ?? [])].some(has));
}

/**
 * Installs what the tests need, as root on Debian; elsewhere says the one command. Returns the
 * sentence that explains what is missing, or null when everything is there.
 */
export function provision() {
  const missing = missingTools();
  if (missing.length === 0) return null;
  const debian = missing.flatMap((tool) => tool.packages.debian.split(' '));
  if (has('apt-get') && process.getuid?.() === 0) {
    console.log(`Installing for the tests: ${debian.join(', ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...debian], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    });
    const still = missingTools();
    if (still.length === 0) return null;
    return `apt-get did not install ${still.map((tool) => tool.command).join(', ')}. Run \`apt-get install ${debian.join(' ')}\` and look at what it says.`;
  }
  const names = missing.map((tool) => tool.command).join(', ');
  const command = has('apt-get')
    ? `sudo apt-get install ${debian.join(' ')}`
    : `brew install ${missing
        .map((tool) => tool.packages.mac)
        .filter(Boolean)
        .join(' ')}`;
  return `The tests need ${names}. Run \`${command}\`, then \`npm test\` again.`;
}
