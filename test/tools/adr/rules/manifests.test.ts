import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../../../tools/adr/rules/manifests.ts';
import { namesOf, checkForEach } from '../../../../tools/adr/rules/require-each.ts';

const declared = (path: string, text: string) =>
  parseManifest(path, text).map(({ name, section }) => (section ? `${section}: ${name}` : name));

describe('what a package.json declares', () => {
  it('comes with its section, and is not what else stands there', () => {
    const text = JSON.stringify({
      scripts: { build: 'x' },
      devDependencies: { vitest: '5' },
      dependencies: { zod: '4', mine: 'workspace:*' },
    });
    expect(declared('apps/web/package.json', text)).toEqual([
      'dependencies: zod',
      'dependencies: mine',
      'devDependencies: vitest',
    ]);
  });

  it.each(['', '{', '[]', '{ "dependencies": ["zod"] }'])('is not known of %j', (text) => {
    expect(() => parseManifest('package.json', text)).toThrow(/./);
  });
});

describe('what a pyproject.toml declares', () => {
  it('is in its project, its extras, its groups and in what poetry reads', () => {
    const text = `
[project]
dependencies = ["Flask[async]>=3; python_version > '3.9'", "zope.interface"]
[project.optional-dependencies]
db = ["psycopg2_binary==2.9"]
[dependency-groups]
dev = ["pytest", { include-group = "db" }]
[tool.poetry.dependencies]
python = "^3.12"
httpx = { version = "1", optional = true }
[tool.poetry.dev-dependencies]
Black = "*"`;
    expect(declared('pyproject.toml', text)).toEqual([
      'db: psycopg2-binary',
      'dev: pytest',
      'dependencies: flask',
      'dependencies: zope-interface',
      'dependencies: httpx',
      'dev-dependencies: black',
    ]);
  });

  it('is nothing where there is no project, and not known where it is no TOML', () => {
    expect(declared('pyproject.toml', '[tool.ruff]\nline-length = 100\n')).toEqual([]);
    expect(() => parseManifest('pyproject.toml', '[project')).toThrow(/./);
  });
});

describe('what a requirements file declares', () => {
  it.each([
    ['Django_REST.framework>=3', ['django-rest-framework']],
    ['  requests  # for the API', ['requests']],
    ['# requests', []],
    ['-r base.txt', []],
    ['--hash=sha256:abc', []],
    ['-e ./local', []],
    ['-e git+https://host/x.git#egg=Own_Kit', ['own-kit']],
    ['pkg @ https://host/pkg.whl', ['pkg']],
    ['', []],
  ])('%j', (line, names) => {
    expect(declared('requirements-dev.txt', line)).toEqual(names);
  });
});

describe('what a go.mod declares', () => {
  it('is what it requires and what replaces that, not its own name nor what it leaves out', () => {
    const text = `module example.com/shop
go 1.24
require example.com/one v1.0.0 // indirect
require (
	example.com/two v2.0.0
	// example.com/three v3.0.0
)
exclude (
	example.com/four v4.0.0
)
exclude example.com/five v5.0.0
replace example.com/two => example.com/fork v2.1.0
replace example.com/one => ../one
`;
    expect(declared('go.mod', text)).toEqual([
      'require: example.com/one',
      'require: example.com/two',
      'replace: example.com/fork',
    ]);
  });
});

it.each(['Cargo.toml', 'package-lock.json', 'requirements.in'])(
  'the manifest %s is told to be none that can be read',
  (path) => {
    expect(() => parseManifest(path, '')).toThrow('can be read as manifests');
  },
);

describe('what a glob names', () => {
  const files = [
    'engines/codex/preset.ts',
    'engines/claude/preset.ts',
    'engines/claude/deep/x.ts',
    'engines/shared.ts',
    'rules/a.test.ts',
    'rules/b.test.ts',
    'rules/b.ts',
  ];

  it.each([
    ['engines/*/', ['claude', 'codex']],
    ['engines/*/preset.ts', ['claude', 'codex']],
    ['engines/*.ts', ['shared']],
    ['rules/*.test.ts', ['a', 'b']],
    ['engines/**/x.ts', ['claude']],
    ['./engines/*/', ['claude', 'codex']],
    ['{engines,gone}/*/preset.ts', ['claude', 'codex']],
    ['engines/cl*/', ['aude']],
    ['engines/shared.ts', []],
    ['gone/*', []],
  ])('%s', (glob, names) => {
    expect(namesOf(glob, files)).toEqual(names);
  });

  it('must each have its files, but for those that are left out', () => {
    const rule = { each: 'engines/*/', except: ['codex'], files: ['rules/{name}.test.ts'] };
    const { count, findings } = checkForEach(rule, 'Each proves itself.', files);
    expect(count).toBe(1);
    expect(findings).toMatchObject([
      {
        place: { path: 'engines/claude' },
        message: 'claude has no file rules/claude.test.ts, and must. Each proves itself.',
      },
    ]);
    expect(checkForEach({ ...rule, files: ['engines/{name}/**'] }, '', files).findings).toEqual([]);
  });
});
