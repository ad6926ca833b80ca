import { z } from 'zod';

/**
 * Files that act on the forge by themselves: whoever may push them can merge, publish or read
 * secrets with the forge's own token, and who must approve is decided by others of them.
 */
export const DEFAULT_PROTECTED_PATHS: readonly string[] = [
  '.github/workflows/**',
  '.github/actions/**',
  '**/CODEOWNERS',
  '.gitlab-ci.yml',
  '.gitlab/**',
  '.gitea/workflows/**',
  '.forgejo/workflows/**',
  '.circleci/**',
  '.buildkite/**',
  '.woodpecker/**',
  '.woodpecker.yml',
  '.drone.yml',
  '.travis.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
];

/**
 * What a tool call does: reads or changes a file, runs a command line, or anything by the name of
 * the engine's own tool.
 */
export const toolRule = z.strictObject({
  effect: z.enum(['deny', 'ask', 'allow']),
  /** `file`: reading and changing it. */
  on: z.enum(['file', 'edit', 'command', 'tool']),
  /** A glob of paths (`~/` is the home), of a command line, or of a tool's name. */
  pattern: z.string().min(1).max(200),
});
export type ToolRule = z.infer<typeof toolRule>;

/** Files that hold passwords, keys and tokens by custom. */
export const CREDENTIAL_FILES = [
  '**/.env',
  '**/.env.local',
  '**/.env.*.local',
  '**/.env.development',
  '**/.env.production',
  '**/.env.staging',
  '**/.envrc',
  '**/.netrc',
  '**/.git-credentials',
  '**/id_rsa',
  '**/id_ecdsa',
  '**/id_ed25519',
  '**/*.pem',
  '**/*.p12',
  '~/.ssh/**',
  '~/.gnupg/**',
  '~/.aws/**',
  '~/.azure/**',
  '~/.config/gcloud/**',
  '~/.config/gh/**',
  '~/.config/glab-cli/**',
  '~/.kube/**',
  '~/.docker/config.json',
  '~/.npmrc',
  '~/.pypirc',
];

export const DEFAULT_TOOL_RULES: readonly ToolRule[] = CREDENTIAL_FILES.map((pattern) => ({
  effect: 'deny',
  on: 'file',
  pattern,
}));
