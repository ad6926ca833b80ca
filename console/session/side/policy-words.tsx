import type { LaunchSpec } from '../../../protocol/launch.ts';
import { describeSnapshot } from '../../../protocol/policy-words.ts';

/** What this session may merge, push, read and run: the policy of its launch, in sentences. */
export function PolicyWords({ policy }: Pick<LaunchSpec, 'policy'>) {
  return (
    <section aria-label="Policy" className="mt-4">
      <h3 className="font-medium">Policy</h3>
      <ul className="mt-1 text-sm text-soft">
        {describeSnapshot(policy).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-faint">
        As it was at launch; the machine’s own limits may allow less. Change it for later launches
        with <code>pilothouse policy set</code>.
      </p>
    </section>
  );
}
