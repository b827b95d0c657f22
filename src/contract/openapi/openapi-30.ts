/** OpenAPI documents as 3.0, for generators that do not take 3.1, such as oapi-codegen. */
import type { Json } from './openapi.ts';

/** The same document with schemas in the subset of JSON Schema that OpenAPI 3.0 has. */
export function asOpenApi30(document: Json): Json {
  const { info, components, ...rest } = document as unknown as Document;
  const { identifier, ...license } = info.license;
  const { schemas, ...otherComponents } = components;
  return {
    ...(withSchemas(rest) as Json),
    openapi: '3.0.3',
    info: { ...info, license: { ...license, url: `https://spdx.org/licenses/${identifier}.html` } },
    components: {
      ...(withSchemas(otherComponents) as Json),
      schemas: mapValues(schemas, schemaOf30),
    },
  };
}

interface Document extends Json {
  readonly info: Json & { readonly license: Json & { readonly identifier: string } };
  readonly components: Json & { readonly schemas: Json };
}

/** Parameters, headers and bodies have their schema in a member of that name. Examples are values. */
function withSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSchemas);
  if (!isJson(value)) return value;
  return mapValues(value, (member, name) => {
    if (name === 'example') return member;
    return name === 'schema' ? schemaOf30(member) : withSchemas(member);
  });
}

/** Members that 3.0 does not have, and that only narrow a schema. */
const unknownMembers: ReadonlySet<string> = new Set([
  'propertyNames',
  'patternProperties',
  'contentMediaType',
]);

function schemaOf30(schema: unknown): unknown {
  if (!isJson(schema)) return schema;
  const members = Object.entries(schema)
    .filter(([name]) => !unknownMembers.has(name))
    .map(([name, value]): [string, unknown] => [name, memberOf30(name, value)]);
  return withNullable(withBounds(withoutConstant(withoutSiblings(Object.fromEntries(members)))));
}

function memberOf30(name: string, value: unknown): unknown {
  if (name === 'properties') return isJson(value) ? mapValues(value, schemaOf30) : value;
  if (['items', 'additionalProperties', 'not'].includes(name)) return schemaOf30(value);
  return isList(name, value) ? value.map(schemaOf30) : value;
}

function isList(name: string, value: unknown): value is readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].includes(name) && Array.isArray(value);
}

/** 3.0 ignores what is beside a reference. */
function withoutSiblings(schema: Json): Json {
  const { $ref, ...siblings } = schema;
  return $ref === undefined || Object.keys(siblings).length === 0
    ? schema
    : { allOf: [{ $ref }], ...siblings };
}

function withoutConstant({ const: constant, examples, contentEncoding, ...schema }: Json): Json {
  return {
    ...schema,
    ...(contentEncoding === 'base64' ? { format: 'byte' } : {}),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] as unknown } : {}),
  };
}

/** NULL is a flag of a schema instead of a type, and a schema has one type. */
function withNullable({ type, format, ...schema }: Json): Json {
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const otherTypes = types.filter((each) => each !== 'null');
  if (types.length > 0 && otherTypes.length === 0) return { ...schema, ...nullOnly };
  const nullable = otherTypes.length < types.length ? { nullable: true } : {};
  if (otherTypes.length > 1) {
    const anyOf = otherTypes.map((each, index) => ({
      ...typed(each),
      ...(isFormatOf(format, each) ? { format } : {}),
      ...(index === 0 && nullable),
    }));
    return { ...withNullAlternative(schema), anyOf };
  }
  const withFormat = format === undefined ? schema : { ...schema, format };
  return { ...otherTypes.map(typed)[0], ...withNullAlternative(withFormat), ...nullable };
}

/** 3.0 requires the type of an array's items. */
function typed(type: unknown): Json {
  return type === 'array' ? { type, items: {} } : { type };
}

const numberFormats: ReadonlySet<unknown> = new Set(['double', 'float', 'int32', 'int64']);

/** Whether a format describes values of this type. Others ignore it. */
function isFormatOf(format: unknown, type: unknown): boolean {
  const isNumeric = type === 'number' || type === 'integer';
  return format !== undefined && isNumeric === numberFormats.has(format);
}

/** A schema that is nullable must have a type, and NULL among its values. */
const nullOnly: Json = { type: 'object', nullable: true, enum: [null] };

/** `anyOf: [X, {type: "null"}]` becomes X that is nullable. */
function withNullAlternative({ anyOf, ...schema }: Json): Json {
  if (!Array.isArray(anyOf)) return schema;
  const otherSchemas = anyOf.filter((each) => !isNullOnly(each)) as readonly Json[];
  if (otherSchemas.length === anyOf.length) return { ...schema, anyOf };
  const [only] = otherSchemas;
  if (otherSchemas.length === 1 && only !== undefined && 'type' in only && !('enum' in only))
    return { ...only, ...schema, nullable: true };
  return { ...schema, anyOf: [...otherSchemas, nullOnly] };
}

function isNullOnly(schema: unknown): boolean {
  return isJson(schema) && JSON.stringify(schema['enum']) === '[null]';
}

/** An exclusive bound is a flag of the bound. */
function withBounds({ exclusiveMinimum, exclusiveMaximum, ...schema }: Json): Json {
  return {
    ...schema,
    ...(typeof exclusiveMinimum === 'number'
      ? { minimum: exclusiveMinimum, exclusiveMinimum: true }
      : {}),
    ...(typeof exclusiveMaximum === 'number'
      ? { maximum: exclusiveMaximum, exclusiveMaximum: true }
      : {}),
  };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(json: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, change(value, name)]),
  );
}
