import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { errorResponse } from '../../src/contract/error-response.ts';
import { openApiDocument } from '../../src/contract/openapi/openapi.ts';
import { pathParameterNames } from '../../src/contract/path.ts';
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { errorDefinitions } from '../../src/model/errors.ts';
import { fakeStudio } from './fake-studio.ts';
import { ask } from './requests.ts';
import type { ResponseForm, Route } from '../../src/contract/route.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: object;
  }[];
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: object }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document = openApiDocument('/studio') as unknown as Document;
const everyRoute = Object.entries<Route>(routes);

function operationOf({ path, method }: Route): Operation | undefined {
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** All values of a member at any depth. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === name ? [inner] : []),
    ...membersNamed(name, inner),
  ]);
}

describe('the document', () => {
  test('is served for the prefix of the studio', async () => {
    const { response } = await ask('/db/api/openapi.json', {
      studio: fakeStudio({ config: { prefix: '/db/' } }),
    });
    expect(await response.json()).toStrictEqual(JSON.parse(JSON.stringify(openApiDocument('/db'))));
    expect(document.servers).toStrictEqual([{ url: '/studio/api' }]);
    expect((openApiDocument('/') as unknown as Document).servers).toStrictEqual([{ url: '/api' }]);
  });

  test('is served as OpenAPI 3.0 on request', async () => {
    const { response } = await ask('/studio/api/openapi.json?version=3.0');
    expect(await response.json()).toMatchObject({ openapi: '3.0.3', servers: document.servers });
    expect((await ask('/studio/api/openapi.json?version=2.0')).response.status).toBe(400);
  });

  test('is OpenAPI 3.1, and JSON', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document);
  });

  test('declares how requests are authorized, and which need no credentials', () => {
    const { components, security } = openApiDocument('/studio') as unknown as {
      components: { securitySchemes: object };
      security: readonly object[];
    };
    const schemes = Object.keys(components.securitySchemes);
    expect(security.flatMap((alternative) => Object.keys(alternative))).toStrictEqual(schemes);
    for (const [, route] of everyRoute) {
      const operation = operationOf(route);
      if (route.access === 'open') expect(operation).toHaveProperty('security', []);
      else expect(operation).not.toHaveProperty('security');
    }
  });

  test('references only what it contains', () => {
    const references = membersNamed('$ref', document);
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      expect(String(reference)).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(document.components.schemas).toHaveProperty(String(reference).split('/').at(-1) ?? '');
    }
  });

  test('contains no unused schema', () => {
    const usedComponents = new Set(
      membersNamed('$ref', document).map((reference) => String(reference).split('/').at(-1)),
    );
    expect(
      Object.keys(document.components.schemas).filter((name) => !usedComponents.has(name)),
    ).toStrictEqual([]);
  });

  test('contains every route once and no other', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    expect(operations.map(({ operationId }) => operationId).toSorted()).toStrictEqual(
      Object.keys(routes).toSorted(),
    );
  });
});

describe('for generators of clients', () => {
  /** All members of a document with these types, at any depth. */
  function schemasOf(type: string, value: unknown): { readonly [name: string]: unknown }[] {
    if (typeof value !== 'object' || value === null) return [];
    const inner = Object.values(value).flatMap((member) => schemasOf(type, member));
    const own = value as { readonly [name: string]: unknown };
    return [own['type']].flat().includes(type) ? [own, ...inner] : inner;
  }

  test('each number has a format that holds it', () => {
    const numbers = schemasOf('number', document);
    expect(numbers.length).toBeGreaterThan(10);
    for (const schema of numbers) expect(schema).toHaveProperty('format', 'double');
    const integers = schemasOf('integer', document);
    expect(integers.length).toBeGreaterThan(10);
    for (const { maximum, format, ...schema } of integers) {
      const isShort = schema['const'] !== undefined || Number(maximum) < 2 ** 31;
      expect([schema, format]).toEqual([schema, isShort ? undefined : 'int64']);
    }
  });

  test('each tag has operations', () => {
    const { tags } = openApiDocument('/studio') as unknown as { tags: { name: string }[] };
    const used = membersNamed('tags', document.paths).flat();
    expect(tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
  });

  test('a filter is a text, which every generator has a type for', () => {
    for (const [, route] of everyRoute.filter(([, { takesFilters }]) => takesFilters === true)) {
      const filters = operationOf(route)?.parameters.find(({ name }) => name === 'filters');
      expect(filters?.schema).toMatchObject({ additionalProperties: { type: 'string' } });
    }
  });
});

describe('each route', () => {
  test.for(everyRoute)('%s has its parameters', ([, route]) => {
    const parameters = operationOf(route)?.parameters ?? [];
    const namesIn = (location: string) =>
      parameters.filter((item) => item.in === location).map(({ name }) => name);
    expect(namesIn('path')).toStrictEqual(pathParameterNames(route.path));
    const filters = route.takesFilters === true ? ['filters'] : [];
    expect(namesIn('query')).toStrictEqual([...Object.keys(route.query), ...filters]);
  });

  test.for(everyRoute)('%s has a response for each of its errors', ([, route]) => {
    const { responses = {} } = operationOf(route) ?? {};
    for (const code of errorsOf(route)) {
      const response = responses[errorDefinitions[code].status];
      expect(membersNamed('enum', response).flat()).toContain(code);
      expect(response?.description).toContain(errorDefinitions[code].meaning);
    }
  });

  test.for(everyRoute)('%s: successes and errors have different statuses', ([, route]) => {
    const failing = new Set(errorsOf(route).map((code) => errorDefinitions[code].status));
    expect(
      Object.keys(route.responses).filter((status) => failing.has(Number(status) as never)),
    ).toStrictEqual([]);
  });

  test.for(everyRoute)('%s: its examples match their schemas', ([, route]) => {
    for (const { json } of Object.values<ResponseForm>(route.responses)) {
      if (json !== undefined) expect(json.schema.parse(json.example)).toStrictEqual(json.example);
    }
  });
});

test('the example of an error matches the error schema', () => {
  expect(errorResponse.schema.parse(errorResponse.example)).toStrictEqual(errorResponse.example);
});

test('integers that are clamped are documented with their ranges', () => {
  const { parameters = [] } = operationOf(routes['list-rows']) ?? {};
  const pageSize = parameters.find(({ name }) => name === 'page_size');
  expect(pageSize?.schema).toStrictEqual({
    type: 'integer',
    minimum: 1,
    maximum: 500,
    default: 50,
  });
  expect(z.toJSONSchema(routes['list-rows'].query.sort_by.schema)).toMatchObject({
    type: 'string',
  });
});
