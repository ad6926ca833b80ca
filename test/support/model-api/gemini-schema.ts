/** The part of JSON Schema that a helper model is asked to fill. */
export type Schema = {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
};

/** The smallest value of a schema: enough for a caller that asks a helper model for JSON. */
export function fill(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  switch (schema.type?.toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fill(each)]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    default:
      return 'flash';
  }
}
