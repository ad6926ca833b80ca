import { enginePreset, type EnginePreset, type EnginePresetInput } from './preset.ts';

export type BuiltInPreset = {
  preset: EnginePreset;
  /** The real CLI was driven through this preset by the product's own suite. */
  verified: boolean;
};

const verified = (preset: EnginePresetInput): BuiltInPreset => ({
  preset: enginePreset.parse(preset),
  verified: true,
});
/** Written from its documentation alone: nobody has seen it work. */
const unverified = (preset: EnginePresetInput): BuiltInPreset => ({
  preset: enginePreset.parse(preset),
  verified: false,
});

/**
 * The presets that come with the product. The verified ones say in data what the runner's own
 * code does; the others are all there is of their engines, and need the machine's approval.
 */
export const BUILT_IN_PRESETS: readonly BuiltInPreset[] = [
  verified({
    id: 'claude',
    label: 'Claude Code',
    parser: 'claude-stream-json',
    command: ['claude'],
    minVersion: '2.1.0',
  }),
  verified({
    id: 'codex',
    label: 'Codex',
    parser: 'codex-exec-json',
    command: ['codex'],
    minVersion: '0.171.0',
  }),
  verified({
    id: 'gemini',
    label: 'Gemini CLI',
    parser: 'gemini-stream-json',
    command: ['gemini'],
    minVersion: '0.61.0',
  }),
  verified({
    id: 'opencode',
    label: 'OpenCode',
    parser: 'opencode-acp',
    command: ['opencode'],
    minVersion: '1.18.0',
  }),
  unverified({
    id: 'cursor-agent',
    label: 'Cursor Agent',
    parser: 'text',
    command: ['cursor-agent', '--print', '--output-format', 'text'],
    input: 'argument',
  }),
  unverified({
    id: 'grok',
    label: 'Grok CLI',
    parser: 'text',
    command: ['grok', '--prompt'],
    input: 'argument',
  }),
  unverified({
    id: 'ollama',
    label: 'Ollama, llama3',
    parser: 'text',
    command: ['ollama', 'run', 'llama3'],
  }),
];

/** The built-in preset of this id, or null. */
export function findBuiltIn(id: string): BuiltInPreset | null {
  return BUILT_IN_PRESETS.find(({ preset }) => preset.id === id) ?? null;
}
