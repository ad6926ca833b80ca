import { enginePreset, type EnginePreset, type EnginePresetInput } from '../../protocol/preset.ts';

/** A person's own engine: `cat`, which answers with what it was told. */
export function aPreset(over: Partial<EnginePresetInput> = {}): EnginePreset {
  return enginePreset.parse({
    id: 'my-agent',
    label: 'My agent',
    parser: 'text',
    command: ['cat'],
    ...over,
  });
}
