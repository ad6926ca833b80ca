import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ceiling as parseCeiling } from '../../../../protocol/ceiling.ts';
import {
  consentsOf,
  narrowingOf,
  type LimitOptions,
  withConsents,
  withLimits,
} from '../../../../runner/cli/operators/limits.ts';
import { boundOf, brainOf } from '../../../../runner/cli/operators/make.ts';
import { aBrainKey } from '../../../support/pilot-builders.ts';

const option = (backends: readonly string[]) => ({ backends, targets: 'any', prefix: null });
const CEILING = parseCeiling.parse({
  tools: ['tmux_capture_pane', 'terminal_capture'],
  surfaceOptions: { tmux: option(['tmux']), terminal: option(['tmux', 'kitty']) },
});

describe('limits as they are typed', () => {
  const narrow = (options: LimitOptions) => narrowingOf(options, CEILING);

  it('are none where nothing is said', () => {
    expect(narrow({})).toEqual({});
  });

  it('count for every connector that the ceiling opens, and for no other', () => {
    const limits = { backends: ['tmux'], prefix: 'build', targets: 'single' };
    expect(narrow({ onlyBackend: ['tmux'], prefix: 'build', single: true })).toEqual({
      surfaceOptions: { tmux: limits, terminal: limits },
    });
    const { terminal: _closed, ...surfaceOptions } = CEILING.surfaceOptions;
    expect(narrowingOf({ single: true }, { ...CEILING, surfaceOptions })).toEqual({
      surfaceOptions: { tmux: { targets: 'single' } },
    });
  });

  it('on tools leave the terminals as they are', () => {
    expect(narrow({ onlyTool: ['terminal_capture'] })).toEqual({ tools: ['terminal_capture'] });
  });

  const parse = (...args: string[]) =>
    withConsents(withLimits(new Command()))
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .parse(args, { from: 'user' })
      .opts();

  it('are read from a command line, several of one kind after another', () => {
    const args = ['--only-backend', 'tmux', 'kitty', '--prefix', 'build-1', '--single'];
    expect(parse(...args)).toEqual({
      onlyBackend: ['tmux', 'kitty'],
      prefix: 'build-1',
      single: true,
    });
  });

  it.each([
    [['--only-tool', 'rm']],
    [['--only-backend', 'screen']],
    [['--prefix', 'a:b']],
    [['--prefix', '']],
    [['--run', 'yes']],
  ])('are refused where they are none: %j', (args) => {
    expect(() => parse(...args)).toThrow();
  });

  it('say only those consents that were said', () => {
    expect(consentsOf(parse('--run', 'never', '--read', 'ask'))).toEqual({
      run: 'never',
      read: 'ask',
    });
    expect(consentsOf({})).toEqual({});
  });
});

describe('the terminal that an operator is bound to', () => {
  it('is called as a person calls it, else by its id', () => {
    const target = 'tmux:default:812.1700000000:%3';
    expect(boundOf({})).toBeNull();
    expect(boundOf({ target, label: 'build' })).toEqual({ target, label: 'build' });
    expect(boundOf({ target })).toEqual({ target, label: target });
  });

  it.each(['%3', 'tmux', 'tmux:default:812.1700000000:%3; rm', ''])('is not %j', (target) => {
    expect(() => boundOf({ target })).toThrow(/no id of a terminal/);
  });
});

describe('the model of an operator’s own agent', () => {
  const [work, home] = [
    aBrainKey({ name: 'work' }),
    { ...aBrainKey({ name: 'home' }), keyId: 'bky_2' as ReturnType<typeof aBrainKey>['keyId'] },
  ];
  const of = (
    said: { brainKey?: string; model?: string },
    keys: readonly ReturnType<typeof aBrainKey>[],
    usual?: string,
  ) => brainOf(said, usual, async () => keys);

  it('is none where none was named, and no key is looked for then', async () => {
    const never = () => Promise.reject(new Error('keys were listed'));
    expect(await brainOf({}, 'usual', never)).toBeNull();
  });

  it.each([
    [
      { brainKey: 'home', model: 'm' },
      { keyId: 'bky_2', model: 'm' },
    ],
    [
      { brainKey: 'bky_2', model: 'm' },
      { keyId: 'bky_2', model: 'm' },
    ],
    [{ brainKey: 'home' }, { keyId: 'bky_2', model: 'usual' }],
  ])('of %j is %j', async (said, brain) => {
    expect(await of(said, [work, home], 'usual')).toEqual(brain);
  });

  it('takes the only key that there is', async () => {
    expect(await of({ model: 'm' }, [work])).toEqual({ keyId: 'bky_1', model: 'm' });
  });

  it.each([
    [
      { model: 'm' },
      [work, home],
      'Say which key with --brain-key. There are: work (bky_1), home (bky_2).',
    ],
    [{ brainKey: 'wrok', model: 'm' }, [work], 'no one key called wrok'],
    [{ model: 'm' }, [], 'brain-keys add'],
    [{ brainKey: 'work' }, [work], 'Say which model with --model.'],
  ])('of %j is asked for anew', async (said, keys, words) => {
    await expect(of(said, keys)).rejects.toThrow(words);
  });
});
