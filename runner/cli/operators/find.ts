import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import type { InstanceDetail, OperatorEntry } from '../../../protocol/operator-http.ts';
import { EXIT, Failure } from '../../failure.ts';
import type { Api } from '../api.ts';

/** The operator that a person means: its id, its name, or a part that only one has. */
export async function findOperator(api: Api, text: string): Promise<OperatorEntry> {
  return findOne(
    (await api.listOperators()).items,
    text,
    'operator_not_found',
    ({ definition }) => definition,
  );
}

/** The instance that a person means: its id, its name, or a part that only one has. */
export async function findInstance(api: Api, text: string): Promise<InstanceDetail> {
  return findOne(
    (await api.listInstances()).items,
    text,
    'instance_not_found',
    ({ instance }) => instance,
  );
}

function findOne<T>(
  all: readonly T[],
  text: string,
  code: ErrorCode,
  of: (one: T) => { id: string; name: string },
): T {
  const wanted = text.toLowerCase();
  const exact = all.filter((one) => of(one).id === text || of(one).name.toLowerCase() === wanted);
  const found =
    exact.length > 0
      ? exact
      : all.filter((one) => {
          const { id, name } = of(one);
          return id.includes(text) || name.toLowerCase().includes(wanted);
        });
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  const names = found.slice(0, 5).map((one) => `${of(one).name} (${of(one).id})`);
  throw new Failure(
    EXIT.refused,
    code,
    first
      ? `${found.length} are meant by ${text}. Give the id of one: ${names.join(', ')}.`
      : ERRORS[code].sentence,
  );
}
