import { branchName, REPORTS_PATH } from '../../../protocol/decisions.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a report goes and what opens that door, or the sentence that says what is missing. */
export type Target = { url: URL; key: string } | { missing: string };

/** The only place a key is read from: arguments of a process can be read by every user. */
export const KEY_VARIABLE = 'PILOTHOUSE_DECISIONS_KEY';

/** Where build services say which branch they build; a pull request's own branch comes first. */
const BRANCH_VARIABLES = [
  'GITHUB_HEAD_REF',
  'GITHUB_REF_NAME',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
  'CI_COMMIT_REF_NAME',
  'BITBUCKET_BRANCH',
  'CIRCLE_BRANCH',
  'BUILDKITE_BRANCH',
] as const;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Decides where a report is posted. `branch` is what was asked for, `gitBranch` what git has
 * checked out; between the two stands what the build service says. A key goes over plain HTTP to
 * this machine alone.
 */
export function decideTarget(
  instance: string,
  branch: string | null,
  gitBranch: string | null,
  env: Environment,
): Target {
  if (!URL.canParse(instance)) {
    return {
      missing: `${instance} is not an address. Give one such as https://pilothouse.example.com`,
    };
  }
  const url = new URL(instance);
  const safe =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!safe || url.username !== '' || url.password !== '') {
    return {
      missing:
        'the address must be https:// (http:// only on this machine) and hold no user or password, so that nobody reads the key on its way',
    };
  }
  const key = env[KEY_VARIABLE]?.trim();
  if (!key) {
    return {
      missing: `no key is set. Make one in the console under Decisions and set it as ${KEY_VARIABLE}; a build of a fork has none, as secrets are not given to it`,
    };
  }
  const named = branch ?? BRANCH_VARIABLES.map((name) => env[name]).find(Boolean) ?? gitBranch;
  const parsed = branchName.safeParse(named);
  if (!parsed.success) {
    return { missing: 'the branch is not known, as HEAD is detached. Name it with --branch' };
  }
  const target = new URL(REPORTS_PATH, url);
  target.searchParams.set('branch', parsed.data);
  return { url: target, key };
}
