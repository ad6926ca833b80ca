import manifest from './package.json' with { type: 'json' };

/** The name and version of the tool, as its own package has them. */
export const TOOL = { name: manifest.name, version: manifest.version };

/** How the tool is called: `pilothouse adr` inside the product, its own name outside. */
export const COMMAND = process.env['PILOTHOUSE_ADR_NAME'] ?? TOOL.name;
