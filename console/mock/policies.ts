import { mergePolicies } from '../../protocol/merge-policy.ts';
import { type PolicyVersion, savePolicyRequest } from '../../protocol/policy-http.ts';
import { describePolicy } from '../../protocol/policy-words.ts';

/** What the scopes of the stand-in account say of the merge policy. */
export class MockPolicies {
  versions: PolicyVersion[] = [];

  /** Answers what is asked of policies; null for what is not. */
  answer(method: string, { pathname, searchParams }: URL, body: unknown, nowMs: number): unknown {
    if (method === 'POST' && pathname === '/v1/policy') return this.#save(body, nowMs);
    const directory = searchParams.get('directory');
    const ofScope = this.#of(directory);
    if (pathname === '/v1/policy/versions') return { items: ofScope };
    if (pathname !== '/v1/policy') return null;
    const newest = [this.#of(null)[0], directory === null ? undefined : ofScope[0]];
    const layers = newest.filter((each) => each !== undefined);
    const policy = mergePolicies(layers);
    return { policy, words: describePolicy(policy), layers };
  }

  #of(directory: string | null): PolicyVersion[] {
    return this.versions.filter(({ scope }) =>
      directory === null
        ? scope.kind === 'account'
        : scope.kind === 'repository' && scope.directory === directory,
    );
  }

  #save(body: unknown, savedAt: number): PolicyVersion {
    const { scope, part, widens, basedOn } = savePolicyRequest.parse(body);
    const version = basedOn + 1;
    const saved = { scope, version, part, widens, savedBy: 'person' as const, savedAt };
    this.versions = [saved, ...this.versions];
    return saved;
  }
}
