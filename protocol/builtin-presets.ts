import { enginePreset, type EnginePreset, type EnginePresetInput } from './preset.ts';

export type BuiltInPreset = {
  preset: EnginePreset;
  /** The real CLI was driven through this preset by the product's own suite. */
  verified: boolean;
  /** Where its program comes from: a package of npm's, else its maker's page. */
  source: { npm: string } | { page: string };
};
type Source = BuiltInPreset['source'];

const verified = (preset: EnginePresetInput, source: Source): BuiltInPreset => ({
  preset: enginePreset.parse(preset),
  verified: true,
  source,
});
/** Written from its documentation alone: nobody has seen it work. */
const unverified = (preset: EnginePresetInput, source: Source): BuiltInPreset => ({
  preset: enginePreset.parse(preset),
  verified: false,
  source,
});

/**
 * The presets that come with the product. The verified ones say in data what the runner's own
 * code does; the others are all there is of their engines, and need the machine's approval.
 */
export const BUILT_IN_PRESETS: readonly BuiltInPreset[] = [
  verified(
    {
      id: 'claude',
      label: 'Claude Code',
      parser: 'claude-stream-json',
      command: ['claude'],
      minVersion: '2.1.0',
    },
    { npm: '@anthropic-ai/claude-code' },
  ),
  verified(
    {
      id: 'codex',
      label: 'Codex',
      parser: 'codex-exec-json',
      command: ['codex'],
      minVersion: '0.171.0',
    },
    { npm: '@openai/codex' },
  ),
  verified(
    {
      id: 'gemini',
      label: 'Gemini CLI',
      parser: 'gemini-stream-json',
      command: ['gemini'],
      minVersion: '0.61.0',
    },
    { npm: '@google/gemini-cli' },
  ),
  verified(
    {
      id: 'opencode',
      label: 'OpenCode',
      parser: 'opencode-acp',
      command: ['opencode'],
      minVersion: '1.18.0',
    },
    { npm: 'opencode-ai' },
  ),
  verified(
    {
      id: 'qwen',
      label: 'Qwen Code',
      parser: 'qwen-stream-json',
      command: ['qwen'],
      minVersion: '0.24.4',
    },
    { npm: '@qwen-code/qwen-code' },
  ),
  unverified(
    {
      id: 'cursor-agent',
      label: 'Cursor Agent',
      parser: 'text',
      command: ['cursor-agent', '--print', '--output-format', 'text'],
      input: 'argument',
    },
    { page: 'https://cursor.com/cli' },
  ),
  unverified(
    {
      id: 'grok',
      label: 'Grok CLI',
      parser: 'text',
      command: ['grok', '--prompt'],
      input: 'argument',
    },
    { npm: '@vibe-kit/grok-cli' },
  ),
  unverified(
    {
      id: 'ollama',
      label: 'Ollama, llama3',
      parser: 'text',
      command: ['ollama', 'run', 'llama3'],
    },
    { page: 'https://ollama.com/download' },
  ),
];

/** The built-in preset of this id, or null. */
export function findBuiltIn(id: string): BuiltInPreset | null {
  return BUILT_IN_PRESETS.find(({ preset }) => preset.id === id) ?? null;
}
