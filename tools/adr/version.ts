import manifest from './package.json' with { type: 'json' };

/** The name and version of the tool, as its own package has them. */
export const TOOL = { name: manifest.name, version: manifest.version };
