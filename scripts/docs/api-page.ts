/** Renders docs/api.md: the routes with their parameters, responses and errors. */
import { z } from 'zod';
import { filterOperators } from '../../src/contract/list-parameters.ts';
import { openApiDocument } from '../../src/contract/openapi/openapi.ts';
import { pathParameterNames, pathParameters } from '../../src/contract/path.ts';
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { errorDefinitions } from '../../src/model/errors.ts';
import { code, codeBlock, sections, table } from './markdown.ts';
import type { QueryParameter } from '../../src/contract/parameter.ts';
import type { ResponseForm, Route } from '../../src/contract/route.ts';

export function apiPage(): string {
  const all = Object.entries<Route>(routes);
  return `${sections(
    '# API',
    '<!-- Written by scripts/write-docs.ts. -->',
    'All paths are below `<prefix>/api`, which is `/studio/api` unless the studio was started with `--prefix`. ' +
      'The same as an OpenAPI 3.1 document: `GET <prefix>/api/openapi.json`. Unknown query parameters are rejected. ' +
      'HEAD is supported wherever GET is. Errors: [errors.md](errors.md).',
    table(
      ['route', 'meaning'],
      all.map(([id, route]) => [`[${titleOf(route)}](#${id})`, route.summary]),
    ),
    ...all.map(([id, route]) => routeSection(id, route)),
    '# Bodies',
    ...bodySections(),
  )}\n`;
}

function titleOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function routeSection(id: string, route: Route): string {
  return sections(
    `## ${id}`,
    code(titleOf(route)),
    route.description,
    route.access === 'open' ? 'Needs no credentials.' : '',
    parameterTable(route),
    ...Object.entries(route.responses).map(([status, form]) => responseText(status, form)),
    `Errors: ${errorsText(route)}`,
  );
}

function parameterTable(route: Route): string {
  const rows = [
    ...pathParameterNames(route.path).map((name) => [
      code(name),
      'path',
      pathParameters[name]?.description ?? '',
    ]),
    ...Object.entries(route.query).map(([name, parameter]) => [
      code(name),
      typeOf(parameter),
      `${parameter.description}${defaultText(parameter)}`,
    ]),
    ...(route.takesFilters === true ? filterRows() : []),
    ...(route.supportsIfNoneMatch === true
      ? [[code('If-None-Match'), 'header', 'Entity tags that the client has.']]
      : []),
  ];
  return rows.length === 0 ? '' : table(['parameter', 'kind', 'meaning'], rows);
}

function filterRows(): readonly string[][] {
  return [
    [
      code('filter_<column>'),
      'string',
      "Equality in the column's own type; with a `%` in the value, LIKE.",
    ],
    ...Object.entries(filterOperators).map(([name, meaning]) => [
      code(`filter_<column>__${name}`),
      'string',
      meaning,
    ]),
  ];
}

function typeOf(parameter: QueryParameter): string {
  const {
    type,
    enum: values,
    minimum,
    maximum,
  } = z.toJSONSchema(parameter.schema, { io: 'output' });
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const kind =
    values === undefined
      ? `${String(type)}${range}`
      : values.map((word) => code(String(word))).join(', ');
  return parameter.repeated ? `${kind}; repeatable` : kind;
}

function defaultText({ default: value }: QueryParameter): string {
  return value === undefined
    ? ''
    : ` Default ${code(typeof value === 'string' ? value : JSON.stringify(value))}.`;
}

function responseText(status: string, { description, json, contentTypes }: ResponseForm): string {
  const kind = json === undefined ? contentTypes?.map(code).join(', ') : linkTo(json.name);
  const head = `**${status}** ${description}${kind === undefined ? '' : ` (${kind})`}`;
  const example =
    json === undefined || status !== '200'
      ? ''
      : codeBlock('json', JSON.stringify(json.example, null, 2));
  return sections(head, example);
}

function errorsText(route: Route): string {
  return errorsOf(route)
    .map((name) => `${code(name)} (${errorDefinitions[name].status})`)
    .join(', ');
}

// Request and response bodies

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly required?: readonly string[];
  readonly description?: string;
}

function bodySections(): readonly string[] {
  const { components } = openApiDocument('') as {
    readonly components?: { readonly schemas: object };
  };
  const schemas = Object.entries(components?.schemas ?? {}) as [string, JsonSchema][];
  return schemas.map(([name, schema]) =>
    sections(`## ${name}`, schema.description ?? '', alternatives(schema), memberTable(schema)),
  );
}

function alternatives({ oneOf }: JsonSchema): string {
  return oneOf === undefined ? '' : `${oneOf.map(kindOf).join(' or ')}.`;
}

function memberTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    required.includes(name) ? code(name) : `${code(name)} (optional)`,
    kindOf(schema),
    schema.description ?? '',
  ]);
  return rows.length === 0 ? '' : table(['member', 'kind', 'meaning'], rows);
}

function kindOf(schema: JsonSchema): string {
  const { $ref, anyOf, items, enum: values, additionalProperties } = schema;
  if ($ref !== undefined) return linkTo($ref.split('/').at(-1) ?? '');
  if (anyOf !== undefined) return anyOf.map(kindOf).join(' or ');
  if (items !== undefined) return `list of ${kindOf(items)}`;
  if (values !== undefined) return values.length > 6 ? 'string' : values.map(code).join(', ');
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.properties !== undefined)
    return `object of ${Object.keys(schema.properties).map(code).join(', ')}`;
  return additionalProperties?.$ref === undefined
    ? [schema.type ?? 'any'].flat().join(' or ')
    : `object of ${kindOf(additionalProperties)}`;
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}
