import { z } from 'zod';
import { type PolicyLayer, saidPolicyPart } from '../../../protocol/merge-policy.ts';
import { EXIT, Failure, messageOf } from '../../failure.ts';
import { readInput } from '../read-input.ts';

const layerFile = z.strictObject({
  part: saidPolicyPart,
  widens: z.string().trim().min(1).max(500).nullable().default(null),
});
const EXAMPLE = '{"part":{"mode":"none","protectedBranches":["release/*"]},"widens":null}';

/** Reads all that one scope says, in JSON; `-` is standard input. Throws a {@link Failure} that shows what it looks like. */
export function readLayer(path: string): PolicyLayer {
  try {
    return layerFile.parse(JSON.parse(readInput(path)));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue
      ? `${issue.path.join(' ') || 'the file'}: ${issue.message}`
      : messageOf(error);
    throw new Failure(
      EXIT.usage,
      'usage',
      `${path} is no policy: ${why}. One looks like this:\n\n${EXAMPLE}`,
      { cause: error },
    );
  }
}
