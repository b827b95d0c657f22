import { z } from 'zod';
import { errorDefinitions } from '../../model/errors.ts';
import { errorResponse } from '../error-response.ts';
import { filterOperators } from '../list-parameters.ts';
import { namedSchemas } from '../named-schema.ts';
import { pathParameterNames, pathParameters } from '../path.ts';
import { errorsOf } from '../route.ts';
import { routes } from '../routes.ts';
import { withNumberFormats } from './number-formats.ts';
import type { QueryParameter } from '../parameter.ts';
import type { ResponseForm, BodyForm, Route } from '../route.ts';

export type Json = { readonly [name: string]: unknown };

/** Generates the OpenAPI 3.1 document of a studio mounted at `prefix`. */
export function openApiDocument(prefix: string): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Database Studio',
      version: '1',
      description:
        'Schema and rows of a relational database as JSON. Every error is `{"error", "code", …}`: a message, ' +
        'a code, and details. A studio without credentials needs none. Browsers can also log in with `POST /login`, ' +
        'for a session cookie.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${prefix.replace(/\/+$/, '')}/api` }],
    tags,
    paths: paths(),
    security: [{ basic: [] }, { bearer: [] }, {}],
    components: { schemas: components(), securitySchemes },
  };
}

const tags = [
  { name: 'schema', description: "The database's structure." },
  { name: 'tables', description: 'Rows of tables and views.' },
  { name: 'sql', description: 'Raw SQL.' },
  { name: 'export', description: 'Exports to files.' },
  { name: 'import', description: 'Imports from files.' },
  { name: 'studio', description: 'The studio itself.' },
] as const;

const securitySchemes: Json = {
  basic: { type: 'http', scheme: 'basic', description: 'The account of `--auth`.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of `--token`.' },
};

function paths(): Json {
  const operations: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    operations[path] = { ...operations[path], [route.method.toLowerCase()]: operation(id, route) };
  }
  return operations;
}

export function operation(id: string, route: Route): Json {
  return {
    operationId: id,
    tags: [tagOf(route)],
    summary: route.summary,
    description: route.description,
    ...(route.access === 'open' ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body) }),
    responses: { ...responsesOf(route), ...errorResponsesOf(route) },
  };
}

function tagOf({ path }: Route): string {
  const first = path.split('/')[1] ?? '';
  return tags.some(({ name }) => name === first) ? first : 'studio';
}

// Parameters.

function parametersOf(route: Route): readonly Json[] {
  return [
    ...pathParameterNames(route.path).map(pathParameter),
    ...Object.entries(route.query).map(([name, parameter]) => queryParameter(name, parameter)),
    ...(route.takesFilters === true ? [filterParameter] : []),
    ...(route.supportsIfNoneMatch === true ? [ifNoneMatch] : []),
    ...(route.supportsIfMatch === true ? [ifMatch] : []),
    ...(route.supportsIdempotencyKey === true ? [idempotencyKey] : []),
  ];
}

function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, ...pathParameters[name], schema: { type: 'string' } };
}

function queryParameter(name: string, parameter: QueryParameter): Json {
  const schema = plainSchema(z.toJSONSchema(parameter.schema, { io: 'output' }));
  return {
    name,
    in: 'query',
    description: parameter.description,
    schema: parameter.repeated ? { type: 'array', items: schema } : schema,
    ...(parameter.repeated || parameter.separated === true
      ? { style: 'form', explode: parameter.repeated }
      : {}),
  };
}

/** OpenAPI describes parameters with arbitrary names as an exploded object. */
const filterParameter: Json = {
  name: 'filters',
  in: 'query',
  description:
    '`filter_<column>=value`: rows whose column equals the value, or matches it by LIKE if the value contains a `%`. ' +
    `\`filter_<column>__<operator>=value\`: ${operatorsText()}. Filters are combined with AND, also repeated ones; \`any\` combines some with OR. ` +
    'NULL only matches `null`.',
  style: 'form',
  explode: true,
  schema: {
    type: 'object',
    propertyNames: { pattern: '^filter_' },
    // One value each. Generators for Java make a class that does not compile of a text or an array.
    additionalProperties: { type: 'string' },
  },
  example: { filter_name: 'A%', filter_price__gte: '10' },
};

function operatorsText(): string {
  return Object.entries(filterOperators)
    .map(([operator, meaning]) => `\`${operator}\` (${meaning})`)
    .join(', ');
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'Entity tags that the client has. The response is 304 if the current one is among them.',
  schema: { type: 'string' },
};

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    'The entity tag that the row must still have. The response is 412 if it has changed.',
  schema: { type: 'string' },
};

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key that the client makes for this request, in quotes. A request that is repeated with its key, because its response was lost, is carried out once; both get the response of the first. ' +
    'When it is repeated, `;age=` and the seconds since it was first sent follow: if the studio no longer knows the key, the error is `outcome_unknown`. Keys are kept for 10 minutes, in the state folder: copies of the studio that share it and have the same database URL carry a request out once, whichever of them receives it. ' +
    'If a copy is killed between the commit and recording its response, or before the commit, the error is `outcome_unknown` too: read the rows to find out. ' +
    'Without a usable state folder (embedded: without `stateDir`), a studio remembers its own requests until it ends, in 64 MB of memory: the oldest responses that do not fit are dropped, so that the error is `outcome_unknown`, and where no further key fits, new requests with one get `state_unavailable`.',
  schema: { type: 'string' },
  example: '"8e03978e-40d5-43dd-bc93-6894a57f9324";age=3',
};

function requestBody(form: BodyForm): Json {
  if ('binary' in form) {
    return {
      description: form.binary,
      required: true,
      content: { 'application/octet-stream': { schema: fileSchema('application/octet-stream') } },
    };
  }
  if ('upload' in form) {
    return {
      required: true,
      content: { 'multipart/form-data': { schema: uploadSchema(form.upload) } },
    };
  }
  return {
    required: true,
    content: jsonContent({ $ref: refTo(form.json.name) }, form.json.example),
  };
}

function uploadSchema(description: string): Json {
  const file = { type: 'string', format: 'binary', description };
  return { type: 'object', required: ['file'], properties: { file } };
}

// Responses.

function responsesOf(route: Route): Json {
  const responses = Object.entries(route.responses).map(([status, form]) => [
    status,
    responseOf(form, route, status),
  ]);
  return Object.fromEntries(responses) as Json;
}

function responseOf(
  { description, json, contentTypes }: ResponseForm,
  route: Route,
  status: string,
): Json {
  return {
    description,
    ...(hasEntityTag(route) ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
    ...(json === undefined
      ? {}
      : { content: jsonContent({ $ref: refTo(json.name) }, exampleFor(status, json.example)) }),
    ...(contentTypes === undefined
      ? {}
      : {
          content: Object.fromEntries(
            contentTypes.map((type) => [type, { schema: fileSchema(type) }]),
          ),
        }),
  };
}

/** Generators of clients know files by this format, which JSON Schema itself does not define. */
function fileSchema(mediaType: string): Json {
  return mediaType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function hasEntityTag(route: Route): boolean {
  return route.supportsIfNoneMatch === true || route.supportsIfMatch === true;
}

function exampleFor(status: string, example: unknown): unknown {
  return status.startsWith('2') ? example : undefined;
}

function jsonContent(schema: Json, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** One response for each status, with its error codes. */
function errorResponsesOf(route: Route): Json {
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorDefinitions[code].status);
  const responses = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes
        .map((code) => `\`${code}\`: ${errorDefinitions[code].meaning}`)
        .join('\n\n'),
      content: jsonContent(
        { allOf: [{ $ref: refTo(errorResponse.name) }, { properties: { code: { enum: codes } } }] },
        undefined,
      ),
    },
  ]);
  return Object.fromEntries(responses) as Json;
}

// Schemas.

export function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function components(): Json {
  const { schemas } = z.toJSONSchema(namedSchemas, { uri: refTo, io: 'input' });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, plainSchema(schema)]),
  );
}

/** Removes `$schema` and `$id`, which are only for standalone schemas. */
function plainSchema(schema: Json): Json {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return withNumberFormats(rest) as Json;
}
