/**
 * Formats of numbers. Generators of clients make 32-bit types of numbers without a format:
 * oapi-codegen a `float32`, and openapi-generator for Java an `Integer`.
 */

type Json = Readonly<Record<string, unknown>>;

const maxInt32 = 2 ** 31 - 1;

/** The same schema with the format of each number that exceeds 32 bits. */
export function withNumberFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNumberFormats);
  if (!isJson(schema)) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, memberOf(name, member)]);
  return { ...(Object.fromEntries(members) as Json), ...numberFormat(schema) };
}

/** Members with values instead of schemas. */
const valueMembers: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

function memberOf(name: string, member: unknown): unknown {
  if (valueMembers.has(name)) return member;
  if (name !== 'properties' || !isJson(member)) return withNumberFormats(member);
  return Object.fromEntries(
    Object.entries(member).map(([property, schema]) => [property, withNumberFormats(schema)]),
  );
}

function numberFormat({ type, const: constant, maximum }: Json): Json {
  if (constant !== undefined) return Number.isInteger(constant) ? { type: 'integer' } : {};
  const types = [type].flat();
  if (types.includes('number')) return { format: 'double' };
  if (!types.includes('integer')) return {};
  return typeof maximum === 'number' && maximum <= maxInt32 ? {} : { format: 'int64' };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
