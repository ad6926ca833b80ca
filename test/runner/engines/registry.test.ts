import { expect, it } from 'vitest';
import { ENGINES, findEngine, probeEngines } from '../../../runner/engines/registry.ts';
import { hasKeys } from '../../../protocol/machine.ts';

/** A machine on which no engine is installed: what each could do is known all the same. */
const NOWHERE = { PATH: '/nonexistent', HOME: '/nonexistent' };

it('tells of each engine in which modes its form has a terminal, as the form itself says', async () => {
  const engines = await probeEngines(NOWHERE);
  expect(engines.length).toBeGreaterThan(3);
  for (const form of ENGINES)
    for (const approvals of form.modes)
      expect([form.id, approvals, hasKeys({ engines }, { engineId: form.id, approvals })]).toEqual([
        form.id,
        approvals,
        form.capabilities.keys,
      ]);
});

it('has a terminal and its books exactly where it says that it takes keys', () => {
  for (const { capabilities, interactivePlan, terminalBooks, id, modes } of ENGINES) {
    expect([id, modes, interactivePlan !== undefined]).toEqual([id, modes, capabilities.keys]);
    if (id !== 'rehearsal' && capabilities.keys) expect(terminalBooks).toBeDefined();
  }
});

it('refuses keys to gemini where it asks, whose conversation would be lost behind its terminal', () => {
  expect(findEngine('gemini', 'ask')?.capabilities.keys).toBe(false);
  expect(findEngine('gemini', 'bypass')?.capabilities.keys).toBe(true);
});
