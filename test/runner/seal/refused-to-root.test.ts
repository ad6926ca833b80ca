import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { launchSpec, type LaunchSpecInput } from '../../../protocol/launch.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { probeEngine } from '../../../runner/engines/registry.ts';
import { Keeper } from '../../../runner/seal/keeper.ts';
import { limitsFor } from '../guard/repositories.ts';

/** Claude as it is on a machine whose runner is root, whoever runs the tests. */
const AS_ROOT = { ...claude, sealedOnly: () => ['bypass'] as const };

/** A machine without bubblewrap, so that nothing is sealed there. */
const keeper = new Keeper({
  root: tmpdir(),
  env: { PATH: '/nowhere', HOME: '/nowhere' },
  limits: () => limitsFor('/'),
  log: () => undefined,
});
const decide = (engine: typeof claude, spec: Partial<LaunchSpecInput>) =>
  keeper.decide(
    launchSpec.parse({ engineId: 'claude', directory: '/code', objective: 'go', ...spec }),
    engine,
    { fresh: true },
  );

describe('a launch in a mode that its engine refuses to root', () => {
  it.each(['own', 'inPlace'] as const)('is refused before there is a checkout: %s', (checkout) => {
    const launch = { approvals: 'bypass', grade: 'open', checkout } as const;
    expect(() => decide(AS_ROOT, launch)).toThrow(
      /Claude Code refuses the approvals mode `bypass` to root.*run the runner as an ordinary user/,
    );
  });

  it('is made in another mode, and by a user who is not root', () => {
    expect(decide(AS_ROOT, { approvals: 'ask', grade: 'open' }).grade).toBe('open');
    const ordinary = { ...claude, sealedOnly: () => [] };
    expect(decide(ordinary, { approvals: 'bypass', grade: 'open' }).grade).toBe('open');
  });

  it('is told of the machine, with the rest that it says of its engine', async () => {
    const probe = async () => ({
      engineId: 'claude',
      label: 'Claude Code',
      ready: true,
      version: '2.1.0',
      payer: 'unknown' as const,
      credential: null,
      approvals: [],
      problem: null,
      remedy: null,
      executable: '/usr/bin/claude',
    });
    expect(await probeEngine({ ...AS_ROOT, probe }, {})).toMatchObject({ sealedOnly: ['bypass'] });
    const ordinary = { ...claude, sealedOnly: () => [], probe };
    expect(await probeEngine(ordinary, {})).not.toHaveProperty('sealedOnly');
  });
});

describe('a Pilot with all of a person’s power', () => {
  const steps = [{ title: 'Tests', check: 'npm test' }];
  const pilot = { mode: 'pilot', brain: { kind: 'checklist', steps } } as const;
  const spec = launchSpec.parse({
    engineId: 'claude',
    directory: '/code',
    objective: 'go',
    checkout: 'inPlace',
    approvals: 'ask',
    pilot,
  });

  it('is refused where nobody chose that, and goes on where it was begun before', () => {
    expect(() => keeper.decide(spec, claude, { fresh: true })).toThrow(
      expect.objectContaining({ code: 'open_not_accepted' }),
    );
    expect(keeper.decide(spec, claude, { fresh: false })).toMatchObject({ grade: 'open' });
    const chosen = { ...spec, grade: 'open' as const };
    expect(keeper.decide(chosen, claude, { fresh: true })).toMatchObject({ grade: 'open' });
  });
});
