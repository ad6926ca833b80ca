import {
  BUILT_IN_ENTRIES,
  type EngineDetail,
  type EngineEntry,
  type EngineVersion,
  ownEntryOf,
  saveEngineRequest,
} from '../../protocol/engines.ts';

/** Engines of the stand-in account, each with every version that was saved, the newest first. */
export class MockEngines {
  readonly versions = new Map<string, EngineVersion[]>();

  list(): EngineEntry[] {
    return [...this.versions.keys()].flatMap((id) => this.detail(id).entry ?? []);
  }

  detail(id: string): EngineDetail {
    const builtIn = BUILT_IN_ENTRIES.find(({ preset }) => preset.id === id);
    const versions = this.versions.get(id) ?? [];
    const [newest] = versions;
    const own = newest?.preset && ownEntryOf(newest.preset, newest.version, newest.savedAt);
    return { entry: own ?? builtIn ?? null, versions };
  }

  save(body: unknown): EngineEntry {
    const { preset } = saveEngineRequest.parse(body);
    const before = this.versions.get(preset.id) ?? [];
    const version = (before[0]?.version ?? 0) + 1;
    this.versions.set(preset.id, [{ version, savedAt: 1, savedBy: 'person', preset }, ...before]);
    return ownEntryOf(preset, version, 1);
  }

  /** The versions stay known; the newest says that it was removed. */
  remove(id: string): { accepted: true } {
    const before = this.versions.get(id) ?? [];
    const version = (before[0]?.version ?? 0) + 1;
    this.versions.set(id, [{ version, savedAt: 1, savedBy: 'person', preset: null }, ...before]);
    return { accepted: true };
  }
}
