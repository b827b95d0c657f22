/** The OpenAPI 3.0 form of the document. Ajv, which knows `nullable`, judges what its schemas accept. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asOpenApi30 } from '../../src/contract/openapi/openapi-30.ts';
import { openApiDocument } from '../../src/contract/openapi/openapi.ts';

type Members = Readonly<Record<string, unknown>>;

interface Document extends Members {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Members>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Members>> };
}

const document = openApiDocument('/studio') as unknown as Document;
const converted = asOpenApi30(openApiDocument('/studio')) as unknown as Document;

/** A document whose only schema is this one, converted. */
function convertSchema(schema: object): object {
  const base = openApiDocument('/studio');
  const one = asOpenApi30({ ...base, paths: {}, components: { schemas: { One: schema } } });
  return (one as unknown as Document).components.schemas['One'] ?? {};
}

test('it has the same paths, operations and schemas', () => {
  const operations = ({ paths }: Document): unknown =>
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.entries(item).map(([method, { operationId }]) => [method, operationId]),
    ]);
  expect(converted['openapi']).toBe('3.0.3');
  expect(operations(converted)).toEqual(operations(document));
  expect(Object.keys(converted.components.schemas)).toEqual(
    Object.keys(document.components.schemas),
  );
});

test('it leaves examples and the document itself as they are', () => {
  const example = { type: ['string', 'null'], const: 1, schema: { const: 2 } };
  const withExample = { ...document, paths: { '/a': { get: { example } } } };
  expect(asOpenApi30(withExample)['paths']).toEqual(withExample.paths);
  expect(openApiDocument('/studio')).toEqual(document);
});

const types = ['string', 'number', 'integer', 'boolean', 'object', 'null'] as const;
const scalar = fc.constantFrom<unknown>(null, '', 'a', 0, 1, 1.5, -3, true, false);

const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.record({ type: fc.constantFrom(...types) }),
    fc.record({ type: fc.uniqueArray(fc.constantFrom(...types), { minLength: 2 }) }),
    fc.record({ const: scalar.filter((value) => value !== null) }),
    fc.record({ type: fc.constant('number'), exclusiveMinimum: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ type: fc.constant('number'), exclusiveMaximum: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ const: tie('schema'), type: tie('schema') }),
    }),
    fc.record({ anyOf: fc.tuple(tie('schema'), fc.constant({ type: 'null' })) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
}));

const anyValue = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.record({ const: scalar, type: scalar }, { requiredKeys: [] }),
);

/** Draft 4, which OpenAPI 3.0 extends, has bounds that are flags; Ajv has them as numbers. */
function withNumericBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumericBounds);
  if (typeof value !== 'object' || value === null) return value;
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = value as Members;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([k, each]) => [k, withNumericBounds(each)])),
    ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : {}),
    ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : {}),
  };
}

describe('a converted schema', () => {
  test('accepts the same values', () => {
    const options = { strict: false, validateSchema: false, logger: false } as const;
    fc.assert(
      fc.property(
        anySchema,
        fc.array(anyValue, { minLength: 1, maxLength: 8 }),
        (schema, values) => {
          const accepts = new Ajv2020(options).compile(schema);
          const stillAccepts = new Ajv(options).compile(
            withNumericBounds(convertSchema(schema)) as object,
          );
          for (const value of values)
            expect([value, stillAccepts(value)]).toEqual([value, accepts(value)]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      { type: ['integer', 'string', 'null'], format: 'int64' },
      { anyOf: [{ type: 'integer', format: 'int64', nullable: true }, { type: 'string' }] },
    ],
    [
      { type: ['string', 'integer'], format: 'date' },
      { anyOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] },
    ],
    [
      { type: ['number', 'null'], format: 'double' },
      { type: 'number', format: 'double', nullable: true },
    ],
    [
      { type: 'string', contentEncoding: 'base64' },
      { type: 'string', format: 'byte' },
    ],
    [
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', example: 'a' },
    ],
    [
      { $ref: '#/components/schemas/A', description: 'x' },
      { allOf: [{ $ref: '#/components/schemas/A' }], description: 'x' },
    ],
    [{ type: 'object', propertyNames: { pattern: '^a' } }, { type: 'object' }],
  ])('of %j is %j', (schema, expected) => {
    expect(convertSchema(schema)).toEqual(expected);
  });
});
